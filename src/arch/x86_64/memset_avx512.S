/* SPDX-License-Identifier: MIT */
/* memset with vec_avx512.h's vectors: see memset_vec.inc. */
#include "vec_avx512.h"
#include "memset_vec.inc"
