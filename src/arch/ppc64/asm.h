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
#define f0 0
#define f1 1
#define f2 2
#define f3 3
#define f4 4
#define f5 5
#define f6 6
#define f7 7
#define f8 8
#define f9 9
#define v0 0
#define v1 1
#define v2 2
#define v3 3
#define v4 4
#define v5 5
#define v6 6
#define v7 7
#define v8 8
#define v9 9
#define v10 10
#define v11 11
#define v12 12
#define v13 13
#define v16 16
#define vs0 0
#define vs1 1
#define vs2 2
#define vs3 3
#define vs4 4
#define vs5 5
#define vs6 6
#define vs7 7

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

/* Before the label of a block that falls into a loop: aligns the loop, but pads where nothing runs. */
.macro FC_LOOP_BLOCK block, loop
    .p2align 5
    .fill   ((\block - \loop) & 31) / 4, 4, 0x60000000 /* nop */
.endm

.macro FC_BLOCK_ALIGN
    .p2align 4
.endm

/*
 * The entries of a memmove kernel around one body: r6 is the destination that moves, r3 the result.
 */
.macro FC_MEMMOVE variant
    FC_FUNC mempcpy, \variant
    mr      r6, r3
    add     r3, r3, r5
    b       .Lbody_\variant
    FC_END  mempcpy, \variant

    FC_FUNC memmove, \variant
    mr      r6, r3
.Lbody_\variant:
.endm

.macro FC_MEMMOVE_END variant
    FC_END  memmove, \variant
    FC_ALIAS memcpy, memmove, \variant
.endm

/* Code that kernels share and jump to: hidden, with no descriptor. */
.macro FC_SHARED name
    .text
    .p2align 5
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

.macro FC_SHARED_END name
    .cfi_endproc
    .size \name, . - \name
.endm

/*
 * The block of dcbz, as measured (arch.h), into `size`, by its distance from here: no TOC. The return address is in
 * `saved` meanwhile. (This form of bcl is no call to the branch predictors [Power ISA, "Branch Conditional"].)
 */
.macro FC_DCBZ_SIZE size, saved
    mflr    \saved
    .cfi_register 65, \saved
    bcl     20, 31, .Lhere_\@
.Lhere_\@:
    mflr    \size
    mtlr    \saved
    .cfi_restore 65
    addis   \size, \size, (fc_dcbz_size - .Lhere_\@)@ha
    addi    \size, \size, (fc_dcbz_size - .Lhere_\@)@l
    ld      \size, 0(\size)
.endm

/* To a C function of ours that does not return. It needs its TOC, whatever r2 is here. */
.macro FC_LEAVE_FOR name
    bcl     20, 31, .Lhere_\@
.Lhere_\@:
    mflr    r12
    addis   r12, r12, (\name - .Lhere_\@)@ha
    addi    r12, r12, (\name - .Lhere_\@)@l
#if _CALL_ELF != 2
    ld      2, 8(r12)
    ld      r12, 0(r12)
#endif
    mtctr   r12
    bctr
.endm

/* A page kernel's first words: in a debug build, both pointers (or r3 alone) must be aligned. */
.macro FC_CHECK_PAGE reg
#ifndef NDEBUG
    andi.   r0, \reg, 4095
    beq+    .Laligned_\@
    FC_LEAVE_FOR fc_page_misaligned
.Laligned_\@:
#endif
.endm

.macro FC_COPY_PAGE op, variant
    FC_FUNC \op, \variant
    FC_CHECK_PAGE r3
    FC_CHECK_PAGE r4
.endm

.macro FC_CLEAR_PAGE op, variant
    FC_FUNC \op, \variant
    FC_CHECK_PAGE r3
.endm

#endif
