/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_avx.inc's vectors: see memmove_vec.inc. */
#include "vec_avx.inc"
#include "memmove_vec.inc"
