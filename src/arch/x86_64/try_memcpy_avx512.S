/* SPDX-License-Identifier: MIT */
/* try_memcpy with vec_avx512.inc's vectors: see try_memcpy_vec.inc. */
#include "vec_avx512.inc"
#include "try_memcpy_vec.inc"
