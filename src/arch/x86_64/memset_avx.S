/* SPDX-License-Identifier: MIT */
/* memset with vec_avx.inc's vectors: see memset_vec.inc. */
#include "vec_avx.inc"
#include "memset_vec.inc"
