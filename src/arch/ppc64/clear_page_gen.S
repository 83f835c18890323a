/* SPDX-License-Identifier: MIT */
/*
 * Clearing a page through general registers.
 *
 * Contract   void clear_page(void *dst), aligned to 4096
 * Needs      nothing
 *
 * Algorithm  64 bytes a turn
 *
 * Registers  r3 place, r4 zero, r0 count
 */
#include "asm.h"

    FC_CLEAR_PAGE clear_page, gen
    li      r0, 4096 / 64
    li      r4, 0
    mtctr   r0
    FC_LOOP_ALIGN
.Lclear:
    std     r4, 0(r3)
    std     r4, 8(r3)
    std     r4, 16(r3)
    std     r4, 24(r3)
    std     r4, 32(r3)
    std     r4, 40(r3)
    std     r4, 48(r3)
    std     r4, 56(r3)
    addi    r3, r3, 64
    bdnz    .Lclear
    blr
    FC_END  clear_page, gen
    FC_ALIAS clear_page_nt, clear_page, gen
