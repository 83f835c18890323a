/* SPDX-License-Identifier: MIT */
/* Where the page kernels go, if compiled without NDEBUG, with a pointer that is not aligned: a
 * message, abort.
 */
#ifndef FC_PAGE_CHECK_H
#define FC_PAGE_CHECK_H

#include "kernels.h"

FC_HIDDEN _Noreturn void fc_page_misaligned(void);

#endif
