/* SPDX-License-Identifier: MIT */
/* memmove through general registers: see memmove_gpr.inc. */
#define VARIANT gpr
#define BODY "memmove_gpr.inc"
#include "memmove_body.inc"
