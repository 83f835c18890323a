/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_avx512.h's vectors: see memmove_vec.inc. */
#include "vec_avx512.h"
#include "memmove_vec.inc"
