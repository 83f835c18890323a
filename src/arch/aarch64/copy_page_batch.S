/* SPDX-License-Identifier: MIT */
/*
 * copy_page for ThunderX: in batches, the source prefetched.
 *
 * Contract   void copy_page(void *dst, const void *src): 4096 bytes, aligned; a page onto itself. Not aligned: the same,
 *            if the pages do not overlap
 * Needs      ASIMD
 *
 * Algorithm  batch_turn.inc: 128 bytes a turn, each prefetching the source 384 bytes ahead but in the last 384, so
 *            that nothing is touched beyond the page
 *
 * Registers  x0 dst, x1 place in src, x3 in dst, x2 end of src, x4 where the prefetching turns end; v0 to v7 data
 */
#include "asm.h"
#include "batch_turn.inc"

    FC_COPY_PAGE copy_page, batch
    mov     x3, x0
    add     x2, x1, 4096
    sub     x4, x2, BATCH_AHEAD
    FC_LOOP_ALIGN
.Lahead:
    BATCH_PREFETCH_AHEAD
    BATCH_TURN
    cmp     x1, x4
    b.lo    .Lahead
    FC_LOOP_ALIGN
.Lrest:
    BATCH_TURN
    cmp     x1, x2
    b.lo    .Lrest
    ret
    FC_END  copy_page, batch
