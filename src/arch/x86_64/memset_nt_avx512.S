/* SPDX-License-Identifier: MIT */
/* memset_nt with vec_avx512.inc's vectors: see memset_nt_vec.inc. */
#include "vec_avx512.inc"
#include "memset_nt_vec.inc"
