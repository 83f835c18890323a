/* SPDX-License-Identifier: MIT */
/*
 * memmove for sizes that cannot be foreseen: up to 128 bytes by masked vectors, without a branch that
 * depends on the size.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); mempcpy returns dst + n. Any overlap.
 * Needs      AVX-512F, BW, VL (the avx512 kernel), BMI2
 *
 * Algorithm
 *   0 to 128     two masked vectors, at 0 and at max(n - 64, 0), with one mask: the first min(n, 64) bytes
 *   129 to 512   four pieces of 128 bytes (copy_quad.inc)
 *   above        the avx512 kernel
 *   Edge of a page: what a mask leaves out is not accessed, but where that part lies in a page that is
 *   absent or protected the processor takes an assist: 180 to 200 ns instead of 1 (measured on Zen 5; some
 *   100 to 280 on Emerald Rapids).
 *   So where the first 64 bytes reach beyond the page of src or dst, and n is below 64, the vectors end
 *   with the buffers instead of beginning with them; and where that would reach before the page of the
 *   other one, the avx512 kernel copies. n = 0 goes below the stack pointer.
 *
 * Slow       A masked store is forwarded to no load before it is in the cache, and a masked load gets
 *            nothing forwarded: who reads such a copy at once waits for some 15 cycles, and so does the
 *            copy of what was just written. The avx512 kernel has neither.
 *
 * Registers  rax result, rdi dst, rsi src, rdx n; rcx, r8, r9 scratch; k1 the mask
 */
#include "asm.h"
#include "vec_avx512.inc"
#include "vec.inc"
#include "copy_quad.inc"

/* In the last 63 bytes of a page, so that 64 bytes reach into the next. */
.macro IF_NEAR_PAGE_END pointer, target
    mov     \pointer, %ecx
    and     $4095, %ecx
    cmp     $(4096 - 64), %ecx
    ja      \target
.endm

    FC_MEMMOVE_ENTRIES avx512_masked
    cmp     $128, %rdx
    ja      .Lcopy_129_up
    IF_NEAR_PAGE_END %esi, .Ledge
    IF_NEAR_PAGE_END %edi, .Ledge
.Lfrom_start:
    lea     -128(%rsp), %r8
    lea     -64(%rsp), %r9
    mov     $-1, %rcx
    bzhi    %rdx, %rcx, %rcx            /* the low n bits; all from 64 on */
    kmovq   %rcx, %k1
    cmovz   %r8, %rsi                   /* none: the pointers may be bad */
    cmovz   %r9, %rdi
    xor     %ecx, %ecx
    sub     $64, %rdx
    cmovb   %rcx, %rdx
    vmovdqu8 (%rsi), V0{%k1}{z}
    vmovdqu8 (%rsi,%rdx), V1{%k1}{z}
    vmovdqu8 V0, (%rdi){%k1}
    vmovdqu8 V1, (%rdi,%rdx){%k1}
    ret

    FC_BLOCK_ALIGN
.Lcopy_129_up:
    cmp     $512, %rdx
    ja      .Lcopy_513_up
    COPY_QUAD(128, LOAD_128B, STORE_128B)
    ret
.Lcopy_513_up:
    FC_GOTO memmove_513_up, avx512

    FC_BLOCK_ALIGN
.Ledge:
    cmp     $64, %edx
    jae     .Lfrom_start                /* the mask leaves nothing out */
    test    %edx, %edx
    jz      .Lreturn
    test    $0xfc0, %esi
    jz      .Lplain                     /* in the first 64 bytes of a page */
    test    $0xfc0, %edi
    jz      .Lplain
    mov     $-1, %rcx
    bzhi    %rdx, %rcx, %rcx
    mov     $64, %r8d
    sub     %edx, %r8d
    shlx    %r8, %rcx, %rcx             /* the high n bits */
    kmovq   %rcx, %k1
    vmovdqu8 -64(%rsi,%rdx), V0{%k1}{z}
    vmovdqu8 V0, -64(%rdi,%rdx){%k1}
.Lreturn:
    ret
.Lplain:
    FC_GOTO memmove_body, avx512
    FC_END  memmove, avx512_masked
