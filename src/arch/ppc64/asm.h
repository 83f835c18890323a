/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Assembly for ppc64, big-endian ELFv1 and little-endian ELFv2: the only place with bare directives (kernels
 * may define macros of these).
 *
 *     FC_FUNC memmove, gen ... FC_END memmove, gen
 *
 * defines fastcopy_memmove_gen (exported) and fc_memmove_gen (hidden; calls within the library go there), with
 * alignment, type, size and CFI. ELFv1: both names are descriptors in .opd; the code has no name of its own.
 * ELFv2: the local entry is the global one, since no kernel looks at its TOC.
 *
 * Kernels are leaf code: no stack frame, no callee-saved registers, no TOC, arguments in r3 (dst), r4 (src; r4
 * memset's byte), r5 (n), result in r3. Free registers: r0, r3 to r12, cr0, cr1, cr5 to cr7, ctr, xer, f0 to f13,
 * v0 to v19 (vs32 to vs51). Not r2 (TOC), r13 (thread), vrsave. Nothing is kept below the stack pointer.
 */
#ifndef FC_ASM_H
#define FC_ASM_H

#if _CALL_ELF == 2
    .abiversion 2
#endif
.pushsection .note.GNU-stack, "", @progbits
.popsection

/* gas knows registers by their numbers alone. */
#define r0 0
#define r3 3
#define r4 4
#define r5 5
#define r6 6
#define r7 7
#define r8 8
#define r9 9
#define r10 10
#define r11 11
#define r12 12

.macro FC_NAME name, code
    .globl \name
    .type \name, @function
#if _CALL_ELF == 2
    .set \name, \code
    .localentry \name, 0
#else
    .pushsection .opd, "aw"
    .p2align 3
\name:
    .quad \code, .TOC.@tocbase, 0
    .popsection
#endif
.endm

.macro FC_NAME_END name, code, end
    .size \name, \end - \code
.endm

.macro FC_FUNC op, variant, align=5
    .text
    .p2align \align
.Lcode_\op\()_\variant:
    FC_NAME fc_\op\()_\variant, .Lcode_\op\()_\variant
    .hidden fc_\op\()_\variant
    FC_NAME fastcopy_\op\()_\variant, .Lcode_\op\()_\variant
    .cfi_startproc
.endm

.macro FC_END op, variant
    .cfi_endproc
.Lend_\op\()_\variant:
    FC_NAME_END fc_\op\()_\variant, .Lcode_\op\()_\variant, .Lend_\op\()_\variant
    FC_NAME_END fastcopy_\op\()_\variant, .Lcode_\op\()_\variant, .Lend_\op\()_\variant
.endm

/* A second name for a function that FC_FUNC began, after its FC_END; with ELFv1 for its descriptor, so that both
 * have one address. */
.macro FC_ALIAS op, target, variant
    FC_SECOND_NAME fc_\op\()_\variant, fc_\target\()_\variant, \target\()_\variant
    .hidden fc_\op\()_\variant
    FC_SECOND_NAME fastcopy_\op\()_\variant, fastcopy_\target\()_\variant, \target\()_\variant
.endm

.macro FC_SECOND_NAME name, first, label
    .globl \name
    .type \name, @function
    .set \name, \first
    FC_NAME_END \name, .Lcode_\label, .Lend_\label
.endm

/*
 * Kernels that survive a bad address:
 *
 *     FC_TRY_FUNC try_memcpy, gen ... FC_TRY_END try_memcpy, gen
 *
 * is FC_FUNC with a table fc_faults_try_memcpy_gen (hidden, in .rodata): for each instruction that may fault its place and
 * that of its fixup, code and not descriptors, both as the distance from the word that holds it; two zeros at the end.
 * FC_TRY puts an instruction there.
 *
 * What makes the count exact and keeps the rest of dst as it was, in each such kernel:
 *   - dst, src and n stay in r3, r4 and r5, so that a fixup needs no more than a place up to which all is stored. From
 *     there it goes on byte by byte, until done or until the byte at fault.
 *   - Stores ascend, each begins where those before it ended, or below, and has behind it the loads of all bytes up to its end.
 *     The first is of one byte. A store that faults may have been performed in part where it crosses a page [Power ISA,
 *     book III, "Partially Executed Instructions"], on either side: with this order the bytes on the good side belong to the
 *     prefix, and the fixup stores them again, for the place that it begins at is no higher than such a store's.
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

/* To another kernel of ours, for good. (ELFv1: the linker goes through the descriptor.) */
.macro FC_GOTO op, variant
    b       fc_\op\()_\variant
.endm

/* Instructions of a newer machine, as gas names it: power7, power8, power9, power10. */
.macro FC_MACHINE name
    .machine \name
.endm

.macro FC_LOOP_ALIGN
    .p2align 5
.endm

.macro FC_BLOCK_ALIGN
    .p2align 4
.endm

/* A page kernel's first words: in a debug build, both pointers (or r3 alone) must be aligned. */
.macro FC_CHECK_PAGE reg
#ifndef NDEBUG
    andi.   0, \reg, 4095
    bne     .Lpage_misaligned
#endif
.endm

#endif
