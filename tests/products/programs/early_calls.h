/* SPDX-License-Identifier: MIT */
/*
 * Calls each name of the preload library through the PLT and checks what it did, without help from
 * libc and without relocated data: it runs in IFUNC resolvers. Compiled with -fno-builtin.
 */
#ifndef EARLY_CALLS_H
#define EARLY_CALLS_H

#include <stddef.h>
#include <string.h>
#include <strings.h>

void *__memcpy_chk(void *dst, const void *src, size_t n, size_t size);
void *__memmove_chk(void *dst, const void *src, size_t n, size_t size);
void *__mempcpy_chk(void *dst, const void *src, size_t n, size_t size);
void *__memset_chk(void *dst, int c, size_t n, size_t size);

#define EARLY_SIZE 3000

static char early_source[EARLY_SIZE], early_target[EARLY_SIZE];

/* Were the first n bytes copied (or set to zero), and no more? Readies the target for the next
 * call. */
static int early_differs(size_t n, int zeroed) {
    int differs = 0;
    for (size_t i = 0; i < EARLY_SIZE; i++) {
        char expected = i >= n ? 'x' : zeroed ? 0 : early_source[i];
        differs |= early_target[i] != expected;
        early_target[i] = 'x';
    }
    return differs;
}

static inline int early_calls(void) {
    static const short sizes[] = {0, 1, 15, 64, 300, EARLY_SIZE};
    int wrong = 0;
    for (size_t i = 0; i < EARLY_SIZE; i++)
        early_source[i] = (char)(i * 7 + 1);
    early_differs(0, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = (size_t)sizes[i];
        char *to = early_target;
        const char *from = early_source;
        wrong |= memcpy(to, from, n) != to || early_differs(n, 0);
        wrong |= memmove(to, from, n) != to || early_differs(n, 0);
        wrong |= mempcpy(to, from, n) != to + n || early_differs(n, 0);
        wrong |= memset(to, 0, n) != to || early_differs(n, 1);
        wrong |= __memcpy_chk(to, from, n, n) != to || early_differs(n, 0);
        wrong |= __memmove_chk(to, from, n, n) != to || early_differs(n, 0);
        wrong |= __mempcpy_chk(to, from, n, n) != to + n || early_differs(n, 0);
        wrong |= __memset_chk(to, 0, n, n) != to || early_differs(n, 1);
        bcopy(from, to, n);
        wrong |= early_differs(n, 0);
        bzero(to, n);
        wrong |= early_differs(n, 1);
    }
    return wrong;
}

#endif
