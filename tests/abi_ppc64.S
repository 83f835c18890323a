/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * void abi_call(struct abi_call *call): calls call->function with everything that it must preserve set to
 * known values, and writes down what it left. It judges nothing and always returns: test_abi.c asserts.
 *
 * And offenders, each a copy that breaks one rule, to prove that each check works.
 */
#include "asm.h"
#include "abi_ppc64.h"

    .machine power7

.macro FUNCTION name
    .text
    .p2align 4
.Lcode_\name:
    FC_NAME \name, .Lcode_\name
    .hidden \name
    .cfi_startproc
.endm

.macro END name
    .cfi_endproc
    .size \name, . - .Lcode_\name
.endm

/* No register can be trusted after the call, r1 and r2 included: the way back is in memory, found by where we are. */
    .local kept
    .comm kept, 32, 8 /* the call, r1, r2, r13 */

.macro ADDRESS_OF_KEPT register
    bcl     20, 31, .Lhere_\@
.Lhere_\@:
    mflr    \register
    addis   \register, \register, (kept - .Lhere_\@)@ha
    addi    \register, \register, (kept - .Lhere_\@)@l
.endm

/* The registers that are watched, to or from `base`, r0 scratch. */
.macro EACH general, float, at, base
    .irp i, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    \general \i, \at + 8 * (\i - 14)(\base)
    \float  \i, \at + 8 * (ABI_GENERAL_COUNT + \i - 14)(\base)
    .endr
.endm

.macro EACH_VECTOR instruction, at, base
    .irp i, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    li      r0, \at + 8 * (ABI_GENERAL_COUNT + ABI_FLOAT_COUNT) + 16 * (\i - 20)
    \instruction \i, \base, r0
    .endr
.endm

#define FRAME 704
#define SAVED_AT 160

    FUNCTION abi_call
    mflr    r0
    std     r0, 16(1)
    mfcr    r0
    std     r0, 8(1)
    stdu    1, -FRAME(1)
    .cfi_def_cfa_offset FRAME
    .cfi_offset 65, 16
    EACH    std, stfd, SAVED_AT, 1
    mffs    f0
    stfd    f0, 144(1)

    mr      r12, r3
    ADDRESS_OF_KEPT r11
    std     r12, 0(r11)
    std     1, 8(r11)
    std     2, 16(r11)
    std     13, 24(r11)
    ld      r0, ABI_HAS_VECTORS(r12)
    cmpldi  r0, 0
    beq     .Lno_vectors
    EACH_VECTOR stvx, SAVED_AT, 1
    EACH_VECTOR lvx, ABI_POISON, r12
    mfspr   r0, 256
    stw     r0, ABI_VECTOR_STATE(r12)
    mfvscr  v0
    addi    r11, r12, ABI_BELOW /* what comes out there is read from there */
    stvx    v0, 0, r11
    lwz     r0, 12(r11)
#ifdef __LITTLE_ENDIAN__
    lwz     r0, 0(r11)
#endif
    stw     r0, ABI_VECTOR_STATE + 8(r12)
.Lno_vectors:
    li      r0, ABI_BELOW_SIZE / 8
    mtctr   r0
    li      r0, ABI_BELOW_POISON
    mr      r11, 1
.Lpoison_below:
    stdu    r0, -8(r11)
    bdnz    .Lpoison_below
    mtfsfi  7, 1                        /* rounds to zero */
    mffs    f0
    stfd    f0, ABI_FPSCR(r12)
    ld      r0, ABI_CR(r12)
    mtcrf   0x38, r0
    EACH    ld, lfd, ABI_POISON, r12
    ld      r3, ABI_ARGUMENTS(r12)
    ld      r4, ABI_ARGUMENTS + 8(r12)
    ld      r5, ABI_ARGUMENTS + 16(r12)
    ld      r12, ABI_FUNCTION(r12)
#if _CALL_ELF != 2
    ld      2, 8(r12)
    ld      r12, 0(r12)
#endif
    mtctr   r12
    bctrl

    mfcr    r0
    ADDRESS_OF_KEPT r11
    ld      r12, 0(r11)
    std     r0, ABI_CR + 8(r12)
    EACH    std, stfd, ABI_SAVED, r12
    ld      r3, 8(r11)
    sub     r4, 1, r3
    mr      1, r3
    std     r4, ABI_MOVED(r12)
    ld      r3, 16(r11)
    sub     r4, 2, r3
    mr      2, r3
    std     r4, ABI_MOVED + 8(r12)
    ld      r3, 24(r11)
    sub     r4, 13, r3
    mr      13, r3
    std     r4, ABI_MOVED + 16(r12)
    mffs    f0
    stfd    f0, ABI_FPSCR + 8(r12)

    ld      r0, ABI_HAS_VECTORS(r12)
    cmpldi  r0, 0
    beq     .Lno_vectors_after
    EACH_VECTOR stvx, ABI_SAVED, r12
    mfspr   r0, 256
    stw     r0, ABI_VECTOR_STATE + 4(r12)
    mfvscr  v0
    addi    r11, r12, ABI_BELOW
    stvx    v0, 0, r11
    lwz     r0, 12(r11)
