/* SPDX-License-Identifier: MIT */
/*
 * Calls with the sizes X(n) of SIZES, or with other arguments, for constant.sh to look at what they
 * were compiled to, in C and in C++.
 */
#include <fastcopy/fastcopy.h>

#include "constant_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DECLARE(name) void *name(void *dst, const void *src, size_t n)
#define DEFINE(name, call)                                                                         \
    DECLARE(name);                                                                                 \
    DECLARE(name) {                                                                                \
        (void)n;                                                                                   \
        return call;                                                                               \
    }
#define COPIES(size)                                                                               \
    DEFINE(user_memcpy_##size, fastcopy_memcpy(dst, src, size))                                    \
    DEFINE(user_memmove_##size, fastcopy_memmove(dst, src, size))                                  \
    DEFINE(user_mempcpy_##size, fastcopy_mempcpy(dst, src, size))

#if defined(VARIABLE)
COPIES(n)
#elif defined(PARENTHESES)
DEFINE(user_memcpy, (fastcopy_memcpy)(dst, src, 16))
DEFINE(user_memmove, (fastcopy_memmove)(dst, src, 16))
DEFINE(user_mempcpy, (fastcopy_mempcpy)(dst, src, 16))
#else
SIZES(COPIES)
#endif

#ifdef __cplusplus
}
#endif
