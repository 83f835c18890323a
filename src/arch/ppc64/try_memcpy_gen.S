/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy through general registers, for any machine: memmove_gen.S's sizes and loops, so that it survives a bad address
 * (asm.h).
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward,
 *            byte by byte
 * Needs      nothing
 *
 * Algorithm
 *   0 to 15      try_0_15.inc
 *   16 to 32     16 bytes from both ends
 *   33 to 64     32 bytes from both ends
 *   above        the first 16 bytes, then 32 a turn to a destination aligned to 8, the last 32 from the end. Where the
 *                source then is not aligned: aligned words, of which neighbours are shifted and merged, the last 40 from
 *                the end (memmove_gen.S says why, and why these words lie inside the source)
 *   overlap      at a distance of 128 or more as above: no byte is loaded more than 40 ahead of those stored, and no fixup
 *                goes back further than 40, so a byte that the copy itself has written is read as written, and one that it
 *                has yet to write as it was. Closer by bytes
 *
 * Registers  r3 dst, r4 src, r5 n; r11 end of src, r12 end of dst; r6 distance; above 64 r11 place in src, r6 in dst; r0, r7
 *            to r10 data. Merging: r10 place in src, r0 bits by which it is misaligned, r11 64 - r0; r7 to r9 and r12 data
 */
#include "asm.h"

#define L(name) .Ltry_gen_##name

/* Into `low` the word that begins r0 bits inside it and ends in its neighbour `high`. */
#ifdef __LITTLE_ENDIAN__
#define TOWARDS_LOW srd
#define TOWARDS_HIGH sld
#else
#define TOWARDS_LOW sld
#define TOWARDS_HIGH srd
#endif
.macro MERGE low, high
    TOWARDS_LOW \low, \low, r0
    TOWARDS_HIGH r12, \high, r11
    or      \low, \low, r12
.endm

    FC_TRY_FUNC try_memcpy, gen
    sub     r6, r3, r4
    cmpldi  cr1, r5, 16
    cmpldi  cr5, r5, 32
    sradi   r7, r6, 63
    cmpldi  cr6, r5, 64
    xor     r6, r6, r7
    add     r11, r4, r5
    sub     r6, r6, r7
    add     r12, r3, r5
    cmpld   r6, r5
    blt     L(overlap)
    blt     cr1, L(copy_0_15)
    bgt     cr6, L(copy_65_up)
    bgt     cr5, L(copy_33_64)
    FC_TRY  L(none), ld r7, 0(r4)
    FC_TRY  L(none), ld r8, 8(r4)
    FC_TRY  L(none), lbz r0, 0(r4)
    FC_TRY  L(none), ld r9, -16(r11)
    FC_TRY  L(none), ld r10, -8(r11)
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), std r7, 0(r3)
    FC_TRY  L(none), std r8, 8(r3)
    FC_TRY  L(none), std r9, -16(r12)
    FC_TRY  L(none), std r10, -8(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_33_64):
    FC_TRY  L(none), ld r7, 0(r4)
    FC_TRY  L(none), ld r8, 8(r4)
    FC_TRY  L(none), lbz r0, 0(r4)
    FC_TRY  L(none), ld r9, 16(r4)
    FC_TRY  L(none), ld r10, 24(r4)
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), std r7, 0(r3)
    FC_TRY  L(none), std r8, 8(r3)
    FC_TRY  L(none), std r9, 16(r3)
    FC_TRY  L(none), std r10, 24(r3)
    addi    r6, r3, 32
