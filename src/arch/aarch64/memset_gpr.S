/* SPDX-License-Identifier: MIT */
/*
 * memset through general registers.
 *
 * Contract   void *memset(void *dst, int c, size_t n)
 * Needs      nothing
 *
 * Algorithm
 *   0 to 15      two pieces of 8, 4 or 2 bytes from both ends, or one byte
 *   16 to 64     pieces of 16 or 32 bytes from both ends
 *   above        the first 16 bytes, then 64 a turn to a destination aligned to 16, the last 64 from the end
 *
 * Registers  x0 dst and result, x1 the byte everywhere, x2 n, x3 place in dst, x4 end of dst, x5 scratch
 */
#include "asm.h"

    FC_FUNC memset, gpr
    and     w1, w1, 255
    add     x4, x0, x2
    orr     w1, w1, w1, lsl 8
    orr     w1, w1, w1, lsl 16
    orr     x1, x1, x1, lsl 32
    cmp     x2, 16
    b.lo    .Lset_0_15
    stp     x1, x1, [x0]
    cmp     x2, 64
    b.hi    .Lset_65_up
    cmp     x2, 32
    b.hi    .Lset_33_64
    stp     x1, x1, [x4, -16]
    ret
.Lset_33_64:
    stp     x1, x1, [x0, 16]
    stp     x1, x1, [x4, -32]
    stp     x1, x1, [x4, -16]
    ret

    FC_LOOP_BLOCK .Lset_65_up, .Lset_turn
.Lset_65_up:
    add     x3, x0, 16
    and     x3, x3, -16
    sub     x5, x4, 64                  /* from here on the last 64 bytes */
    cmp     x3, x5
    b.hs    .Lset_end
.Lset_turn:
    stp     x1, x1, [x3], 64
    stp     x1, x1, [x3, -48]
    stp     x1, x1, [x3, -32]
    stp     x1, x1, [x3, -16]
    cmp     x3, x5
    b.lo    .Lset_turn
.Lset_end:
    stp     x1, x1, [x5]
    stp     x1, x1, [x5, 16]
    stp     x1, x1, [x5, 32]
    stp     x1, x1, [x5, 48]
    ret

    FC_BLOCK_ALIGN
.Lset_0_15:
    tbz     x2, 3, .Lset_0_7
    str     x1, [x0]
    str     x1, [x4, -8]
    ret
.Lset_0_7:
    tbz     x2, 2, .Lset_0_3
    str     w1, [x0]
    str     w1, [x4, -4]
    ret
.Lset_0_3:
    cbz     x2, .Lset
    strb    w1, [x0]
    tbz     x2, 1, .Lset
    strh    w1, [x4, -2]
    tbnz    x2, 0, .Lset
    strh    w1, [x0]
.Lset:
    ret
    FC_END  memset, gpr
