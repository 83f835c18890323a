/* SPDX-License-Identifier: MIT */
/* memset_nt with vec_avx.inc's vectors: see memset_nt_vec.inc. */
#include "vec_avx.inc"
#include "memset_nt_vec.inc"