#ifdef __LITTLE_ENDIAN__
    lwz     r0, 0(r11)
#endif
    stw     r0, ABI_VECTOR_STATE + 12(r12)
    lwz     r0, ABI_VECTOR_STATE(r12)
    mtspr   256, r0
    EACH_VECTOR lvx, SAVED_AT, 1
.Lno_vectors_after:
    li      r0, ABI_BELOW_SIZE / 8
    mtctr   r0
    mr      r4, 1
    addi    r5, r12, ABI_BELOW + ABI_BELOW_SIZE
.Lread_below:
    ldu     r0, -8(r4)
    stdu    r0, -8(r5)
    bdnz    .Lread_below

    lfd     f0, 144(1)
    mtfsf   255, f0
    EACH    ld, lfd, SAVED_AT, 1
    addi    1, 1, FRAME
    .cfi_def_cfa_offset 0
    ld      r0, 8(1)
    mtcrf   0x38, r0
    ld      r0, 16(1)
    mtlr    r0
    .cfi_restore 65
    blr
    END abi_call

/* ---- offenders ------------------------------------------------------------------------------ */

/* What they do besides: a memmove of r5 bytes, upwards. r6 is the end of dst afterwards. */
.macro COPY
    mr      r6, r3
    cmpldi  r5, 0
    mtctr   r5
    beq     2f
1:  lbz     r7, 0(r4)
    addi    r4, r4, 1
    stb     r7, 0(r6)
    addi    r6, r6, 1
    bdnz    1b
2:
.endm

    /* No offence: the checks must not find fault with everything. */
    FUNCTION abi_good
    COPY
    blr
    END abi_good

    .irp i, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    FUNCTION abi_bad_r\i
    COPY
    mr      \i, r6
    blr
    END abi_bad_r\i

    FUNCTION abi_bad_f\i
    COPY
    std     r6, -8(r6)
    lfd     \i, -8(r6)
    blr
    END abi_bad_f\i
    .endr

    .irp i, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    FUNCTION abi_bad_v\i
    COPY
    vspltisb \i, 1
    blr
    END abi_bad_v\i
    .endr

    /* Each bit of it flipped. */
    .irp i, 2, 3, 4
    FUNCTION abi_bad_cr\i
    COPY
    mfcr    r0
    not     r0, r0
    mtcrf   1 << (7 - \i), r0
    blr
    END abi_bad_cr\i
    .endr

    FUNCTION abi_bad_r1
    COPY
    addi    1, 1, -16
    blr
    END abi_bad_r1

    FUNCTION abi_bad_r2
    COPY
    addi    2, 2, 8
    blr
    END abi_bad_r2

    FUNCTION abi_bad_r13
    COPY
    addi    13, 13, 8
    blr
    END abi_bad_r13

    FUNCTION abi_bad_vrsave
    COPY
    mfspr   r0, 256
    not     r0, r0
    mtspr   256, r0
    blr
    END abi_bad_vrsave

    /* Saturation, which stays until it is taken back. */
    FUNCTION abi_bad_vscr
    COPY
    vspltisw v0, -1
    vadduws v0, v0, v0
    blr
    END abi_bad_vscr

    FUNCTION abi_bad_fpscr
    COPY
    mtfsfi  7, 0
    blr
    END abi_bad_fpscr

    FUNCTION abi_bad_below_near
    COPY
    std     r6, -8(1)
    blr
    END abi_bad_below_near

    FUNCTION abi_bad_below_far
    COPY
    std     r6, -1000(1)
    blr
    END abi_bad_below_far

    /*
     * Keeps 8 bytes of the source further below the stack pointer than the 288 that are its own, in many places, for long enough
     * that a signal comes by; what is left of them it stores.
     */
    FUNCTION abi_bad_scratch
    cmpldi  r5, 8
    blt     .Lscratch_short
    ld      r7, 0(r4)
    addi    r4, r4, 8
    li      r8, 64
    mtctr   r8
    addi    r9, 1, -600
.Lscratch_keep:
    stdu    r7, -64(r9)
    bdnz    .Lscratch_keep
    li      r8, 20000
    mtctr   r8
.Lscratch_wait:
    bdnz    .Lscratch_wait
    li      r8, 64
    mtctr   r8
    addi    r9, 1, -600
.Lscratch_read:
    ldu     r8, -64(r9)
    and     r7, r7, r8
    bdnz    .Lscratch_read
    mr      r10, r3
    std     r7, 0(r3)
    addi    r3, r3, 8
    addi    r5, r5, -8
    COPY
    mr      r3, r10
    blr
.Lscratch_short:
    COPY
    blr
    END abi_bad_scratch
