/* SPDX-License-Identifier: MIT */
/*
 * Copying a page through general registers.
 *
 * Contract   void copy_page(void *dst, const void *src), both aligned to 4096; dst == src is allowed
 * Needs      nothing
 *
 * Algorithm  128 bytes a turn
 *
 * Registers  r4 place in src, r6 in dst, r7 to r10 data, r0 count
 */
#include "asm.h"
#include "copy_32.inc"

    FC_COPY_PAGE copy_page, gen
    li      r0, 4096 / 128
    mr      r6, r3
    mtctr   r0
    FC_LOOP_ALIGN
.Lcopy_line:
    FC_COPY_128
    bdnz    .Lcopy_line
    blr
    FC_END  copy_page, gen
    FC_ALIAS copy_page_nt, copy_page, gen
