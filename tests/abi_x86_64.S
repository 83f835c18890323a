/* SPDX-License-Identifier: MIT */
/*
 * void abi_call(struct abi_call *call): calls call->function with everything that it must preserve set to
 * known values, and writes down what it left. It judges nothing and always returns: test_abi.c asserts.
 *
 * And offenders, each a copy that breaks one rule, to prove that each check works.
 */
#include "asm.h"
#include "abi_x86_64.h"

.macro FUNCTION name
    .text
    .globl \name
    .hidden \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
.endm

.macro END name
    .cfi_endproc
    .size \name, . - \name
.endm

/* No register can be trusted after the call, rsp included: the way back is in memory. */
    .local current_call, current_rsp
    .comm current_call, 8, 8
    .comm current_rsp, 8, 8

    FUNCTION abi_call
    .irp register, rbx, rbp, r12, r13, r14, r15
    push    %\register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
    .endr
    sub     $40, %rsp
    .cfi_adjust_cfa_offset 40
    stmxcsr (%rsp)
    fnstcw  4(%rsp)
    mov     %rdi, current_call(%rip)
    mov     %rsp, current_rsp(%rip)

    /* The callee's red zone begins below the return address. */
    lea     (-8 - ABI_RED_ZONE - ABI_BELOW_SIZE)(%rsp), %rcx
    lea     ABI_BELOW_SIZE(%rcx), %r8
.Lpoison_below:
    movq    $ABI_BELOW_POISON, (%rcx)
    add     $8, %rcx
    cmp     %r8, %rcx
    jb      .Lpoison_below

    /* Clean vector registers: whatever is in the upper halves afterwards, the kernel left there. */
    cmpq    $0, ABI_HAVE_AVX(%rdi)
    je      .Lvectors_clean
    vzeroall
.Lvectors_clean:
    ldmxcsr ABI_MXCSR(%rdi)
    fninit
    fldcw   ABI_X87_CW(%rdi)

    mov     %rdi, %rax
    mov     ABI_POISON(%rax), %rbx
    mov     (ABI_POISON + 8)(%rax), %rbp
    mov     (ABI_POISON + 16)(%rax), %r12
    mov     (ABI_POISON + 24)(%rax), %r13
    mov     (ABI_POISON + 32)(%rax), %r14
    mov     (ABI_POISON + 40)(%rax), %r15
    mov     ABI_ARGUMENTS(%rax), %rdi
    mov     (ABI_ARGUMENTS + 8)(%rax), %rsi
    mov     (ABI_ARGUMENTS + 16)(%rax), %rdx
    /* These may hold anything at a call: let them. */
    .irp register, rcx, r8, r9, r10, r11
    mov     %rbx, %\register
    .endr
    call    *ABI_FUNCTION(%rax)

    /* First what the next instructions would change. */
    mov     %rax, %rcx
    mov     current_call(%rip), %rax
    mov     %rbx, ABI_SAVED(%rax)
    mov     %rbp, (ABI_SAVED + 8)(%rax)
    mov     %r12, (ABI_SAVED + 16)(%rax)
    mov     %r13, (ABI_SAVED + 24)(%rax)
    mov     %r14, (ABI_SAVED + 32)(%rax)
    mov     %r15, (ABI_SAVED + 40)(%rax)
    mov     %rcx, ABI_RESULT(%rax)
    mov     %rsp, %rcx
    mov     current_rsp(%rip), %rsp
    sub     %rsp, %rcx
    mov     %rcx, ABI_RSP_MOVED(%rax)
    lea     (-8 - ABI_RED_ZONE - ABI_BELOW_SIZE)(%rsp), %rsi
    mov     %rax, %rdi
    mov     %rsi, %rcx
    /* DF may be set: no string instruction, and no push before the area below is read. */
    lea     ABI_BELOW(%rax), %r8
    mov     $(ABI_BELOW_SIZE / 8), %edx
.Lread_below:
    mov     (%rcx), %r9
    mov     %r9, (%r8)
    add     $8, %rcx
    add     $8, %r8
    dec     %edx
    jnz     .Lread_below
    pushfq
    pop     ABI_RFLAGS(%rdi)
    cld
    stmxcsr (ABI_MXCSR + 4)(%rdi)
    ldmxcsr (%rsp)
    fnstcw  (ABI_X87_CW + 2)(%rdi)
    fnstenv 8(%rsp)
    movzwl  16(%rsp), %ecx
    mov     %cx, ABI_X87_TAG(%rdi)
    fninit
    fldcw   4(%rsp)

    cmpq    $0, ABI_HAVE_XINUSE(%rdi)
    je      .Lno_xinuse
    mov     $1, %ecx
    xgetbv
    mov     %eax, ABI_XINUSE(%rdi)
