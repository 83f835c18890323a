/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Assembly for AArch64, AAPCS64: the only place with bare directives (kernels may define macros of
 * these).
 *
 *     FC_FUNC memmove, gpr ... FC_END memmove, gpr
 *
 * defines fastcopy_memmove_gpr (exported) and fc_memmove_gpr (hidden; calls within the library go there,
 * so that they need neither PLT nor GOT), with alignment, type, size, CFI and a landing pad (bti c).
 *
 * Kernels are leaf code: no stack frame, no callee-saved registers, arguments in x0 (dst), x1 (src; w1
 * memset's byte), x2 (n), result in x0. Free registers: x0 to x17 and v0 to v7, v16 to v31, SVE's z and p
 * registers within the same bounds. Not x18: it is the platform's.
 */
#ifndef FC_ASM_H
#define FC_ASM_H

/* What the linker wants to know: every target of an indirect jump has a landing pad (BTI) and no return
 * address is kept in memory unsigned (PAC: leaf code keeps none); no executable stack. */
.pushsection .note.gnu.property, "a", %note
    .p2align 3
    .word 4, 16, 5
    .asciz "GNU"
    .word 0xc0000000, 4, 3, 0
.popsection
.pushsection .note.GNU-stack, "", %progbits
.popsection

.macro FC_FUNC op, variant, align=6
    .text
    .p2align \align
    .globl fc_\op\()_\variant
    .hidden fc_\op\()_\variant
    .type fc_\op\()_\variant, %function
fc_\op\()_\variant:
    .globl fastcopy_\op\()_\variant
    .type fastcopy_\op\()_\variant, %function
fastcopy_\op\()_\variant:
    .cfi_startproc
    hint    34                          /* bti c, by its number for assemblers at armv8-a */
.endm

.macro FC_END op, variant
    .cfi_endproc
.Lend_\op\()_\variant:
    .size fc_\op\()_\variant, . - fc_\op\()_\variant
    .size fastcopy_\op\()_\variant, . - fastcopy_\op\()_\variant
.endm

/* A second name for a function that FC_FUNC began, after its FC_END. */
.macro FC_ALIAS op, target, variant
    .globl fc_\op\()_\variant
    .hidden fc_\op\()_\variant
    .type fc_\op\()_\variant, %function
    .set fc_\op\()_\variant, fc_\target\()_\variant
    .globl fastcopy_\op\()_\variant
    .type fastcopy_\op\()_\variant, %function
    .set fastcopy_\op\()_\variant, fastcopy_\target\()_\variant
    .size fc_\op\()_\variant, .Lend_\target\()_\variant - fc_\target\()_\variant
    .size fastcopy_\op\()_\variant, .Lend_\target\()_\variant - fc_\target\()_\variant
.endm

/*
 * Kernels that survive a bad address:
 *
 *     FC_TRY_FUNC try_memcpy, gpr ... FC_TRY_END try_memcpy, gpr
 *
 * is FC_FUNC with a table fc_faults_try_memcpy_gpr (hidden, in .rodata): for each instruction that may fault its place and
 * that of its fixup, both as the distance from the word that holds it; two zeros at the end. FC_TRY puts an
 * instruction there.
 *
 * What makes the count exact and keeps the rest of dst as it was, in each such kernel:
 *   - dst, src and n stay in x0, x1 and x2, so that a fixup needs no more than a place up to which all is stored. From
 *     there it goes on byte by byte, until done or until the byte at fault.
 *   - Stores ascend, each begins where those before it ended, or below, and has behind it the loads of all bytes up to its end.
 *     The first is of one byte. A store that faults may have been performed in part where it crosses a page [Arm ARM,
 *     "Single-copy atomicity"], on either side: with this order the bytes on the good side belong to the prefix, and the
 *     fixup stores them again, for the place that it begins at is no higher than such a store's.
 *   - A load's fixup begins at the end of what is stored: the source may shrink meanwhile, and what is stored then could not be
 *     read again.
 *   - Loops count, and do not compare with ends: dst + n or src + n may lie beyond the top.
 */
.macro FC_TRY_FUNC op, variant
    .pushsection .rodata
    .p2align 2
    .globl fc_faults_\op\()_\variant
    .hidden fc_faults_\op\()_\variant
    .type fc_faults_\op\()_\variant, %object
fc_faults_\op\()_\variant:
    .popsection
    FC_FUNC \op, \variant
.endm

.macro FC_TRY_END op, variant
    FC_END  \op, \variant
    .pushsection .rodata
    .word   0, 0
    .size fc_faults_\op\()_\variant, . - fc_faults_\op\()_\variant
    .popsection
.endm

.macro FC_TRY fixup, instruction:vararg
.Ltry_\@:
    \instruction
    .pushsection .rodata
    .word   .Ltry_\@ - ., \fixup - .
    .popsection
.endm

/* To another kernel of ours, for good. */
.macro FC_GOTO op, variant
    b       fc_\op\()_\variant
.endm

.macro FC_EXTENSION name
    .arch_extension \name
.endm

.macro FC_LOOP_ALIGN
    .p2align 5
.endm

.macro FC_BLOCK_ALIGN
    .p2align 4
.endm

/* Before the label of a block that falls into a loop: aligns the loop, but pads where nothing runs. */
.macro FC_LOOP_BLOCK block, loop
    .p2align 5
    .fill   ((\block - \loop) & 31) / 4, 4, 0xd503201f /* nop */
.endm

/* A page kernel's first words: in a debug build, both pointers (or x0 alone) must be aligned. */
.macro FC_CHECK_PAGE reg
#ifndef NDEBUG
    tst     \reg, 4095
    b.ne    fc_page_misaligned
#endif
.endm

.macro FC_COPY_PAGE op, variant
    FC_FUNC \op, \variant
    FC_CHECK_PAGE x0
    FC_CHECK_PAGE x1
.endm

.macro FC_CLEAR_PAGE op, variant
    FC_FUNC \op, \variant
    FC_CHECK_PAGE x0
.endm

/*
 * The block that DC ZVA zeroes, into `size`, from DCZID_EL0: DZP (bit 4): prohibited; BS (bits 3 to 0): log2 of its words
 * of 4 bytes, 2 KiB at most [Arm ARM, DCZID_EL0]. To `otherwise` if it is prohibited or the block is not of 16 to
 * 4096 bytes, the sizes that the kernels are made for.
 */
.macro FC_ZVA_SIZE size, scratch, otherwise
    mrs     \scratch, dczid_el0
    tbnz    \scratch, 4, \otherwise
    and     \scratch, \scratch, 15
    sub     \size, \scratch, 2
    cmp     \size, 8
    b.hi    \otherwise
    mov     \size, 4
    lsl     \size, \size, \scratch
.endm

#endif
