/* SPDX-License-Identifier: MIT */
/*
 * try_memset through general registers: memset_gen.S's sizes and loop, so that it survives a bad address (asm.h).
 *
 * Contract   size_t try_memset(void *dst, int c, size_t n): what was not set
 * Needs      nothing
 *
 * Algorithm
 *   0 to 15      two pieces of 8 or 4 bytes from both ends, which overlap; below 4 three bytes
 *   16 to 32     16 bytes from both ends
 *   above        the first 16 bytes, then 32 a turn to a destination aligned to 8, the last 32 from the end
 *
 * Registers  r3 dst, r4 the byte everywhere, r5 n; r6 place in dst, r12 end of dst; r0 and r9 counts
 */
#include "asm.h"

#define L(name) .Ltry_set_##name

    FC_TRY_FUNC try_memset, gen
    cmpldi  r5, 16
    rlwimi  r4, r4, 8, 16, 23
    cmpldi  cr1, r5, 32
    add     r12, r3, r5
    rlwimi  r4, r4, 16, 0, 15
    rldimi  r4, r4, 32, 0
    blt     L(set_0_15)
    FC_TRY  L(none), stb r4, 0(r3)
    FC_TRY  L(none), std r4, 0(r3)
    FC_TRY  L(none), std r4, 8(r3)
    bgt     cr1, L(set_33_up)
    FC_TRY  L(none), std r4, -16(r12)
    FC_TRY  L(none), std r4, -8(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(set_33_up):
    clrldi  r9, r3, 61
    subfic  r9, r9, 16
    sub     r0, r5, r9
    add     r6, r3, r9
    srdi.   r0, r0, 5                   /* none of 32: then the last 32 bytes are all that is left */
    mtctr   r0
    beq     L(last)
    FC_LOOP_ALIGN
L(turn):
    FC_TRY  L(at_place), std r4, 0(r6)
    FC_TRY  L(at_place), std r4, 8(r6)
    FC_TRY  L(at_place), std r4, 16(r6)
    FC_TRY  L(at_place), std r4, 24(r6)
    addi    r6, r6, 32
    bdnz    L(turn)
L(last):
    FC_TRY  L(at_last_32), std r4, -32(r12)
    FC_TRY  L(at_last_32), std r4, -24(r12)
    FC_TRY  L(at_last_32), std r4, -16(r12)
    FC_TRY  L(at_last_32), std r4, -8(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(set_0_15):
    cmpldi  r5, 8
    cmpldi  cr1, r5, 4
    blt     L(set_0_7)
    FC_TRY  L(none), stb r4, 0(r3)
    FC_TRY  L(none), std r4, 0(r3)
    FC_TRY  L(none), std r4, -8(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(set_0_7):
    cmpldi  r5, 0
    blt     cr1, L(set_0_3)
    FC_TRY  L(none), stb r4, 0(r3)
    FC_TRY  L(none), stw r4, 0(r3)
    FC_TRY  L(none), stw r4, -4(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(set_0_3):
    srdi    r9, r5, 1
    beq     L(set)
    FC_TRY  L(none), stb r4, 0(r3)
    FC_TRY  L(none), stbx r4, r3, r9
    FC_TRY  L(none), stb r4, -1(r12)
L(set):
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(at_last_32):
    addi    r6, r12, -32
    b       L(at_place)
L(none):
    mr      r6, r3
L(at_place):                            /* all below r6 is set, the rest, of which there is some, byte by byte */
    sub     r6, r6, r3
    sub     r0, r5, r6
    mtctr   r0
L(byte):
    FC_TRY  L(left), stbx r4, r3, r6
    addi    r6, r6, 1
    bdnz    L(byte)
L(left):
    sub     r3, r5, r6
    blr
    FC_TRY_END try_memset, gen
