/* SPDX-License-Identifier: MIT */
/* memset with vec_sse2.inc's vectors: see memset_vec.inc. */
#include "vec_sse2.inc"
#include "memset_vec.inc"
