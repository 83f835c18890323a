/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy through unaligned 16-byte vectors, so that it survives a bad address (asm.h).
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward,
 *            byte by byte
 * Needs      VSX; not for cache-inhibited memory, where unaligned vectors trap
 *
 * Algorithm
 *   0 to 15      try_0_15.inc
 *   16 to 32     two vectors, from both ends
 *   33 to 64     four
 *   65 to 128    the first 64 bytes, then the last 64
 *   129 to 256   the first 128 bytes, then the last 128
 *   above        the first 16 bytes, then 128 a turn to a destination aligned to 16; the last 128 from the end
 *   overlap      at a distance of 256 or more as above: no byte is loaded more than 128 ahead of those stored, and no fixup
 *                goes back further than 128, so a byte that the copy itself has written is read as written, and one that it
 *                has yet to write as it was. Closer by bytes
 *
 * Registers  r3 dst, r4 src, r5 n; r11 end of src, r12 end of dst; r6 distance, data, place for fixups; r0 data; above 64 r8 to
 *            r10 16, 32, 48; above 128 r7, r12, r0, r6 64, 80, 96, 112 and r11 place in dst; in the turns above 256 r4 is the
 *            place in src, as far from src as r11 is from dst; vs0 to vs7 data
 */
#include "asm.h"

#define L(name) .Ltry_vsx_##name
#define vs0 0
#define vs1 1
#define vs2 2
#define vs3 3
#define vs4 4
#define vs5 5
#define vs6 6
#define vs7 7

/* 128 bytes at `base`. (As the second register of an address r0 is itself and not 0.) */
.macro EIGHT fixup, instruction, base
    FC_TRY  \fixup, \instruction vs0, 0, \base
    FC_TRY  \fixup, \instruction vs1, \base, r8
    FC_TRY  \fixup, \instruction vs2, \base, r9
    FC_TRY  \fixup, \instruction vs3, \base, r10
    FC_TRY  \fixup, \instruction vs4, \base, r7
    FC_TRY  \fixup, \instruction vs5, \base, r12
    FC_TRY  \fixup, \instruction vs6, \base, r0
    FC_TRY  \fixup, \instruction vs7, \base, r6
.endm

    FC_MACHINE power7
    FC_TRY_FUNC try_memcpy, vsx
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
    li      r8, -16
    bgt     cr5, L(copy_33_64)
    FC_TRY  L(none), lxvd2x vs0, 0, r4
    FC_TRY  L(none), lbz r0, 0(r4)
    FC_TRY  L(none), lxvd2x vs1, r8, r11
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), stxvd2x vs0, 0, r3
    FC_TRY  L(none), stxvd2x vs1, r8, r12
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_33_64):
    li      r9, 16
    li      r10, -32
    FC_TRY  L(none), lxvd2x vs0, 0, r4
    FC_TRY  L(none), lbz r0, 0(r4)
    FC_TRY  L(none), lxvd2x vs1, r9, r4
    FC_TRY  L(none), lxvd2x vs2, r10, r11
    FC_TRY  L(none), lxvd2x vs3, r8, r11
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), stxvd2x vs0, 0, r3
    FC_TRY  L(none), stxvd2x vs1, r9, r3
    FC_TRY  L(none), stxvd2x vs2, r10, r12
    FC_TRY  L(none), stxvd2x vs3, r8, r12
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_65_up):
    cmpldi  r5, 128
    li      r8, 16
    li      r9, 32
    li      r10, 48
    bgt     L(copy_129_up)
    FC_TRY  L(none), lxvd2x vs0, 0, r4
    FC_TRY  L(none), lbz r0, 0(r4)
    FC_TRY  L(none), lxvd2x vs1, r8, r4
    FC_TRY  L(none), lxvd2x vs2, r9, r4
    FC_TRY  L(none), lxvd2x vs3, r10, r4
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), stxvd2x vs0, 0, r3
    FC_TRY  L(none), stxvd2x vs1, r8, r3
    FC_TRY  L(none), stxvd2x vs2, r9, r3
    FC_TRY  L(none), stxvd2x vs3, r10, r3
    addi    r6, r3, 64
    addi    r11, r11, -64
    addi    r12, r12, -64
    FC_TRY  L(at_place), lxvd2x vs0, 0, r11
    FC_TRY  L(at_place), lxvd2x vs1, r8, r11
    FC_TRY  L(at_place), lxvd2x vs2, r9, r11
    FC_TRY  L(at_place), lxvd2x vs3, r10, r11
    FC_TRY  L(at_last_64), stxvd2x vs0, 0, r12
    FC_TRY  L(at_last_64), stxvd2x vs1, r8, r12
    FC_TRY  L(at_last_64), stxvd2x vs2, r9, r12
    FC_TRY  L(at_last_64), stxvd2x vs3, r10, r12
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_129_up):
    FC_TRY  L(none), lbz r6, 0(r4)
    FC_TRY  L(none), stb r6, 0(r3)
    cmpldi  r5, 256
    li      r7, 64
    li      r12, 80
    li      r0, 96
    bgt     L(copy_257_up)
    li      r6, 112
    EIGHT   L(none), lxvd2x, r4
    EIGHT   L(none), stxvd2x, r3
    li      r11, 128
L(last_128):
    mtctr   r11                         /* what is stored */
    add     r11, r4, r5
    addi    r11, r11, -128
    EIGHT   L(at_stored), lxvd2x, r11
    add     r11, r3, r5
    addi    r11, r11, -128
    EIGHT   L(at_last_128), stxvd2x, r11
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_257_up):
    FC_TRY  L(none), lxvd2x vs0, 0, r4
    clrldi  r11, r3, 60
    subfic  r11, r11, 16
    sub     r6, r5, r11
    srdi    r6, r6, 7
    FC_TRY  L(none), stxvd2x vs0, 0, r3
    mtctr   r6
    li      r6, 112
    add     r4, r4, r11
    add     r11, r3, r11
    FC_LOOP_ALIGN
L(turn):
    EIGHT   L(at_turn), lxvd2x, r4
    EIGHT   L(at_turn), stxvd2x, r11
    addi    r4, r4, 128
    addi    r11, r11, 128
    bdnz    L(turn)
    sub     r11, r11, r3
    sub     r4, r4, r11
    b       L(last_128)

#include "try_0_15.inc"

    FC_BLOCK_ALIGN
L(at_last_64):
    mr      r6, r12
    b       L(at_place)
L(at_stored):
    mfctr   r6
    add     r6, r6, r3
    b       L(at_place)
L(at_last_128):
    add     r6, r3, r5
    addi    r6, r6, -128
    b       L(at_place)
L(at_turn):
    mr      r6, r11
    sub     r11, r11, r3
    sub     r4, r4, r11
    b       L(at_place)

    FC_BLOCK_ALIGN
L(overlap):
    cmpldi  r6, 256
    bge     L(copy_65_up)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, vsx
