/* SPDX-License-Identifier: MIT */
/*
 * memset as plain rep stosb.
 *
 * Contract   void *memset(void *dst, int c, size_t n)
 * Needs      nothing to be right; fast with ERMS
 *
 * Slow       with n = 0, or near an absent or protected page: 17 to 24 times (measured on Emerald Rapids)
 *
 * Registers  rax c, rdi dst, rdx n, rcx count, r8 result
 */
#include "asm.h"

    FC_FUNC memset, erms
    mov     %rdi, %r8
    movzbl  %sil, %eax
    mov     %rdx, %rcx
    rep stosb
    mov     %r8, %rax
    ret
    FC_END  memset, erms
