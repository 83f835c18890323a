/* SPDX-License-Identifier: MIT */
/* clear_page, and clear_page_nt, by non-temporal stores: see clear_page.inc. */
#define VARIANT stnp
#define STORE stnp
#define ALSO_NT
#include "clear_page.inc"
