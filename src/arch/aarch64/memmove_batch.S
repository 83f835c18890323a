/* SPDX-License-Identifier: MIT */
/* memmove in batches, for ThunderX: see memmove_batch.inc. */
#define VARIANT batch
#define BATCH_PREFETCH
#define BODY "memmove_asimd.inc"
#define FORWARD "memmove_batch.inc"
#include "memmove_body.inc"
