/* SPDX-License-Identifier: MIT */
/*
 * memset_nt by stnp: a hint that dst is not read soon.
 *
 * Contract   void *memset_nt(void *dst, int c, size_t n); stnp is ordered as any store
 * Needs      ASIMD
 *
 * Algorithm  below 4096 bytes (a round figure, not measured) memset's asimd kernel; else 64 bytes a turn to a
 *            destination aligned to 64; the first and the last 64 as plain vectors
 *
 * Registers  x0 dst and result, w1 c, x2 n, x3 place in dst, x4 end of dst, x5 scratch; v0 the byte everywhere
 */
#include "asm.h"

    FC_FUNC memset_nt, stnp
    cmp     x2, 4096
    b.lo    .Lordinary
    dup     v0.16b, w1
    add     x4, x0, x2
    stp     q0, q0, [x0]
    stp     q0, q0, [x0, 32]
    add     x3, x0, 64
    and     x3, x3, -64
    sub     x5, x4, 64
    FC_LOOP_ALIGN
.Lset_turn:
    stnp    q0, q0, [x3]
    stnp    q0, q0, [x3, 32]
    add     x3, x3, 64
    cmp     x3, x5
    b.lo    .Lset_turn
    stp     q0, q0, [x5]
    stp     q0, q0, [x5, 32]
    ret

.Lordinary:
    FC_GOTO memset, asimd
    FC_END  memset_nt, stnp
