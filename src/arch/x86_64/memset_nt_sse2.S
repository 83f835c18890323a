/* SPDX-License-Identifier: MIT */
/* memset_nt with vec_sse2.inc's vectors: see memset_nt_vec.inc. */
#include "vec_sse2.inc"
#include "memset_nt_vec.inc"
