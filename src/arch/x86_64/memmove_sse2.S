/* SPDX-License-Identifier: MIT */
/* memmove, memcpy and mempcpy with vec_sse2.h's vectors: see memmove_vec.inc. */
#include "vec_sse2.h"
#include "memmove_vec.inc"
