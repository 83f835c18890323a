/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page with vec_avx.inc's vectors: see page_vec.inc. */
#include "vec_avx.inc"
#include "page_vec.inc"
