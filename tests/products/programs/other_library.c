/* SPDX-License-Identifier: MIT */
/* A library to load and unload, which copies memory as it comes and goes. */
#include <string.h>

static char a[1000], b[1000];

__attribute__((constructor, destructor)) static void copy(void) {
    memset(a, 1, sizeof a);
    memcpy(b, a, sizeof a);
}
