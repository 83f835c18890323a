/* SPDX-License-Identifier: MIT */
/*
 * memset by the set instructions of FEAT_MOPS.
 *
 * Contract   void *memset(void *dst, int c, size_t n)
 * Needs      MOPS
 *
 * Algorithm  the triple SETP, SETM, SETE
 *
 * Registers  x3 dst, w1 c, x2 n; x0 result
 */
#include "asm.h"
    FC_EXTENSION mops

    FC_FUNC memset, mops
    mov     x3, x0
    setp    [x3]!, x2!, x1
    setm    [x3]!, x2!, x1
    sete    [x3]!, x2!, x1
    ret
    FC_END  memset, mops
