/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page with vec_avx512.inc's vectors: see page_vec.inc. */
#include "vec_avx512.inc"
#include "page_vec.inc"
