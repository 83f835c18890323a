/* SPDX-License-Identifier: MIT */
/*
 * Pages by the copy and set instructions of FEAT_MOPS.
 *
 * Contract   void copy_page(void *dst, const void *src); void clear_page(void *dst): 4096 bytes, aligned; a page onto
 *            itself. Not aligned: the same, if the pages do not overlap. With _nt: a hint that dst is not read
 *            soon
 * Needs      MOPS
 *
 * Algorithm  CPYF triples, for pages do not overlap, or are the same, which a forward copy leaves as it is; SET triples;
 *            with _nt those whose writes are non-temporal (wn, n)
 *
 * Registers  x0 dst, x1 src, x2 count
 */
#include "asm.h"
    FC_EXTENSION mops

    FC_COPY_PAGE copy_page, mops
    mov     x2, 4096
    cpyfp   [x0]!, [x1]!, x2!
    cpyfm   [x0]!, [x1]!, x2!
    cpyfe   [x0]!, [x1]!, x2!
    ret
    FC_END  copy_page, mops

    FC_COPY_PAGE copy_page_nt, mops
    mov     x2, 4096
    cpyfpwn [x0]!, [x1]!, x2!
    cpyfmwn [x0]!, [x1]!, x2!
    cpyfewn [x0]!, [x1]!, x2!
    ret
    FC_END  copy_page_nt, mops

    FC_CLEAR_PAGE clear_page, mops
    mov     x2, 4096
    setp    [x0]!, x2!, xzr
    setm    [x0]!, x2!, xzr
    sete    [x0]!, x2!, xzr
    ret
    FC_END  clear_page, mops

    FC_CLEAR_PAGE clear_page_nt, mops
    mov     x2, 4096
    setpn   [x0]!, x2!, xzr
    setmn   [x0]!, x2!, xzr
    seten   [x0]!, x2!, xzr
    ret
    FC_END  clear_page_nt, mops
