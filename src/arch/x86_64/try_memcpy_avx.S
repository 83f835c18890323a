/* SPDX-License-Identifier: MIT */
/* try_memcpy with vec_avx.inc's vectors: see try_memcpy_vec.inc. */
#include "vec_avx.inc"
#include "try_memcpy_vec.inc"
