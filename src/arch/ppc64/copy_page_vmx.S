/* SPDX-License-Identifier: MIT */
/*
 * Copying a page by 16-byte vectors.
 *
 * Contract   void copy_page(void *dst, const void *src), both aligned to 4096; dst == src is allowed
 * Needs      AltiVec
 *
 * Algorithm  128 bytes a turn
 *
 * Registers  r3 place in dst, r4 in src; indices: r5 16, r6 32, r7 48, r8 64, r9 80, r10 96, r11 112; v0 to v7 data; r0 count
 */
#include "asm.h"

    FC_MACHINE power7
    FC_COPY_PAGE copy_page, vmx
    li      r0, 4096 / 128
    li      r5, 16
    li      r6, 32
    li      r7, 48
    li      r8, 64
    li      r9, 80
    li      r10, 96
    li      r11, 112
    mtctr   r0
    FC_LOOP_ALIGN
.Lturn:
    lvx     v0, 0, r4
    lvx     v1, r4, r5
    lvx     v2, r4, r6
    lvx     v3, r4, r7
    lvx     v4, r4, r8
    lvx     v5, r4, r9
    lvx     v6, r4, r10
    lvx     v7, r4, r11
    addi    r4, r4, 128
    stvx    v0, 0, r3
    stvx    v1, r3, r5
    stvx    v2, r3, r6
    stvx    v3, r3, r7
    stvx    v4, r3, r8
    stvx    v5, r3, r9
    stvx    v6, r3, r10
    stvx    v7, r3, r11
    addi    r3, r3, 128
    bdnz    .Lturn
    blr
    FC_END  copy_page, vmx
    FC_ALIAS copy_page_nt, copy_page, vmx
