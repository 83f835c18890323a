/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_avx.h's vectors: see memmove_vec.inc. */
#include "vec_avx.h"
#include "memmove_vec.inc"
