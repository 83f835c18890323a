/* SPDX-License-Identifier: MIT */
/* Where the page kernels of a debug build go with a pointer that is not aligned: a message, abort.
 */
#ifndef FC_PAGE_H
#define FC_PAGE_H

#include "kernels.h"

#ifndef NDEBUG
FC_HIDDEN _Noreturn void fc_page_misaligned(void);
#endif

#endif
