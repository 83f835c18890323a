/* SPDX-License-Identifier: MIT */
/*
 * memmove in batches without the prefetch: see memmove_batch.inc. For Cortex-A53 and A35, in order; the streaming hint
 * hurts A53 up to r0p3.
 */
#define VARIANT batch_nopf
#define BODY "memmove_asimd.inc"
#define FORWARD "memmove_batch.inc"
#include "memmove_body.inc"
