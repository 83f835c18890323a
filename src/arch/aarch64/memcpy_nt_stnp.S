/* SPDX-License-Identifier: MIT */
/*
 * memcpy_nt by stnp: a hint that dst is not read soon.
 *
 * Contract   void *memcpy_nt(void *dst, const void *src, size_t n); any overlap; stnp is ordered as any store
 * Needs      ASIMD
 *
 * Algorithm  below 4096 bytes (a round figure, not measured), and backward: memmove's asimd kernel; else nt_loop.inc
 *
 * Registers  as memmove_asimd.inc
 */
#include "asm.h"

    FC_FUNC memcpy_nt, stnp
    cmp     x2, 4096
    b.lo    .Lordinary
    sub     x6, x0, x1
    cmp     x6, x2
    b.lo    .Lordinary
    add     x4, x1, x2
    add     x5, x0, x2
#define L(name) .L##name
#define RETURN ret
#include "nt_loop.inc"
.Lordinary:
    FC_GOTO memmove, asimd
    FC_END  memcpy_nt, stnp
