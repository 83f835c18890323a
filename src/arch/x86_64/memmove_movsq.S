/* SPDX-License-Identifier: MIT */
/*
 * memmove as rep movsq: fast before ERMS where source and destination agree modulo 8.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); mempcpy returns dst + n. Any overlap.
 * Needs      nothing
 *
 * Algorithm
 *   0 to 31                         copy_0_31.inc
 *   dst not inside [src, src + n)   rep movsq to a destination aligned to 8; the first and the last
 *                                   8 bytes are loaded before it and stored after it
 *   else                            backward, which rep movsq does word by word: the sse2 kernel
 *
 * Registers  rax result, rdi dst, rsi src, rdx n, rcx count
 *            r8 scratch, r9 and r10 the first and last 8 bytes, r11 dst, rdx the place of the last 8
 */
#include "asm.h"

    FC_MEMMOVE_ENTRIES movsq
    cmp     $32, %rdx
    jb      .Lcopy_0_31
    mov     %rdi, %r8
    sub     %rsi, %r8                   /* dst - src */
    cmp     %rdx, %r8
    jb      .Lbackward
    mov     (%rsi), %r9
    mov     -8(%rsi,%rdx), %r10
    mov     %rdi, %r11
    lea     -8(%rdi,%rdx), %rdx
    sub     %rdi, %rsi                  /* src - dst */
    add     $8, %rdi
    and     $-8, %rdi                   /* 1 to 8 bytes on */
    add     %rdi, %rsi
    mov     %rdx, %rcx
    sub     %rdi, %rcx
    add     $7, %rcx
    shr     $3, %rcx                    /* as many words as begin before the last 8 bytes do */
    rep movsq
    mov     %r10, (%rdx)
    mov     %r9, (%r11)
    ret
.Lbackward:
    FC_GOTO memmove_body, sse2

.Lcopy_0_31:
    cmp     $8, %edx
    jb      .Lcopy_0_7
#include "copy_0_31.inc"
    FC_END  memmove, movsq