L(last_32):
    FC_TRY  L(at_place), ld r7, -32(r11)
    FC_TRY  L(at_place), ld r8, -24(r11)
    FC_TRY  L(at_place), ld r9, -16(r11)
    FC_TRY  L(at_place), ld r10, -8(r11)
    FC_TRY  L(at_last_32), std r7, -32(r12)
    FC_TRY  L(at_last_32), std r8, -24(r12)
    FC_TRY  L(at_last_32), std r9, -16(r12)
    FC_TRY  L(at_last_32), std r10, -8(r12)
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_65_up):
    FC_TRY  L(none), ld r7, 0(r4)
    FC_TRY  L(none), ld r8, 8(r4)
    FC_TRY  L(none), lbz r0, 0(r4)
    clrldi  r9, r3, 61
    subfic  r9, r9, 16
    add     r10, r4, r9
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), std r7, 0(r3)
    FC_TRY  L(none), std r8, 8(r3)
    clrldi  r0, r10, 61
    add     r6, r3, r9
    cmpldi  r0, 0
    sub     r9, r5, r9                  /* what is left */
    bne     L(merge)
    srdi    r0, r9, 5
    mr      r11, r10
    mtctr   r0
    FC_LOOP_ALIGN
L(turn):
    FC_TRY  L(at_place), ld r7, 0(r11)
    FC_TRY  L(at_place), ld r8, 8(r11)
    FC_TRY  L(at_place), ld r9, 16(r11)
    FC_TRY  L(at_place), ld r10, 24(r11)
    FC_TRY  L(at_place), std r7, 0(r6)
    FC_TRY  L(at_place), std r8, 8(r6)
    FC_TRY  L(at_place), std r9, 16(r6)
    FC_TRY  L(at_place), std r10, 24(r6)
    addi    r11, r11, 32
    addi    r6, r6, 32
    bdnz    L(turn)
    add     r11, r4, r5
    b       L(last_32)

    /* In the turns r7 is the word that is to be stored first, as it was loaded. */
    FC_BLOCK_ALIGN
L(merge):
    addi    r7, r9, -8                  /* the last word that a turn loads lies inside the source, too */
    sub     r10, r10, r0
    srdi    r8, r7, 5
    sldi    r0, r0, 3
    mtctr   r8
    FC_TRY  L(at_place), ld r7, 0(r10)
    subfic  r11, r0, 64
    FC_LOOP_ALIGN
L(merge_turn):
    FC_TRY  L(at_place), ld r8, 8(r10)
    FC_TRY  L(at_place), ld r9, 16(r10)
    MERGE   r7, r8
    FC_TRY  L(at_place), std r7, 0(r6)
    FC_TRY  L(at_place_8), ld r7, 24(r10)
    MERGE   r8, r9
    FC_TRY  L(at_place), std r8, 8(r6)
    FC_TRY  L(at_place_16), ld r8, 32(r10)
    MERGE   r9, r7
    FC_TRY  L(at_place), std r9, 16(r6)
    addi    r10, r10, 32
    MERGE   r7, r8
    FC_TRY  L(at_place), std r7, 24(r6)
    mr      r7, r8
    addi    r6, r6, 32
    bdnz    L(merge_turn)
    add     r11, r4, r5
    add     r12, r3, r5
    FC_TRY  L(at_place), ld r0, -40(r11)
    FC_TRY  L(at_place), ld r7, -32(r11)
    FC_TRY  L(at_place), ld r8, -24(r11)
    FC_TRY  L(at_place), ld r9, -16(r11)
    FC_TRY  L(at_place), ld r10, -8(r11)
    FC_TRY  L(at_last_40), std r0, -40(r12)
    FC_TRY  L(at_last_40), std r7, -32(r12)
    FC_TRY  L(at_last_40), std r8, -24(r12)
    FC_TRY  L(at_last_40), std r9, -16(r12)
    FC_TRY  L(at_last_40), std r10, -8(r12)
    li      r3, 0
    blr

#include "try_0_15.inc"

    FC_BLOCK_ALIGN
L(at_place_16):
    addi    r6, r6, 8
L(at_place_8):
    addi    r6, r6, 8
    b       L(at_place)
L(at_last_32):
    addi    r6, r12, -32
    b       L(at_place)
L(at_last_40):
    addi    r6, r12, -40
    b       L(at_place)

    FC_BLOCK_ALIGN
L(overlap):
    cmpldi  r6, 128
    bge     L(copy_65_up)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, gen
