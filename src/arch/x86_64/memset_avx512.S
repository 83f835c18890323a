/* SPDX-License-Identifier: MIT */
/* memset with vec_avx512.inc's vectors: see memset_vec.inc. */
#include "vec_avx512.inc"
#include "memset_vec.inc"
