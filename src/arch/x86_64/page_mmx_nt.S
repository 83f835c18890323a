/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page by MMX: see page_mmx.inc. */
#define VARIANT mmx_nt
#define MMX_PAUSE 
#include "page_mmx.inc"