.Lno_xinuse:
    cmpq    $0, ABI_HAVE_AVX(%rdi)
    je      .Lno_avx
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vextractf128 $1, %ymm\i, (ABI_YMM + 16 * \i)(%rdi)
    .endr
    cmpq    $0, ABI_HAVE_AVX512(%rdi)
    je      .Lno_avx512
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vextractf64x4 $1, %zmm\i, (ABI_ZMM + 32 * \i)(%rdi)
    .endr
.Lno_avx512:
    vzeroupper
.Lno_avx:
    add     $40, %rsp
    .cfi_adjust_cfa_offset -40
    .irp register, r15, r14, r13, r12, rbp, rbx
    pop     %\register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
    .endr
    ret
    END abi_call

/* ---- offenders ------------------------------------------------------------------------------ */

/* What they do besides: a memmove of n bytes, upwards. */
.macro COPY
    mov     %rdi, %rax
    mov     %rdx, %rcx
    rep movsb
.endm

    /* No offence: the checks must not find fault with everything. */
    FUNCTION abi_good
    COPY
    ret
    END abi_good

.macro OFFEND_REGISTER register
    FUNCTION abi_bad_\register
    COPY
    lea     1(%rdi), %\register
    ret
    END abi_bad_\register
.endm
    OFFEND_REGISTER rbx
    OFFEND_REGISTER rbp
    OFFEND_REGISTER r12
    OFFEND_REGISTER r13
    OFFEND_REGISTER r14
    OFFEND_REGISTER r15

    FUNCTION abi_bad_rsp
    COPY
    ret     $16
    END abi_bad_rsp

    FUNCTION abi_bad_direction
    COPY
    std
    ret
    END abi_bad_direction

    FUNCTION abi_bad_mxcsr
    COPY
    movl    $0x1f80, -8(%rsp)
    ldmxcsr -8(%rsp)
    ret
    END abi_bad_mxcsr

    FUNCTION abi_bad_x87_control
    COPY
    fninit
    ret
    END abi_bad_x87_control

    FUNCTION abi_bad_mmx
    COPY
    movq    (%rax), %mm0                /* without emms */
    ret
    END abi_bad_mmx

    FUNCTION abi_bad_below_near
    COPY
    mov     %rdi, -136(%rsp)            /* the first 8 bytes below the red zone */
    ret
    END abi_bad_below_near

    FUNCTION abi_bad_below_far
    COPY
    mov     %rdi, -1024(%rsp)
    ret
    END abi_bad_below_far

    FUNCTION abi_bad_ymm
    vmovups (%rsi), %ymm15              /* without vzeroupper */
    COPY
    ret
    END abi_bad_ymm

    FUNCTION abi_bad_zmm
    mov     $0xf0, %ecx
    kmovw   %ecx, %k1
    vmovupd (%rsi), %zmm3{%k1}{z}       /* the upper half of zmm3, nothing else */
    COPY
    ret
    END abi_bad_zmm

    /*
     * Keeps 8 bytes of the source below the red zone for long enough that a signal comes by: in many places, since much of a
     * signal's frame is reserved and not written (8 KiB of it for AMX).
     */
    FUNCTION abi_bad_scratch
    cmp     $8, %rdx
    jb      .Lscratch_short
    mov     (%rsi), %r8
    mov     $256, %ecx
    lea     -256(%rsp), %r9
.Lscratch_keep:
    mov     %r8, (%r9)
    sub     $64, %r9
    dec     %ecx
    jnz     .Lscratch_keep
    mov     $20000, %ecx
.Lscratch_wait:
    pause
    dec     %ecx
    jnz     .Lscratch_wait
    mov     $256, %ecx
.Lscratch_read:
    add     $64, %r9
    and     (%r9), %r8
    dec     %ecx
    jnz     .Lscratch_read
    mov     %r8, (%rdi)
    mov     %rdi, %rax
    lea     8(%rdi), %rdi
    lea     8(%rsi), %rsi
    lea     -8(%rdx), %rcx
    rep movsb
    ret
.Lscratch_short:
    COPY
    ret
    END abi_bad_scratch
