/* SPDX-License-Identifier: MIT */
/* memmove with non-temporal pairs in large copies: see memmove_ldnp.inc. */
#define VARIANT ldnp
#define BODY "memmove_ldnp.inc"
#include "memmove_body.inc"
