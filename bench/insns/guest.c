/* SPDX-License-Identifier: MIT */
/*
 * The program whose instructions bench/insns/count counts, under qemu-user with plugin.c:
 *
 *     guest LIBRARY SYMBOL N:SRC:DST...   calls the function for each size and pair of offsets from a page
 *     guest LIBRARY                       what libfastcopy chose, and the kernels that can run here
 *
 * The first number is that of a function that only returns, by which the others are corrected; the second is no
 * count: 1 if the function begins with a landing pad.
 */
#include "marks.h"

#include <dlfcn.h>
#include <fastcopy/fastcopy.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };
static _Alignas(4096) unsigned char dst[ROOM], src[ROOM];

typedef void copy_function(void *dst, const void *src, size_t n);

/* One instruction, where its kind of machine has an instruction that returns. */
static void nothing(void *d, const void *s, size_t n) {
    (void)d, (void)s, (void)n;
}

/* One place that calls, so that it costs the same whatever is called. */
static __attribute__((noinline)) void count(copy_function *function, size_t n, size_t from,
                                            size_t to) {
    syscall(FC_MARK_SYSCALL, FC_MARK_BEGIN);
    function(dst + to, src + from, n);
    syscall(FC_MARK_SYSCALL, FC_MARK_END);
}

/* Where indirect jumps may land: `bti c`; glibc has a nop there where it was built without. */
static int begins_with_landing_pad(copy_function *function) {
#ifdef __aarch64__
    uint32_t first;
    memcpy(&first, (const void *)(uintptr_t)function, sizeof first);
    return first == 0xd503245f || first == 0xd503201f;
#else
    (void)function;
    return 0;
#endif
}

static int list(void *library) {
    const fastcopy_variant *(*variants)(const char *, size_t *);
    *(void **)&variants = dlsym(library, "fastcopy_variants");
    if (!variants) {
        fprintf(stderr, "guest: %s\n", dlerror());
        return 1;
    }
    size_t number;
    const fastcopy_variant *all = variants("memcpy", &number);
    for (size_t i = 0; i < number; i++)
        if (all[i].usable)
            printf("%s%s\n", all[i].selected ? "*" : "", all[i].name);
    return 0;
}

int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "guest: %s\n", argc > 1 ? dlerror() : "no library");
        return 1;
    }
    if (argc == 2)
        return list(library);
    copy_function *function;
    *(void **)&function = dlsym(library, argv[2]);
    if (!function) {
        fprintf(stderr, "guest: %s\n", dlerror());
        return 1;
    }
    count(nothing, 0, 0, 0); /* binds syscall() */
    count(nothing, 0, 0, 0);
    printf("%d\n", begins_with_landing_pad(function));
    fflush(stdout);
    for (int i = 3; i < argc; i++) {
        size_t n, from, to;
        if (sscanf(argv[i], "%zu:%zu:%zu", &n, &from, &to) != 3 || n > ROOM / 2 ||
            from > ROOM / 2 || to > ROOM / 2) {
            fprintf(stderr, "guest: %s: not N:SRC:DST within %d\n", argv[i], ROOM / 2);
            return 1;
        }
        count(function, n, from, to);
    }
    return 0;
}
