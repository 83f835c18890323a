/* SPDX-License-Identifier: MIT */
/* memmove with predicated vectors for small sizes: see memmove_sve.inc. */
#define VARIANT sve
#define BODY "memmove_sve.inc"
#include "memmove_body.inc"
