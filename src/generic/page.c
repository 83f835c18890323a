/* SPDX-License-Identifier: MIT */
/*
 * Pages in portable C: memmove and memset of portable C, for one size.
 */
#include <stdint.h>

#include <fastcopy/variants.h>

#include "kernels.h"
#include "page_check.h"

#ifndef NDEBUG
static void check(const void *page) {
    if ((uintptr_t)page % FASTCOPY_PAGE_SIZE != 0)
        fc_page_misaligned();
}
#else
static void check(const void *page) {
    (void)page;
}
#endif

void fc_copy_page_generic(void *dst, const void *src) {
    check(dst);
    check(src);
    fc_memmove_generic(dst, src, FASTCOPY_PAGE_SIZE);
}

void fc_clear_page_generic(void *dst) {
    check(dst);
    fc_memset_generic(dst, 0, FASTCOPY_PAGE_SIZE);
}

#define ALIAS(name, target) extern __typeof__(target) name __attribute__((alias(#target)));
ALIAS(fastcopy_copy_page_generic, fc_copy_page_generic)
ALIAS(fc_copy_page_nt_generic, fc_copy_page_generic)
ALIAS(fastcopy_copy_page_nt_generic, fc_copy_page_generic)
ALIAS(fastcopy_clear_page_generic, fc_clear_page_generic)
ALIAS(fc_clear_page_nt_generic, fc_clear_page_generic)
ALIAS(fastcopy_clear_page_nt_generic, fc_clear_page_generic)
