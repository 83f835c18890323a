/* SPDX-License-Identifier: MIT */
/*
 * memmove for POWER8 and 9 where all memory is cached (cached_memory=1): copy_0_64.inc, memmove_vsx.inc. Loads and stores
 * swap doublewords alike in little-endian mode, so nothing is swapped. Needs VSX.
 */
#include "asm.h"
#define L(name) .Lpower8_##name
#define AT_0(base) 0, base
#define AT_1(base) base, r7
#define AT_2(base) base, r8
#define AT_3(base) base, r9
#define AT_4(base) base, r10
#define AT_5(base) base, r11
#define AT_6(base) base, r12
#define AT_7(base) base, r0
#define LD(vector, slot, base) lxvd2x vector, AT_##slot(base)
#define ST(vector, slot, base) stxvd2x vector, AT_##slot(base)
#define INDICES_48 FC_INDICES_48
#define INDICES_112 FC_INDICES_112

.macro FC_INDICES_48
    li      r7, 16
    li      r8, 32
    li      r9, 48
.endm

.macro FC_INDICES_112
    li      r10, 64
    li      r11, 80
    li      r12, 96
    li      r0, 112
.endm

    FC_MACHINE power8
    FC_MEMMOVE power8
#include "copy_0_64.inc"
#include "memmove_vsx.inc"
    FC_MEMMOVE_END power8
