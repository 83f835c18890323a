/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy through 16-byte vectors: memmove_asimd.inc's sizes and loop, so that it survives a bad address (asm.h).
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward,
 *            byte by byte
 * Needs      ASIMD
 *
 * Algorithm
 *   0 to 15      try_0_15.inc
 *   16 to 31     two vectors, from both ends
 *   32 to 64     four
 *   65 to 128    eight
 *   129 to 256   sixteen
 *   above        the first 32 bytes, then 128 a turn, loaded a turn ahead of their stores, from a source aligned to 16; the
 *                last 128 from the end
 *   overlap      at a distance of 512 or more as above: no byte is loaded more than 288 ahead of those stored, and no
 *                fixup goes back further, so a byte that the copy itself has written is read as written, and one that it has
 *                yet to write as it was. Closer by bytes
 *
 * Registers  x0 dst, x1 src, x2 n, x4 end of src, x5 end of dst; x6 distance; above 256 x8 place in src, x3 in dst, x9 what
 *            is left; v0 to v7 and v16 to v23 data
 */
#include "asm.h"

#define L(name) .Ltry_asimd_##name

    FC_TRY_FUNC try_memcpy, asimd
    subs    x6, x0, x1
    add     x4, x1, x2
    cneg    x6, x6, lo
    add     x5, x0, x2
    cmp     x6, x2
    b.lo    L(overlap)
    cmp     x2, 32
    b.hs    L(copy_32_up)
    tbz     x2, 4, L(copy_0_15)
    FC_TRY  L(none), ldr q0, [x1]
    FC_TRY  L(none), ldr q1, [x4, -16]
    FC_TRY  L(none), str b0, [x0]
    FC_TRY  L(none), str q0, [x0]
    FC_TRY  L(none), str q1, [x5, -16]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(copy_32_up):
    cmp     x2, 128
    b.hi    L(copy_129_up)
    cmp     x2, 64
    b.hi    L(copy_65_128)
    FC_TRY  L(none), ldp q0, q1, [x1]
    FC_TRY  L(none), ldp q2, q3, [x4, -32]
    FC_TRY  L(none), str b0, [x0]
    FC_TRY  L(none), stp q0, q1, [x0]
    FC_TRY  L(none), stp q2, q3, [x5, -32]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(copy_65_128):
    FC_TRY  L(none), ldp q0, q1, [x1]
    FC_TRY  L(none), ldp q2, q3, [x1, 32]
    FC_TRY  L(none), ldp q4, q5, [x4, -64]
    FC_TRY  L(none), ldp q6, q7, [x4, -32]
    FC_TRY  L(none), str b0, [x0]
    FC_TRY  L(none), stp q0, q1, [x0]
    FC_TRY  L(none), stp q2, q3, [x0, 32]
    FC_TRY  L(none), stp q4, q5, [x5, -64]
    FC_TRY  L(none), stp q6, q7, [x5, -32]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(copy_129_up):
    cmp     x2, 256
    b.hi    L(copy_257_up)
    FC_TRY  L(none), ldp q0, q1, [x1]
    FC_TRY  L(none), ldp q2, q3, [x1, 32]
    FC_TRY  L(none), ldp q4, q5, [x1, 64]
    FC_TRY  L(none), ldp q6, q7, [x1, 96]
    FC_TRY  L(none), ldp q16, q17, [x4, -128]
    FC_TRY  L(none), ldp q18, q19, [x4, -96]
    FC_TRY  L(none), ldp q20, q21, [x4, -64]
    FC_TRY  L(none), ldp q22, q23, [x4, -32]
    FC_TRY  L(none), str b0, [x0]
    FC_TRY  L(none), stp q0, q1, [x0]
    FC_TRY  L(none), stp q2, q3, [x0, 32]
    FC_TRY  L(none), stp q4, q5, [x0, 64]
    FC_TRY  L(none), stp q6, q7, [x0, 96]
    FC_TRY  L(none), stp q16, q17, [x5, -128]
    FC_TRY  L(none), stp q18, q19, [x5, -96]
    FC_TRY  L(none), stp q20, q21, [x5, -64]
    FC_TRY  L(none), stp q22, q23, [x5, -32]
    mov     x0, 0
    ret

    /* In the turns what was loaded ends 160 bytes above x8, and it is to be stored from 32 above x3. */
    FC_LOOP_BLOCK L(copy_257_up), L(forward)
L(copy_257_up):
    and     x9, x1, 15
    and     x8, x1, -16
    FC_TRY  L(none), ldp q16, q17, [x1]
    sub     x3, x0, x9
    sub     x9, x9, 160 + 128
    FC_TRY  L(none), ldp q0, q1, [x8, 32]
    FC_TRY  L(none), ldp q2, q3, [x8, 64]
    FC_TRY  L(none), ldp q4, q5, [x8, 96]
    FC_TRY  L(none), ldp q6, q7, [x8, 128]
    adds    x9, x2, x9                  /* above 0, with a carry: turns before the last 128 bytes */
    FC_TRY  L(none), str b16, [x0]
    FC_TRY  L(none), stp q16, q17, [x0]
    b.ls    L(forward_end)
L(forward):
    FC_TRY  L(at_place), stp q0, q1, [x3, 32]
    FC_TRY  L(at_place_32), ldp q0, q1, [x8, 160]
    FC_TRY  L(at_place), stp q2, q3, [x3, 64]
    FC_TRY  L(at_place_64), ldp q2, q3, [x8, 192]
    FC_TRY  L(at_place), stp q4, q5, [x3, 96]
    FC_TRY  L(at_place_96), ldp q4, q5, [x8, 224]
    FC_TRY  L(at_place), stp q6, q7, [x3, 128]
    FC_TRY  L(at_place_128), ldp q6, q7, [x8, 256]
    add     x8, x8, 128
    add     x3, x3, 128
    subs    x9, x9, 128
    b.hi    L(forward)
L(forward_end):
    FC_TRY  L(at_place), ldp q16, q17, [x4, -128]
    FC_TRY  L(at_place), ldp q18, q19, [x4, -96]
    FC_TRY  L(at_place), ldp q20, q21, [x4, -64]
    FC_TRY  L(at_place), ldp q22, q23, [x4, -32]
    FC_TRY  L(at_place), stp q0, q1, [x3, 32]
    FC_TRY  L(at_place), stp q2, q3, [x3, 64]
    FC_TRY  L(at_place), stp q4, q5, [x3, 96]
    FC_TRY  L(at_place), stp q6, q7, [x3, 128]
    FC_TRY  L(at_place), stp q16, q17, [x5, -128]
    FC_TRY  L(at_place), stp q18, q19, [x5, -96]
    FC_TRY  L(at_place), stp q20, q21, [x5, -64]
    FC_TRY  L(at_place), stp q22, q23, [x5, -32]
    mov     x0, 0
    ret

#include "try_0_15.inc"

    /* A load's fixup counts what its turn has stored: it might not be read again, if the source shrinks meanwhile. */
    FC_BLOCK_ALIGN
L(at_place_128):
    add     x3, x3, 32
L(at_place_96):
    add     x3, x3, 32
L(at_place_64):
    add     x3, x3, 32
L(at_place_32):
    add     x3, x3, 32
L(at_place):
    sub     x3, x3, x0
    add     x3, x3, 32
    b       L(bytes)

    FC_BLOCK_ALIGN
L(overlap):
    cmp     x6, 512
    b.hs    L(copy_257_up)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, asimd
