/* SPDX-License-Identifier: MIT */
/* memmove for the Cell's PPE: memmove_lines.inc, the source fetched 6 lines ahead, as in the founding routine. */
#include "asm.h"
#define VARIANT cell
#define DCBT_AHEAD 6
#define L(name) .Lcell_##name
#include "memmove_lines.inc"
