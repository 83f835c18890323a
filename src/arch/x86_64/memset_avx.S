/* SPDX-License-Identifier: MIT */
/* memset with vec_avx.h's vectors: see memset_vec.inc. */
#include "vec_avx.h"
#include "memset_vec.inc"
