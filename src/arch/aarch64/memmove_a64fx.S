/* SPDX-License-Identifier: MIT */
/* memmove for A64FX: see memmove_a64fx.inc. */
#define VARIANT a64fx
#define BODY "memmove_a64fx.inc"
#include "memmove_body.inc"
