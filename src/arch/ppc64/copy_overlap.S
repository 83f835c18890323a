/* SPDX-License-Identifier: MIT */
/*
 * Copies whose buffers overlap, or nearly: where the kernels of general registers jump to.
 *
 * Contract   r3 the result, r4 src, r5 n (above 16), r6 dst; any overlap
 * Needs      nothing
 *
 * Algorithm
 *   fc_copy_down   dst inside [src, src + n): downwards
 *   fc_copy_close  src - dst from 1 to 127: upwards
 *
 *   32 bytes a turn, loaded before they are stored, then 8 a turn, then the last 8, which were loaded before anything was
 *   stored. Downwards at a distance of 40 or more only 32 a turn, to a destination aligned to 8, and the first 32 from the start.
 *
 * The source is misaligned where it does not agree with dst modulo 8, and the destination where they are close: overlap
 * is rare, and no turn may load what another one stored.
 *
 * Registers  r0, r7 to r12 data and counts
 */
#include "asm.h"
#include "copy_32.inc"

    FC_SHARED fc_copy_down
    sub     r0, r6, r4
    add     r11, r4, r5                 /* the places: end of src, end of dst */
    add     r12, r6, r5
    cmpldi  r0, 40
    cmpldi  cr1, r5, 64
    blt     .Lclose_down
    ble     cr1, .Lclose_down
    /* The last 8 bytes; on from an end of dst that is aligned. Not behind what they overwrite, which is closer than 40. */
    ld      r7, -8(r11)
    clrldi  r0, r12, 61
    std     r7, -8(r12)
    sub     r11, r11, r0
    sub     r12, r12, r0
    sub     r5, r5, r0
    srdi    r0, r5, 5
    mtctr   r0
    FC_LOOP_ALIGN
.Ldown:
    FC_COPY_LAST_32
    addi    r11, r11, -32
    addi    r12, r12, -32
    bdnz    .Ldown
    FC_COPY_32 0
    blr

    FC_BLOCK_ALIGN
.Lclose_down:
    ld      r0, 0(r4)
    srdi    r7, r5, 5
    rlwinm  r5, r5, 29, 30, 31          /* turns of 8: (n & 31) / 8 */
    cmpldi  r7, 0
    cmpldi  cr1, r5, 0
    mtctr   r7
    beq     .Ldown_last
.Ldown_32:
    FC_COPY_LAST_32
    addi    r11, r11, -32
    addi    r12, r12, -32
    bdnz    .Ldown_32
.Ldown_last:
    mtctr   r5
    beq     cr1, .Ldown_0
.Ldown_8:
    ld      r8, -8(r11)
    addi    r11, r11, -8
    std     r8, -8(r12)
    addi    r12, r12, -8
    bdnz    .Ldown_8
.Ldown_0:
    std     r0, 0(r6)
    blr
    FC_SHARED_END fc_copy_down

    FC_SHARED fc_copy_close
    add     r11, r4, r5
    add     r12, r6, r5
    ld      r0, -8(r11)
    srdi    r7, r5, 5
    rlwinm  r5, r5, 29, 30, 31
    cmpldi  r7, 0
    cmpldi  cr1, r5, 0
    mtctr   r7
    beq     .Lup_last
    FC_LOOP_ALIGN
.Lup_32:
    FC_COPY_32 0
    addi    r4, r4, 32
    addi    r6, r6, 32
    bdnz    .Lup_32
.Lup_last:
    mtctr   r5
    beq     cr1, .Lup_0
.Lup_8:
    ld      r8, 0(r4)
    addi    r4, r4, 8
    std     r8, 0(r6)
    addi    r6, r6, 8
    bdnz    .Lup_8
.Lup_0:
    std     r0, -8(r12)
    blr
    FC_SHARED_END fc_copy_close
