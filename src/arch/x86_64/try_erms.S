/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy as plain rep movsb, try_memset as plain rep stosb: what is left is in rcx.
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward, byte
 *            by byte, which is what rep movsb is defined to do.
 *            size_t try_memset(void *dst, int c, size_t n): what was not set
 * Needs      nothing to be right; fast with ERMS, for short copies with FSRM
 *
 * At a fault the registers are as after the last byte that was copied [Intel SDM 1, "Repeating String Operations"].
 *
 * Registers  rdi dst, rsi src or c, rdx n; rcx what is left, rax what rep stosb stores
 */
#include "asm.h"

    FC_TRY_FUNC try_memcpy, erms
    mov     %rdx, %rcx
    FC_TRY  .Lcopy_left, rep movsb
.Lcopy_left:
    mov     %rcx, %rax
    ret
    FC_TRY_END try_memcpy, erms

    FC_TRY_FUNC try_memset, erms
    mov     %esi, %eax
    mov     %rdx, %rcx
    FC_TRY  .Lset_left, rep stosb
.Lset_left:
    mov     %rcx, %rax
    ret
    FC_TRY_END try_memset, erms
