/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy through general registers: memmove_gpr.inc's loop, so that it survives a bad address (asm.h).
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward,
 *            byte by byte
 * Needs      nothing
 *
 * Algorithm
 *   0 to 15      try_0_15.inc
 *   16 to 31     two pairs, from both ends
 *   32 to 64     four pairs
 *   65 to 96     six
 *   above        the first 16 bytes, then 64 a turn, loaded a turn ahead of their stores, to a destination aligned to 16;
 *                the last 64 from the end
 *   overlap      at a distance of 256 or more as above, as in try_memcpy_asimd.S: no byte is loaded more than 144 ahead of
 *                those stored. Closer by bytes
 *
 * Registers  x0 dst, x1 src, x2 n, x4 end of src, x5 end of dst; x6 distance; above 96 x16 place in src, x3 in dst, x17
 *            what is left; x6 to x17 data
 */
#include "asm.h"

#define L(name) .Ltry_gpr_##name

    FC_TRY_FUNC try_memcpy, gpr
    subs    x6, x0, x1
    add     x4, x1, x2
    cneg    x6, x6, lo
    add     x5, x0, x2
    cmp     x6, x2
    b.lo    L(overlap)
    cmp     x2, 96
    b.hi    L(copy_97_up)
    cmp     x2, 32
    b.hs    L(copy_32_96)
    tbz     x2, 4, L(copy_0_15)
    FC_TRY  L(none), ldp x6, x7, [x1]
    FC_TRY  L(none), ldp x8, x9, [x4, -16]
    FC_TRY  L(none), strb w6, [x0]
    FC_TRY  L(none), stp x6, x7, [x0]
    FC_TRY  L(none), stp x8, x9, [x5, -16]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(copy_32_96):
    FC_TRY  L(none), ldp x6, x7, [x1]
    FC_TRY  L(none), ldp x8, x9, [x1, 16]
    FC_TRY  L(none), ldp x10, x11, [x4, -32]
    FC_TRY  L(none), ldp x12, x13, [x4, -16]
    cmp     x2, 64
    b.hi    L(copy_65_96)
    FC_TRY  L(none), strb w6, [x0]
    FC_TRY  L(none), stp x6, x7, [x0]
    FC_TRY  L(none), stp x8, x9, [x0, 16]
L(store_last_32):
    FC_TRY  L(none), stp x10, x11, [x5, -32]
    FC_TRY  L(none), stp x12, x13, [x5, -16]
    mov     x0, 0
    ret

    FC_BLOCK_ALIGN
L(copy_65_96):
    FC_TRY  L(none), ldp x14, x15, [x1, 32]
    FC_TRY  L(none), ldp x16, x17, [x4, -48]
    FC_TRY  L(none), strb w6, [x0]
    FC_TRY  L(none), stp x6, x7, [x0]
    FC_TRY  L(none), stp x8, x9, [x0, 16]
    FC_TRY  L(none), stp x14, x15, [x0, 32]
    FC_TRY  L(none), stp x16, x17, [x5, -48]
    b       L(store_last_32)

    /* In the turns x16 is 16 bytes below the end of what was loaded, x3 as far below that of the stored. */
    FC_LOOP_BLOCK L(copy_97_up), L(forward)
L(copy_97_up):
    and     x17, x0, 15
    and     x3, x0, -16
    FC_TRY  L(none), ldp x14, x15, [x1]
    sub     x16, x1, x17
    sub     x17, x17, 64 + 16 + 64
    FC_TRY  L(none), ldp x6, x7, [x16, 16]
    FC_TRY  L(none), ldp x8, x9, [x16, 32]
    FC_TRY  L(none), ldp x10, x11, [x16, 48]
    FC_TRY  L(none), ldp x12, x13, [x16, 64]!
    adds    x17, x2, x17                /* above 0, with a carry: turns before the last 64 bytes */
    FC_TRY  L(none), strb w14, [x0]
    FC_TRY  L(none), stp x14, x15, [x0]
    b.ls    L(forward_end)
L(forward):
    FC_TRY  L(at_place), stp x6, x7, [x3, 16]
    FC_TRY  L(at_place_16), ldp x6, x7, [x16, 16]
    FC_TRY  L(at_place), stp x8, x9, [x3, 32]
    FC_TRY  L(at_place_32), ldp x8, x9, [x16, 32]
    FC_TRY  L(at_place), stp x10, x11, [x3, 48]
    FC_TRY  L(at_place_48), ldp x10, x11, [x16, 48]
    FC_TRY  L(at_place), stp x12, x13, [x3, 64]! /* a fault leaves x3 as it was */
    FC_TRY  L(at_place), ldp x12, x13, [x16, 64]!
    subs    x17, x17, 64
    b.hi    L(forward)
L(forward_end):
    FC_TRY  L(at_place), ldp x14, x15, [x4, -64]
    FC_TRY  L(at_place), ldp x16, x17, [x4, -48]
    FC_TRY  L(at_place), stp x6, x7, [x3, 16]
    FC_TRY  L(at_place_16), ldp x6, x7, [x4, -32]
    FC_TRY  L(at_place), stp x8, x9, [x3, 32]
    FC_TRY  L(at_place_32), ldp x8, x9, [x4, -16]
    FC_TRY  L(at_place), stp x10, x11, [x3, 48]
    FC_TRY  L(at_place), stp x12, x13, [x3, 64]
    FC_TRY  L(at_place), stp x14, x15, [x5, -64]
    FC_TRY  L(at_place), stp x16, x17, [x5, -48]
    FC_TRY  L(at_place), stp x6, x7, [x5, -32]
    FC_TRY  L(at_place), stp x8, x9, [x5, -16]
    mov     x0, 0
    ret

#include "try_0_15.inc"

    /* A load's fixup counts what its turn has stored: it might not be read again, if the source shrinks meanwhile. */
    FC_BLOCK_ALIGN
L(at_place_48):
    add     x3, x3, 16
L(at_place_32):
    add     x3, x3, 16
L(at_place_16):
    add     x3, x3, 16
L(at_place):
    sub     x3, x3, x0
    add     x3, x3, 16
    b       L(bytes)

    FC_BLOCK_ALIGN
L(overlap):
    cmp     x6, 256
    b.hs    L(copy_97_up)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, gpr
