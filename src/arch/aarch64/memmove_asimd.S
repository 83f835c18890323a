/* SPDX-License-Identifier: MIT */
/* memmove through 16-byte vectors: see memmove_asimd.inc. */
#define VARIANT asimd
#define BODY "memmove_asimd.inc"
#include "memmove_body.inc"
