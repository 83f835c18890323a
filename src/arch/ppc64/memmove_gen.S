/* SPDX-License-Identifier: MIT */
/*
 * memmove through general registers, for any machine.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); any overlap
 * Needs      nothing
 *
 * Algorithm
 *   0 to 64      copy_0_64.inc
 *   above        the first 16 bytes, then 32 a turn to a destination aligned to 8, the last 32 from the end. Where the
 *                source then is not aligned: aligned words, of which neighbours are shifted and merged (a misaligned load
 *                that crosses 32 bytes is microcode on the Cell, one that crosses a line is slow on most), the last 40
 *                from the end
 *   overlap      copy_overlap.S, also where src is so close above dst that the first bytes stored, or the last of the loop, were
 *                not loaded yet: src - dst below 64
 *
 * The loop begins 9 to 16 bytes behind dst: so the aligned word that its first source byte is in lies inside the source. It
 * ends 8 bytes early where words are merged: so does the last one.
 *
 * Registers  r3 result, r4 place in src, r6 in dst, r5 n; r11 end of src, r12 end of dst; r7 to r10 data. Merging: r0 bits by
 *            which the source is misaligned, r5 64 - r0, r7 the word before, r11 data, r12 what remains after the loop
 */
#include "asm.h"
#include "copy_32.inc"

#define L(name) .Lgen_##name

/* low, high: neighbouring words of memory; into `low` the word that begins r0 bits inside low. */
#ifdef __LITTLE_ENDIAN__
#define TOWARDS_LOW srd
#define TOWARDS_HIGH sld
#else
#define TOWARDS_LOW sld
#define TOWARDS_HIGH srd
#endif

    FC_MEMMOVE gen
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
    ld      r8, 8(r4)
    clrldi  r9, r6, 61
    subfic  r9, r9, 16
    std     r7, 0(r6)
    std     r8, 8(r6)
    add     r11, r4, r5
    add     r12, r6, r5
    add     r4, r4, r9
    add     r6, r6, r9
    sub     r5, r5, r9
    clrldi  r0, r4, 61
    cmpldi  r0, 0
    bne     L(merge)
    srdi    r0, r5, 5
    mtctr   r0
L(turn):
    FC_COPY_32 0
    addi    r4, r4, 32
    addi    r6, r6, 32
    bdnz    L(turn)
    FC_COPY_LAST_32
    blr

    FC_LOOP_BLOCK L(merge), L(merge_turn)
L(merge):
    addi    r7, r5, -8
    sub     r4, r4, r0
    srdi    r8, r7, 5
    sldi    r0, r0, 3
    mtctr   r8
    rldicr  r8, r8, 5, 58               /* what the loop copies */
    sub     r5, r5, r8                  /* what remains: 8 to 39 */
    ld      r7, 0(r4)
    mr      r12, r5
    subfic  r5, r0, 64
L(merge_turn):
    ld      r8, 8(r4)
    ld      r9, 16(r4)
    TOWARDS_LOW r7, r7, r0
    TOWARDS_HIGH r11, r8, r5
    ld      r10, 24(r4)
    or      r7, r7, r11
    TOWARDS_LOW r8, r8, r0
    TOWARDS_HIGH r11, r9, r5
    std     r7, 0(r6)
    ld      r7, 32(r4)
    addi    r4, r4, 32
    or      r8, r8, r11
    TOWARDS_LOW r9, r9, r0
    TOWARDS_HIGH r11, r10, r5
    std     r8, 8(r6)
    or      r9, r9, r11
    TOWARDS_LOW r10, r10, r0
    TOWARDS_HIGH r11, r7, r5
    std     r9, 16(r6)
    or      r10, r10, r11
    std     r10, 24(r6)
    addi    r6, r6, 32
    bdnz    L(merge_turn)
    /* Back to bytes: the ends, then the last 40 bytes, all of them loaded before any is stored. */
    srdi    r0, r0, 3
    add     r4, r4, r0
    add     r11, r4, r12
    add     r12, r6, r12
    ld      r7, -40(r11)
    ld      r8, -32(r11)
    ld      r9, -24(r11)
    ld      r10, -16(r11)
    ld      r11, -8(r11)
    std     r7, -40(r12)
    std     r8, -32(r12)
    std     r9, -24(r12)
    std     r10, -16(r12)
    std     r11, -8(r12)
    blr

L(down):
    b       fc_copy_down
L(close):
    b       fc_copy_close
    FC_MEMMOVE_END gen
    FC_ALIAS memcpy_nt, memmove, gen
