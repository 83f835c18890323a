/* SPDX-License-Identifier: MIT */
/* memset with vec_sse2.h's vectors: see memset_vec.inc. */
#include "vec_sse2.h"
#include "memset_vec.inc"
