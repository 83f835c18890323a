/* SPDX-License-Identifier: MIT */
/* try_memset with vec_avx512.inc's vectors: see try_memset_vec.inc. */
#include "vec_avx512.inc"
#include "try_memset_vec.inc"
