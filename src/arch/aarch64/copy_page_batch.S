/* SPDX-License-Identifier: MIT */
/*
 * copy_page for ThunderX: batches of eight pairs, the source prefetched.
 *
 * Contract   void copy_page(void *dst, const void *src): 4096 bytes, aligned; a page onto itself. Not aligned: the same,
 *            if the pages do not overlap
 * Needs      ASIMD, to keep what is not data
 *
 * Algorithm  batch_turn.inc: 128 bytes a turn, each prefetching the source 384 bytes ahead but in the last 384, so
 *            that nothing is touched beyond the page
 *
 * Registers  x0 dst, x1 src, x2 to x17 data; v16, v17 limits
 */
#include "asm.h"
#include "batch_turn.inc"

    FC_COPY_PAGE copy_page, batch
    add     x2, x1, 4096
    fmov    d16, x2
    sub     x2, x2, BATCH_AHEAD
    fmov    d17, x2
    FC_LOOP_ALIGN
.Lahead:
    BATCH_TURN(BATCH_PREFETCH_NEXT)
    fmov    x2, d17
    cmp     x1, x2
    b.lo    .Lahead
    FC_LOOP_ALIGN
.Lrest:
    BATCH_TURN()
    fmov    x2, d16
    cmp     x1, x2
    b.lo    .Lrest
    ret
    FC_END  copy_page, batch
