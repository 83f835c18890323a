/* SPDX-License-Identifier: MIT */
/*
 * Clearing a page by dcbz.
 *
 * Contract   void clear_page(void *dst), aligned to 4096
 * Needs      nothing
 *
 * Algorithm  blocks of dcbz, whatever their size, a power of two up to 512 (cpu.c); where it is not known, clear_page_gen
 *
 * Registers  r3 place, r4 end, r5 block, r0 the return address for a moment
 */
#include "asm.h"

    FC_CLEAR_PAGE clear_page, dcbz
    FC_DCBZ_SIZE r5, r0
    addi    r4, r3, 4096
    cmpldi  r5, 0
    beq     .Lunknown
    FC_LOOP_ALIGN
.Lclear:
    dcbz    0, r3
    add     r3, r3, r5
    cmpld   r3, r4
    bne     .Lclear
    blr
.Lunknown:
    FC_GOTO clear_page, gen
    FC_END  clear_page, dcbz
    FC_ALIAS clear_page_nt, clear_page, dcbz
