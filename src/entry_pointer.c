/* SPDX-License-Identifier: MIT */
/* The operations in the pointer form: static library, musl, and anywhere without IFUNC. */
#include "entry.h"

FASTCOPY_API void *fastcopy_memcpy(void *dst, const void *src, size_t n) {
    return fc_call_memcpy(dst, src, n);
}

FASTCOPY_API void *fastcopy_memmove(void *dst, const void *src, size_t n) {
    return fc_call_memmove(dst, src, n);
}

FASTCOPY_API void *fastcopy_mempcpy(void *dst, const void *src, size_t n) {
    return fc_call_mempcpy(dst, src, n);
}

FASTCOPY_API void *fastcopy_memset(void *dst, int c, size_t n) {
    return fc_call_memset(dst, c, n);
}

FASTCOPY_API void *fastcopy_memcpy_nt(void *dst, const void *src, size_t n) {
    return fc_call_memcpy_nt(dst, src, n);
}

FASTCOPY_API void *fastcopy_memset_nt(void *dst, int c, size_t n) {
    return fc_call_memset_nt(dst, c, n);
}

FASTCOPY_API void fastcopy_copy_page(void *dst, const void *src) {
    fc_call_copy_page(dst, src);
}

FASTCOPY_API void fastcopy_clear_page(void *dst) {
    fc_call_clear_page(dst);
}

FASTCOPY_API void fastcopy_copy_page_nt(void *dst, const void *src) {
    fc_call_copy_page_nt(dst, src);
}

FASTCOPY_API void fastcopy_clear_page_nt(void *dst) {
    fc_call_clear_page_nt(dst);
}

const char fc_dispatch_form[] = "pointer";
const int fc_dispatch_movable = 1;
const unsigned char fc_dispatch_serves[FC_OP_COUNT] = {
#define FC_OP(op, family) 1,
#include "ops.def"
#undef FC_OP
};
