/* SPDX-License-Identifier: MIT */
/*
 * Copying a page on the Cell: the copy_4K_page of the founding report.
 *
 * Contract   void copy_page(void *dst, const void *src), both aligned to 4096; dst == src is allowed
 * Needs      nothing: dcbz is used only where its block was measured to be 128 bytes
 *
 * Algorithm  all lines of the source are fetched and all lines of the destination zeroed, which saves fetching those; then 128
 *            bytes a turn. Nothing is zeroed where the two are the same page.
 *
 * Registers  r4 place in src, r6 in dst, r7 to r10 data, r0 counts, the return address for a moment
 */
#include "asm.h"
#include "copy_32.inc"

    FC_COPY_PAGE copy_page, cell
    li      r11, 4096 / 128
    mr      r6, r3
    cmpld   cr1, r3, r4
    FC_DCBZ_SIZE r7, r0
    cmpldi  r7, 128
    mtctr   r11
    mr      r7, r4
    mr      r8, r3
    beq     cr1, .Lcopy_line
    bne     .Lcopy_line
    FC_LOOP_ALIGN
.Lfetch_and_zero:
    dcbt    0, r7
    dcbz    0, r8
    addi    r7, r7, 128
    addi    r8, r8, 128
    bdnz    .Lfetch_and_zero
    mtctr   r11
    FC_LOOP_ALIGN
.Lcopy_line:
    FC_COPY_128
    bdnz    .Lcopy_line
    blr
    FC_END  copy_page, cell
    FC_ALIAS copy_page_nt, copy_page, cell
