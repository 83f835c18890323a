/* SPDX-License-Identifier: MIT */
/*
 * memmove as plain rep movsb: the processor's own copy.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); mempcpy returns dst + n. Any overlap.
 * Needs      nothing to be right; fast with ERMS, for short copies with FSRM. Aligned words may be torn.
 *            [Intel 64 and IA-32 Architectures Optimization Reference Manual, "Enhanced REP MOVSB"]
 *
 * Slow       where dst - src is 1 to 63 above a multiple of 4 GiB (measured on Emerald Rapids: 13 to 38
 *            times); the vector kernels avoid rep movsb there, this one is rep movsb and nothing else
 *
 * Algorithm
 *   dst not inside [src, src + n)   rep movsb
 *   else                            backward, which rep movsb does byte by byte: the sse2 kernel
 *
 * Registers  rax result, rdi dst, rsi src, rdx n, rcx count, r8 scratch
 */
#include "asm.h"

    FC_MEMMOVE_ENTRIES erms
    mov     %rdi, %r8
    sub     %rsi, %r8                   /* dst - src */
    cmp     %rdx, %r8
    jb      .Lbackward
    mov     %rdx, %rcx
    rep movsb
    ret
.Lbackward:
    FC_GOTO memmove_body, sse2
    FC_END  memmove, erms
