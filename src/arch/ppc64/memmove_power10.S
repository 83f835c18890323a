/* SPDX-License-Identifier: MIT */
/*
 * memmove for POWER10: vectors with a length for small sizes.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); any overlap
 * Needs      VSX, ISA 3.0; nothing of 3.1
 *
 * Algorithm
 *   0 to 16      lxvl, stxvl: they touch n bytes, none if n is 0
 *   17 to 32     a vector from both ends
 *   33 to 64     two vectors from both ends
 *   above        memmove_vsx.inc
 *
 * Registers  r9 n in the first byte, where lxvl has it; r11, r12 the ends; vs0 to vs3 data
 */
#include "asm.h"
#define L(name) .Lpower10_##name
#define LD(vector, slot, base) lxv vector, 16 * slot(base)
#define ST(vector, slot, base) stxv vector, 16 * slot(base)
#define INDICES_48
#define INDICES_112

    FC_MACHINE power9
    FC_FUNC mempcpy, power10
    mr      r6, r3
    cmpldi  r5, 16
    add     r3, r3, r5
    bgt     L(copy_17_up)
    sldi    r9, r5, 56
    lxvl    vs0, r4, r9
    stxvl   vs0, r6, r9
    blr
    FC_END  mempcpy, power10

    FC_FUNC memmove, power10
    cmpldi  r5, 16
    bgt     L(move_17_up)
    sldi    r9, r5, 56
    lxvl    vs0, r4, r9
    stxvl   vs0, r3, r9
    blr

    FC_BLOCK_ALIGN
L(move_17_up):
    mr      r6, r3
L(copy_17_up):
    cmpldi  r5, 64
    cmpldi  cr1, r5, 32
    bgt     L(copy_65_up)
    add     r11, r4, r5
    add     r12, r6, r5
    lxv     vs0, 0(r4)
    lxv     vs3, -16(r11)
    bgt     cr1, L(copy_33_64)
    stxv    vs0, 0(r6)
    stxv    vs3, -16(r12)
    blr
L(copy_33_64):
    lxv     vs1, 16(r4)
    lxv     vs2, -32(r11)
    stxv    vs0, 0(r6)
    stxv    vs1, 16(r6)
    stxv    vs2, -32(r12)
    stxv    vs3, -16(r12)
    blr
#include "memmove_vsx.inc"
    FC_MEMMOVE_END power10
