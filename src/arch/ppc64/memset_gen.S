/* SPDX-License-Identifier: MIT */
/* memset through general registers, for any machine: memset_body.inc without dcbz. */
#include "asm.h"
#define VARIANT gen
#define L(name) .Lmemset_gen_##name
#include "memset_body.inc"
