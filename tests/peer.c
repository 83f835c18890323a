/* SPDX-License-Identifier: MIT */
/* Another implementation of memcpy for `fastcopy bench --peer`; its name is given by the build. */
#include <stddef.h>

void *PEER_NAME(void *dst, const void *src, size_t n);

/* volatile: or the compiler would make a call of memcpy of it, that is of itself. */
void *PEER_NAME(void *dst, const void *src, size_t n) {
    volatile unsigned char *to = dst;
    const unsigned char *from = src;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    return dst;
}
