/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page with vec_avx.inc's vectors, streaming: see page_vec.inc. */
#define PAGE_STREAMS
#include "vec_avx.inc"
#include "page_vec.inc"
