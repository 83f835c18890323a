/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Assembly for x86_64, System V ABI: the only place with bare directives (kernels may
 * define macros of these).
 *
 *     FC_FUNC memmove, sse2 ... FC_END memmove, sse2
 *
 * defines fastcopy_memmove_sse2 (exported) and fc_memmove_sse2 (hidden; calls within the library go
 * there, so that they need neither PLT nor GOT), with alignment, type, size, CFI and an ENDBR64.
 *
 * Kernels are leaf code: no stack frame, no callee-saved registers, arguments in rdi, rsi, rdx, result in rax.
 * Free registers: rax, rcx, rdx, rsi, rdi, r8 to r11, all vector registers, and 128 bytes below rsp.
 */
#ifndef FC_ASM_H
#define FC_ASM_H

/* What the linker wants to know: CET (IBT and SHSTK) supported, no executable stack. */
.pushsection .note.gnu.property, "a", @note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
.popsection
.pushsection .note.GNU-stack, "", @progbits
.popsection

.macro FC_FUNC op, variant, align=6
    .text
    .p2align \align
    .globl fc_\op\()_\variant
    .hidden fc_\op\()_\variant
    .type fc_\op\()_\variant, @function
fc_\op\()_\variant:
    .globl fastcopy_\op\()_\variant
    .type fastcopy_\op\()_\variant, @function
fastcopy_\op\()_\variant:
    .cfi_startproc
    endbr64
.endm

.macro FC_END op, variant
    .cfi_endproc
.Lend_\op\()_\variant:
    .size fc_\op\()_\variant, . - fc_\op\()_\variant
    .size fastcopy_\op\()_\variant, . - fastcopy_\op\()_\variant
.endm

/* A second name for a function that FC_FUNC began. .set copies the size only where it is known already. */
.macro FC_ALIAS op, target, variant
    .globl fc_\op\()_\variant
    .hidden fc_\op\()_\variant
    .set fc_\op\()_\variant, fc_\target\()_\variant
    .globl fastcopy_\op\()_\variant
    .set fastcopy_\op\()_\variant, fastcopy_\target\()_\variant
    .size fc_\op\()_\variant, .Lend_\target\()_\variant - fc_\target\()_\variant
    .size fastcopy_\op\()_\variant, .Lend_\target\()_\variant - fc_\target\()_\variant
.endm

/*
 * Kernels that survive a bad address:
 *
 *     FC_TRY_FUNC try_memcpy, sse2 ... FC_TRY_END try_memcpy, sse2
 *
 * is FC_FUNC with a table fc_faults_try_memcpy_sse2 (hidden, in .rodata): for each instruction that may fault its place and
 * that of its fixup, both as the distance from the word that holds it; two zeros at the end. FC_TRY puts an
 * instruction there.
 *
 * What makes the count exact and keeps the rest of dst as it was, in each such kernel:
 *   - dst, src and n stay in rdi, rsi and rdx (while rep movsb runs, in others), so that a fixup needs no more than a place up
 *     to which all is stored. From there it goes on by rep movsb, which goes byte by byte where it matters, until done or
 *     until the byte at fault.
 *   - Stores ascend, each begins where those before it ended, or below, and has behind it the loads of all bytes up to its end.
 *     The first is of one byte. A store of a vector that faults may have been performed in part [Intel SDM 3A, "Guaranteed
 *     Atomic Operations"], on either side of a page's edge: with this order the bytes on the good side belong to the
 *     prefix, and the fixup stores them again, for the place that it begins at is no higher than such a store's.
 *   - A load's fixup begins at the end of what is stored: the source may shrink meanwhile, and what is stored then could not be
 *     read again.
 *   - Loops count, and do not compare with ends: dst + n or src + n may lie beyond the top.
 */
.macro FC_TRY_FUNC op, variant
    .pushsection .rodata
    .p2align 2
    .globl fc_faults_\op\()_\variant
    .hidden fc_faults_\op\()_\variant
    .type fc_faults_\op\()_\variant, @object
fc_faults_\op\()_\variant:
    .popsection
    FC_FUNC \op, \variant
.endm

.macro FC_TRY_END op, variant
    FC_END  \op, \variant
    .pushsection .rodata
    .long   0, 0
    .size fc_faults_\op\()_\variant, . - fc_faults_\op\()_\variant
    .popsection
.endm

.macro FC_TRY fixup, instruction:vararg
.Ltry_\@:
    \instruction
    .pushsection .rodata
    .long   .Ltry_\@ - ., \fixup - .
    .popsection
.endm

/*
 * A place inside a function that other kernels of ours jump to (never call): hidden, no ENDBR64 since
 * the jumps are direct.
 */
.macro FC_JOIN name, variant
    .globl fc_\name\()_\variant
    .hidden fc_\name\()_\variant
fc_\name\()_\variant:
.endm

/* A target of an indirect jump. */
.macro FC_LANDING
    endbr64
.endm

.macro FC_GOTO name, variant
    jmp     fc_\name\()_\variant
.endm

.macro FC_CODE_ALIGN log2
    .p2align \log2
.endm

.macro FC_LOOP_ALIGN
    FC_CODE_ALIGN 6
.endm

/* Where the sizes part: at 16 bytes, 64-byte copies took 8 ns, at 64 bytes 6.9 (Emerald Rapids, ping). */
.macro FC_TARGET_ALIGN
    FC_CODE_ALIGN 6
.endm

.macro FC_BLOCK_ALIGN
    FC_CODE_ALIGN 4
.endm

/*
 * The entries of a memmove kernel. Both put the result into rax and go on at .Lcopy, with rdi, rsi, rdx
 * as at the call; the code that follows ends with FC_END memmove, \variant.
 */
.macro FC_MEMMOVE_ENTRIES variant
    FC_FUNC mempcpy, \variant, 4
    lea     (%rdi,%rdx), %rax
    jmp     .Lcopy
    FC_END  mempcpy, \variant
    FC_FUNC memmove, \variant
    FC_ALIAS memcpy, memmove, \variant
    mov     %rdi, %rax
    FC_JOIN memmove_body, \variant
.Lcopy:
.endm

/* A page kernel's first words: in a debug build, both pointers (or rdi alone) must be aligned. */
.macro FC_CHECK_PAGE reg
#ifndef NDEBUG
    test    $4095, \reg
    jnz     fc_page_misaligned
#endif
.endm

.macro FC_COPY_PAGE variant
    FC_FUNC copy_page, \variant
    FC_CHECK_PAGE %edi
    FC_CHECK_PAGE %esi
.endm

.macro FC_CLEAR_PAGE variant
    FC_FUNC clear_page, \variant
    FC_CHECK_PAGE %edi
.endm

/* Ends a page kernel; a streaming one is the _nt operation's, too. */
.macro FC_END_PAGE op, variant, streams
    FC_END  \op, \variant
    .if \streams
    FC_ALIAS \op\()_nt, \op, \variant
    .endif
.endm

/*
 * Goes to `target` if reg >= the threshold, where 0 means never: 0 - 1 is the largest number.
 */
.macro FC_AT_LEAST reg, threshold, target, scratch
    mov     fc_\threshold(%rip), \scratch
    dec     \scratch
    cmp     \scratch, \reg
    ja      \target
.endm

#endif
