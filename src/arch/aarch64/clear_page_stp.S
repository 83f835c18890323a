/* SPDX-License-Identifier: MIT */
/* clear_page by plain pairs: see clear_page.inc. */
#define VARIANT stp
#define STORE stp
#include "clear_page.inc"
