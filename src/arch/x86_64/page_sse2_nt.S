/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page with vec_sse2.inc's vectors, streaming: see page_vec.inc. */
#define PAGE_STREAMS
#include "vec_sse2.inc"
#include "page_vec.inc"
