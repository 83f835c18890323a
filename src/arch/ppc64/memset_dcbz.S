/* SPDX-License-Identifier: MIT */
/* memset through general registers, zeros by dcbz: memset_body.inc. */
#include "asm.h"
#define VARIANT dcbz
#define ZERO_BLOCKS
#define L(name) .Lmemset_dcbz_##name
#include "memset_body.inc"
