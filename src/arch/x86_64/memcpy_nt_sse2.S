/* SPDX-License-Identifier: MIT */
/* memcpy_nt with vec_sse2.inc's vectors: see memcpy_nt_vec.inc. */
#include "vec_sse2.inc"
#include "memcpy_nt_vec.inc"
