/* SPDX-License-Identifier: MIT */
/* copy_page, and copy_page_nt, by non-temporal stores: see copy_page.inc. */
#define VARIANT stnp
#define STORE stnp
#define ALSO_NT
#include "copy_page.inc"
