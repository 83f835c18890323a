/* SPDX-License-Identifier: MIT */
/* memset by unaligned 16-byte vectors: memset_body.inc. Needs VSX, and ISA 2.07 for mtvsrd. */
#include "asm.h"
#define VARIANT vsx
#define VECTORS
#define L(name) .Lmemset_vsx_##name
    FC_MACHINE power8
#include "memset_body.inc"
