/* SPDX-License-Identifier: MIT */
/* A library that uses libfastcopy, first in its constructor. */
#include <fastcopy/fastcopy.h>

static char a[5000], b[5000];
static int wrong;

static void copy(void) {
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = (char)(i * 7 + 1);
    wrong |= fastcopy_memcpy(b, a, sizeof a) != b;
    for (size_t i = 0; i < sizeof a; i++)
        wrong |= a[i] != b[i];
}

__attribute__((constructor)) static void construct(void) {
    copy();
}

int library_wrong(void);
fastcopy_function *library_memcpy(void);

int library_wrong(void) {
    copy();
    return wrong;
}

/* What this library's calls are bound to. */
fastcopy_function *library_memcpy(void) {
    return (fastcopy_function *)fastcopy_memcpy;
}
