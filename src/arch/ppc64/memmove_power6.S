/* SPDX-License-Identifier: MIT */
/*
 * memmove for POWER6: a source aligned to 8, and no dcbz, with which the founding routine lost there (12.8 instead of 13.6
 * Gbit/s).
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); any overlap
 * Needs      nothing
 *
 * Algorithm
 *   0 to 64      copy_0_64.inc
 *   above        the first 8 bytes, then 128 a turn, then 32 a turn, from a source aligned to 8: in POWER6, which executes in
 *                order, a load that crosses its sector costs more than such a store; the last 32 from the end
 *   overlap      copy_overlap.S, as memmove_gen.S
 *
 * Registers  r3 result, r4 place in src, r6 in dst, r5 n; r11 end of src, r12 end of dst; r7 to r10 data; r0 counts
 */
#include "asm.h"
#include "copy_32.inc"

#define L(name) .Lpower6_##name

    FC_MEMMOVE power6
#include "copy_0_64.inc"

    FC_LOOP_BLOCK L(copy_65_up), L(turn)
L(copy_65_up):
    sub     r0, r6, r4
    sub     r7, r4, r6
    cmpld   r0, r5
    cmpldi  cr1, r7, 64
    blt     L(down)
    blt     cr1, L(close)
    ld      r7, 0(r4)
    neg     r9, r4
    add     r11, r4, r5
    add     r12, r6, r5
    clrldi  r9, r9, 61
    std     r7, 0(r6)
    add     r4, r4, r9
    add     r6, r6, r9
    sub     r5, r5, r9
    srdi.   r0, r5, 7
    rlwinm  r5, r5, 27, 30, 31          /* turns of 32: (n & 127) / 32 */
    cmpldi  cr1, r5, 0
    mtctr   r0
    beq     L(turns_32)
L(turn):
    FC_COPY_128
    bdnz    L(turn)
L(turns_32):
    mtctr   r5
    beq     cr1, L(last)
L(turn_32):
    FC_COPY_32 0
    addi    r4, r4, 32
    addi    r6, r6, 32
    bdnz    L(turn_32)
L(last):
    FC_COPY_LAST_32
    blr

L(down):
    b       fc_copy_down
L(close):
    b       fc_copy_close
    FC_MEMMOVE_END power6
