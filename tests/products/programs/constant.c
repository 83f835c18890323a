/* SPDX-License-Identifier: MIT */
/*
 * Copies of constant sizes, 0 to 129, as C and as C++: what is copied, over every overlap; the
 * result; that nothing outside is touched, between inaccessible pages; the macros' manners.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fastcopy/fastcopy.h>

#include "constant_sizes.h"

#ifdef __cplusplus
#define CAST(type, value) static_cast<type>(value)
#define NOTHING nullptr
#else
#define CAST(type, value) ((type)(value))
#define NOTHING NULL
#endif

#define LARGEST 129

typedef void *sized_copy(void *dst, const void *src);

#define DEFINE(n)                                                                                  \
    static void *memcpy_##n(void *dst, const void *src) {                                          \
        return fastcopy_memcpy(dst, src, n);                                                       \
    }                                                                                              \
    static void *memmove_##n(void *dst, const void *src) {                                         \
        return fastcopy_memmove(dst, src, n);                                                      \
    }                                                                                              \
    static void *mempcpy_##n(void *dst, const void *src) {                                         \
        return fastcopy_mempcpy(dst, src, n);                                                      \
    }
SIZES_0_32(DEFINE)
SIZES_33_128(DEFINE)
SIZES_129(DEFINE)

static const struct {
    size_t n;
    sized_copy *op[3];
} sizes[] = {
#define LIST(n) {n, {memcpy_##n, memmove_##n, mempcpy_##n}},
    SIZES_0_32(LIST) SIZES_33_128(LIST) SIZES_129(LIST)
#undef LIST
};
static const char *const names[] = {"memcpy", "memmove", "mempcpy"};

static int failed;

static void fail(const char *op, size_t n, const char *what, ptrdiff_t distance) {
    if (failed++ < 20)
        fprintf(stderr, "constant: %s of %zu bytes: %s (dst - src = %td)\n", op, n, what, distance);
}

static void fill(unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = CAST(unsigned char, i * 7 + i / 251 + 1);
}

/* One copy within `area` bytes of memory, checked byte by byte against what it held before. */
static void check(size_t which, size_t op, unsigned char *memory, size_t area, size_t to,
                  size_t from) {
    unsigned char before[4 * LARGEST];
    size_t n = sizes[which].n;
    ptrdiff_t distance = CAST(ptrdiff_t, to) - CAST(ptrdiff_t, from);
    fill(memory, area);
    fill(before, area);
    void *result = sizes[which].op[op](memory + to, memory + from);
    if (result != memory + to + (op == 2 ? n : 0))
        fail(names[op], n, "the result", distance);
    for (size_t i = 0; i < area; i++) {
        unsigned char expected = i >= to && i - to < n ? before[i - to + from] : before[i];
        if (memory[i] != expected) {
            fail(names[op], n, "what was copied", distance);
            break;
        }
    }
}

/* `size` bytes that begin and end at an inaccessible page. */
static unsigned char *guarded(size_t *size) {
    size_t page = CAST(size_t, sysconf(_SC_PAGESIZE));
    void *area =
        mmap(NOTHING, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        return NOTHING;
    unsigned char *bytes = CAST(unsigned char *, area);
    if (mprotect(bytes, page, PROT_NONE) != 0 || mprotect(bytes + 2 * page, page, PROT_NONE) != 0)
        return NOTHING;
    *size = page;
    return bytes + page;
}

/* The size is evaluated once, as the others are, and commas in arguments are taken. */
static void manners(void) {
    struct pair {
        int a, b;
    };
    char from[64], to[64];
    size_t calls = 0;
    memset(to, 0, sizeof to);
    memset(from, 'x', sizeof from);
    char *dst = to;
    const char *src = from;
    fastcopy_memcpy(dst++, src++, (calls++, CAST(size_t, 16)));
    if (calls != 1 || dst != to + 1 || src != from + 1 || to[15] != 'x' || to[16] != 0)
        fail("memcpy", 16, "arguments are not evaluated once", 0);

    struct pair target = {0, 0};
#ifdef __cplusplus
    const pair made[] = {pair{1, 2}};
    ::fastcopy_memmove(&target, made, sizeof target);
#else
    fastcopy_memmove(&target, &(struct pair){1, 2}, sizeof target);
#endif
    if (target.a != 1 || target.b != 2)
        fail("memmove", sizeof target, "a structure", 0);

    /* The function itself. */
    void *(*function)(void *, const void *, size_t) = fastcopy_memcpy;
    void *(*addressed)(void *, const void *, size_t) = &fastcopy_memcpy;
    memset(to, 0, sizeof to);
    if (function != addressed || (fastcopy_memcpy)(to, from, 24) != to || to[23] != 'x' ||
        to[24] != 0)
        fail("memcpy", 24, "the function", 0);
}

int main(void) {
    size_t page = 0;
    unsigned char *source = guarded(&page), *target = guarded(&page);
    if (source == NOTHING || target == NOTHING) {
        perror("constant: mmap");
        return 1;
    }
    for (size_t which = 0; which < sizeof sizes / sizeof sizes[0]; which++) {
        size_t n = sizes[which].n;
        if (n != which)
            fail("all", which, "the list has a gap", 0);
        for (size_t op = 0; op < 3; op++) {
            /* In the middle, at every distance; at the page's begin and end. */
            unsigned char memory[4 * LARGEST];
            size_t middle = 3 * LARGEST / 2;
            for (size_t to = middle - n - 1; to <= middle + n + 1; to++)
                check(which, op, memory, sizeof memory, to, middle);
            check(which, op, target, n, 0, 0);
            check(which, op, target + page - n, n, 0, 0);
            fill(source, page);
            memset(target, 0, page);
            sizes[which].op[op](target, source + page - n);
            sizes[which].op[op](target + page - n, source);
            if (memcmp(target, source + page - n, n) != 0 ||
                memcmp(target + page - n, source, n) != 0)
                fail(names[op], n, "between pages", 0);
        }
    }
    fastcopy_memcpy(target - 1, source - 1, 0);
    fastcopy_memmove(target - 1, source - 1, 0);
    if (fastcopy_mempcpy(target - 1, source - 1, 0) != target - 1)
        fail("mempcpy", 0, "the result", 0);
    manners();
    return failed != 0;
}
