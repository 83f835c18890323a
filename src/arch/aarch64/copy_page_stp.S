/* SPDX-License-Identifier: MIT */
/* copy_page by plain pairs: see copy_page.inc. */
#define VARIANT stp
#define STORE stp
#include "copy_page.inc"
