/* SPDX-License-Identifier: MIT */
/* copy_page and clear_page by MMX, with no-operations between the groups of stores: see page_mmx.inc. */
#define VARIANT mmx_nt_nops
#define MMX_PAUSE nop; nop; nop
#include "page_mmx.inc"
