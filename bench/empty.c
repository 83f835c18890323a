/* SPDX-License-Identifier: MIT */
/*
 * A library of nothing: what preloading any library costs (`fastcopy bench startup`), and what
 * calling a function of any library costs.
 */
#include <fastcopy/fastcopy.h>

FASTCOPY_API void *fastcopy_empty_copy(void *dst, const void *src, size_t n);
FASTCOPY_API void *fastcopy_empty_set(void *dst, int c, size_t n);

void *fastcopy_empty_copy(void *dst, const void *src, size_t n) {
    (void)src;
    (void)n;
    return dst;
}

void *fastcopy_empty_set(void *dst, int c, size_t n) {
    (void)c;
    (void)n;
    return dst;
}
