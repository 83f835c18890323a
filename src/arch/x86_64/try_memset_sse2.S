/* SPDX-License-Identifier: MIT */
/* try_memset with vec_sse2.inc's vectors: see try_memset_vec.inc. */
#include "vec_sse2.inc"
#include "try_memset_vec.inc"
