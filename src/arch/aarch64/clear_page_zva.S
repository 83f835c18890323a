/* SPDX-License-Identifier: MIT */
/*
 * clear_page by DC ZVA; by pairs where that is prohibited or a block no part of a page: see clear_page.inc.
 */
#define VARIANT zva
#define STORE stp
#define ZVA
#include "clear_page.inc"
