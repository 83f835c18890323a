/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_sse2.inc's vectors: see memmove_vec.inc. */
#include "vec_sse2.inc"
#include "memmove_vec.inc"
