/* SPDX-License-Identifier: MIT */
/*
 * memmove by the copy instructions of FEAT_MOPS.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); any overlap
 * Needs      MOPS
 *
 * Algorithm  the triple CPYP, CPYM, CPYE, which looks at the overlap itself. Not CPYF, which would have to be told that
 *            there is none: memcpy is memmove here
 *
 * Registers  x3 dst, x1 src, x2 n; x0 result
 */
#include "asm.h"
    FC_EXTENSION mops

    FC_FUNC memmove, mops
    mov     x3, x0
    cpyp    [x3]!, [x1]!, x2!
    cpym    [x3]!, [x1]!, x2!
    cpye    [x3]!, [x1]!, x2!
    ret
    FC_END  memmove, mops
    FC_ALIAS memcpy, memmove, mops

    FC_FUNC mempcpy, mops
    mov     x3, x0
    add     x0, x0, x2
    cpyp    [x3]!, [x1]!, x2!
    cpym    [x3]!, [x1]!, x2!
    cpye    [x3]!, [x1]!, x2!
    ret
    FC_END  mempcpy, mops
