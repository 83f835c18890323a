/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * void abi_call(struct abi_call *call): calls call->function with everything that it must preserve set to
 * known values, and writes down what it left. It judges nothing and always returns: test_abi.c asserts.
 *
 * And offenders, each a copy that breaks one rule, to prove that each check works.
 */
#include "asm.h"
#include "abi_aarch64.h"

.macro FUNCTION name
    .text
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint    34                          /* bti c */
.endm

.macro END name
    .cfi_endproc
    .size \name, . - \name
.endm

/* No register can be trusted after the call, sp included: the way back is in memory. */
    .local current_call, current_sp
    .comm current_call, 8, 8
    .comm current_sp, 8, 8

.macro LOAD register, name
    adrp    \register, \name
    ldr     \register, [\register, :lo12:\name]
.endm

.macro STORE register, name, scratch
    adrp    \scratch, \name
    str     \register, [\scratch, :lo12:\name]
.endm

/* The registers that are watched, to or from `at` above `base`. */
.macro EACH pair, base, at
    \pair   x18, x19, [\base, \at]
    \pair   x20, x21, [\base, \at + 16]
    \pair   x22, x23, [\base, \at + 32]
    \pair   x24, x25, [\base, \at + 48]
    \pair   x26, x27, [\base, \at + 64]
    \pair   x28, x29, [\base, \at + 80]
    \pair   d8, d9, [\base, \at + 96]
    \pair   d10, d11, [\base, \at + 112]
    \pair   d12, d13, [\base, \at + 128]
    \pair   d14, d15, [\base, \at + 144]
.endm

    FUNCTION abi_call
    sub     sp, sp, 192
    .cfi_adjust_cfa_offset 192
    EACH    stp, sp, 0
    .irp i, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    .cfi_rel_offset x\i, 8 * (\i - 18)
    .endr
    str     x30, [sp, 160]
    .cfi_rel_offset x30, 160
    mrs     x9, fpcr
    mrs     x10, fpsr
    stp     x9, x10, [sp, 176]
    STORE   x0, current_call, x9
    mov     x10, sp
    STORE   x10, current_sp, x9

    mov     w9, ABI_BELOW_POISON
    sub     x11, x10, ABI_BELOW_SIZE
.Lpoison_below:
    str     x9, [x11], 8
    cmp     x11, x10
    b.lo    .Lpoison_below

    mov     x16, x0
    ldr     x9, [x16, ABI_FPCR]
    msr     fpcr, x9
    ldr     x9, [x16, ABI_FPSR]
    msr     fpsr, x9
    EACH    ldp, x16, ABI_POISON
    ldp     x0, x1, [x16, ABI_ARGUMENTS]
    ldr     x2, [x16, ABI_ARGUMENTS + 16]
    ldr     x16, [x16, ABI_FUNCTION]
    blr     x16

    /* First what the next instructions would change. */
    LOAD    x9, current_call
    EACH    stp, x9, ABI_SAVED
    mov     x10, sp
    LOAD    x11, current_sp
    mov     sp, x11
    sub     x10, x10, x11
    str     x10, [x9, ABI_SP_MOVED]
    sub     x12, x11, ABI_BELOW_SIZE
    add     x13, x9, ABI_BELOW
.Lread_below:
    ldr     x14, [x12], 8
    str     x14, [x13], 8
    cmp     x12, x11
    b.lo    .Lread_below
    mrs     x10, fpcr
    str     x10, [x9, ABI_FPCR + 8]
    mrs     x10, fpsr
    str     x10, [x9, ABI_FPSR + 8]

    ldp     x9, x10, [sp, 176]
    msr     fpcr, x9
    msr     fpsr, x10
    EACH    ldp, sp, 0
    ldr     x30, [sp, 160]
    add     sp, sp, 192
    .cfi_adjust_cfa_offset -192
    ret
    END abi_call

/* ---- offenders ------------------------------------------------------------------------------ */

/* What they do besides: a memmove of n bytes, upwards. x3 is the end of dst afterwards. */
.macro COPY
    mov     x3, x0
    cbz     x2, 2f
1:  ldrb    w4, [x1], 1
    strb    w4, [x3], 1
    subs    x2, x2, 1
    b.ne    1b
2:
.endm

    /* No offence: the checks must not find fault with everything. */
    FUNCTION abi_good
    COPY
    ret
    END abi_good

    FUNCTION abi_good_upper
    COPY
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    mov     v\i\().d[1], x3
    .endr
    ret
    END abi_good_upper

    .irp i, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    FUNCTION abi_bad_x\i
    COPY
    mov     x\i, x3
    ret
    END abi_bad_x\i
    .endr

    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    FUNCTION abi_bad_d\i
    COPY
    fmov    d\i, x3
    ret
    END abi_bad_d\i
    .endr

    FUNCTION abi_bad_sp
    COPY
    sub     sp, sp, 16
    ret
    END abi_bad_sp

    FUNCTION abi_bad_fpcr
    COPY
    msr     fpcr, xzr
    ret
    END abi_bad_fpcr

    FUNCTION abi_bad_fpsr
    COPY
    msr     fpsr, xzr
    ret
    END abi_bad_fpsr

    FUNCTION abi_bad_below_near
    COPY
    str     x3, [sp, -8]
    ret
    END abi_bad_below_near

    FUNCTION abi_bad_below_far
    COPY
    sub     x4, sp, 1000
    str     x3, [x4]
    ret
    END abi_bad_below_far

    /*
     * Keeps 8 bytes of the source below the stack pointer for long enough that a signal comes by. That has its frame record
     * there; below it much is reserved and not written.
     */
    FUNCTION abi_bad_scratch
    cmp     x2, 8
    b.lo    .Lscratch_short
    ldr     x4, [x1], 8
    str     x4, [sp, -16]
    mov     w5, 20000
.Lscratch_wait:
    subs    w5, w5, 1
    b.ne    .Lscratch_wait
    ldr     x4, [sp, -16]
    mov     x6, x0
    str     x4, [x0], 8
    sub     x2, x2, 8
    COPY
    mov     x0, x6
    ret
.Lscratch_short:
    COPY
    ret
    END abi_bad_scratch
