/* SPDX-License-Identifier: MIT */
/* memcpy_nt with vec_avx.h's vectors: see memcpy_nt_vec.inc. */
#include "vec_avx.h"
#include "memcpy_nt_vec.inc"
