/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_avx512.inc's vectors: see memmove_vec.inc. */
#include "vec_avx512.inc"
#include "memmove_vec.inc"
