/* SPDX-License-Identifier: MIT */
/*
 * memmove for the 970: memmove_lines.inc without fetching by dcbt, since its hardware follows eight streams by itself
 * [IBM PowerPC 970FX RISC Microprocessor User's Manual, "Data prefetch"].
 */
#include "asm.h"
#define VARIANT ppc970
#define DCBT_AHEAD 0
#define L(name) .Lppc970_##name
#include "memmove_lines.inc"
