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
 *   above        the first 16 bytes, then 64 a turn to a destination aligned to 16; the last 64 from the end
 *   overlap      at a distance of 128 or more, above 128, as above: no byte is loaded more than 64 ahead of those stored, and no
 *                fixup goes back further than 64, so a byte that the copy itself has written is read as written, and one that
 *                it has yet to write as it was. Closer by bytes
 *
 * Registers  r3 dst, r4 src, r5 n; r11 end of src, r12 end of dst; r6 distance; above 128 r11 place in src, r6 in dst; r0 and
 *            r7 data; r8 to r10 16, 32, 48; vs0 to vs3 data
 */
#include "asm.h"

#define L(name) .Ltry_vsx_##name
#define vs0 0
#define vs1 1
#define vs2 2
#define vs3 3

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
L(last_64):
    addi    r11, r11, -64
    addi    r12, r12, -64
    FC_TRY  L(at_last_64), lxvd2x vs0, 0, r11
    FC_TRY  L(at_last_64), lxvd2x vs1, r8, r11
    FC_TRY  L(at_last_64), lxvd2x vs2, r9, r11
    FC_TRY  L(at_last_64), lxvd2x vs3, r10, r11
    FC_TRY  L(at_last_64), stxvd2x vs0, 0, r12
    FC_TRY  L(at_last_64), stxvd2x vs1, r8, r12
    FC_TRY  L(at_last_64), stxvd2x vs2, r9, r12
    FC_TRY  L(at_last_64), stxvd2x vs3, r10, r12
    li      r3, 0
    blr

    FC_BLOCK_ALIGN
L(copy_129_up):
    FC_TRY  L(none), lxvd2x vs0, 0, r4
    FC_TRY  L(none), lbz r0, 0(r4)
    clrldi  r7, r3, 60
    subfic  r7, r7, 16
    FC_TRY  L(none), stb r0, 0(r3)
    FC_TRY  L(none), stxvd2x vs0, 0, r3
    add     r11, r4, r7
    add     r6, r3, r7
    sub     r7, r5, r7
    srdi    r7, r7, 6
    mtctr   r7
    FC_LOOP_ALIGN
L(turn):
    FC_TRY  L(at_place), lxvd2x vs0, 0, r11
    FC_TRY  L(at_place), lxvd2x vs1, r8, r11
    FC_TRY  L(at_place), lxvd2x vs2, r9, r11
    FC_TRY  L(at_place), lxvd2x vs3, r10, r11
    addi    r11, r11, 64
    FC_TRY  L(at_place), stxvd2x vs0, 0, r6
    FC_TRY  L(at_place), stxvd2x vs1, r8, r6
    FC_TRY  L(at_place), stxvd2x vs2, r9, r6
    FC_TRY  L(at_place), stxvd2x vs3, r10, r6
    addi    r6, r6, 64
    bdnz    L(turn)
    add     r11, r4, r5
    b       L(last_64)

#include "try_0_15.inc"

    FC_BLOCK_ALIGN
L(at_last_64):
    mr      r6, r12
    b       L(at_place)

    FC_BLOCK_ALIGN
L(overlap):
    cmpldi  r6, 128
    bge     L(copy_65_up)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, vsx
