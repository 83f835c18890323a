/* SPDX-License-Identifier: MIT */
/* try_memset with vec_avx.inc's vectors: see try_memset_vec.inc. */
#include "vec_avx.inc"
#include "try_memset_vec.inc"
