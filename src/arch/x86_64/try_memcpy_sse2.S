/* SPDX-License-Identifier: MIT */
/* try_memcpy with vec_sse2.inc's vectors: see try_memcpy_vec.inc. */
#include "vec_sse2.inc"
#include "try_memcpy_vec.inc"
