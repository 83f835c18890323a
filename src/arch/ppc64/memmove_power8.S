/* SPDX-License-Identifier: MIT */
/*
 * memmove for POWER8 and 9 where all memory is cached (cached_memory=1): copy_0_64.inc, memmove_vsx.inc. Loads and stores
 * swap doublewords alike in little-endian mode, so nothing is swapped. Needs VSX.
 */
#include "asm.h"
#define L(name) .Lpower8_##name
#define INDEX_0 0
#define INDEX_1 r7
#define INDEX_2 r8
#define INDEX_3 r9
#define INDEX_4 r10
#define INDEX_5 r11
#define INDEX_6 r12
#define INDEX_7 0+r0
#define LD(vector, slot, base) FC_INDEXED lxvd2x, vector, INDEX_##slot, base
#define ST(vector, slot, base) FC_INDEXED stxvd2x, vector, INDEX_##slot, base
#define INDICES_48 FC_INDICES_48
#define INDICES_112 FC_INDICES_112

.macro FC_INDEXED instruction, vector, index, base
    .ifc \index, 0
    \instruction \vector, 0, \base
    .else
    \instruction \vector, \base, \index
    .endif
.endm

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
