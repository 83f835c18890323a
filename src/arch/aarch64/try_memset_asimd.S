/* SPDX-License-Identifier: MIT */
/*
 * try_memset through 16-byte vectors: memset_asimd.inc's sizes, so that it survives a bad address (asm.h).
 *
 * Contract   size_t try_memset(void *dst, int c, size_t n): what was not set
 * Needs      ASIMD
 *
 * Algorithm
 *   0 to 15      two pieces of 8 or 4 bytes from both ends; below 4 three bytes
 *   16 to 128    pieces of 16, 32 or 64 bytes from both ends
 *   above        the first 64 bytes, then 64 a turn to a destination aligned to 16, the last 64 from the end
 *
 * Registers  x0 dst, w1 c, x2 n, x4 end of dst; above 128 x3 place in dst, x5 what is left; v0 the byte everywhere
 */
#include "asm.h"

#define L(name) .Ltry_set_##name

    FC_TRY_FUNC try_memset, asimd
    dup     v0.16b, w1
    add     x4, x0, x2
    cmp     x2, 16
    b.lo    L(set_0_15)
    cmp     x2, 64
    b.hi    L(set_65_up)
    FC_TRY  L(none), strb w1, [x0]
    FC_TRY  L(none), str q0, [x0]
    tbnz    x2, 6, L(set_64)
    tbnz    x2, 5, L(set_32_63)
    FC_TRY  L(none), str q0, [x4, -16]
    mov     x0, 0
    ret
L(set_64):
    FC_TRY  L(none), stp q0, q0, [x0, 16]
    FC_TRY  L(none), str q0, [x4, -16]
    mov     x0, 0
    ret
L(set_32_63):
    FC_TRY  L(none), str q0, [x0, 16]
    FC_TRY  L(none), stp q0, q0, [x4, -32]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(set_65_up):
    FC_TRY  L(none), strb w1, [x0]
    FC_TRY  L(none), stp q0, q0, [x0]
    FC_TRY  L(none), stp q0, q0, [x0, 32]
    cmp     x2, 128
    b.hi    L(set_129_up)
    FC_TRY  L(none), stp q0, q0, [x4, -64]
    FC_TRY  L(none), stp q0, q0, [x4, -32]
    mov     x0, 0
    ret

    /* In the turns all is set up to 32 above x3. */
    FC_LOOP_BLOCK L(set_129_up), L(turn)
L(set_129_up):
    and     x5, x0, 15
    and     x3, x0, -16
    sub     x5, x5, 64 + 64
    add     x3, x3, 32
    add     x5, x2, x5                  /* what is left, more than 0, without the last 64 bytes */
L(turn):
    FC_TRY  L(at_place), stp q0, q0, [x3, 32]
    FC_TRY  L(at_place), stp q0, q0, [x3, 64]! /* a fault leaves x3 as it was */
    subs    x5, x5, 64
    b.hi    L(turn)
    FC_TRY  L(at_last_64), stp q0, q0, [x4, -64]
    FC_TRY  L(at_last_64), stp q0, q0, [x4, -32]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(set_0_15):
    tbz     x2, 3, L(set_0_7)
    FC_TRY  L(none), strb w1, [x0]
    FC_TRY  L(none), str d0, [x0]
    FC_TRY  L(none), str d0, [x4, -8]
    mov     x0, 0
    ret
L(set_0_7):
    tbz     x2, 2, L(set_0_3)
    FC_TRY  L(none), strb w1, [x0]
    FC_TRY  L(none), str s0, [x0]
    FC_TRY  L(none), str s0, [x4, -4]
    mov     x0, 0
    ret
L(set_0_3):
    cbz     x2, L(set)
    lsr     x5, x2, 1
    FC_TRY  L(none), strb w1, [x0]
    FC_TRY  L(none), strb w1, [x0, x5]
    FC_TRY  L(none), strb w1, [x4, -1]
L(set):
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(at_place):
    sub     x3, x3, x0
    add     x3, x3, 32
    b       L(bytes)
L(at_last_64):
    sub     x3, x2, 64
    b       L(bytes)
L(none):
    mov     x3, 0
L(bytes):                               /* x3 are set, the rest, of which there is some, byte by byte */
    FC_TRY  L(left), strb w1, [x0, x3]
    add     x3, x3, 1
    cmp     x3, x2
    b.lo    L(bytes)
L(left):
    sub     x0, x2, x3
    ret
    FC_TRY_END try_memset, asimd
