/* SPDX-License-Identifier: MIT */
/* memset through 16-byte vectors, zeros by DC ZVA: see memset_asimd.inc. */
#define VARIANT zva
#define ZVA
#include "memset_asimd.inc"
