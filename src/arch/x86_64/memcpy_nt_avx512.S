/* SPDX-License-Identifier: MIT */
/* memcpy_nt with vec_avx512.inc's vectors: see memcpy_nt_vec.inc. */
#include "vec_avx512.inc"
#include "memcpy_nt_vec.inc"
