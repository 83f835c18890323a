/* SPDX-License-Identifier: MIT */
/* memset through 16-byte vectors: see memset_asimd.inc. */
#define VARIANT asimd
#include "memset_asimd.inc"
