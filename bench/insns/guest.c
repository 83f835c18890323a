/* SPDX-License-Identifier: MIT */
/*
 * The program whose instructions bench/insns/count counts, under qemu-user with plugin.c:
 *
 *     guest LIBRARY SYMBOL N:SRC:DST...   calls the function for each size and pair of offsets from
 * a page guest LIBRARY                       what libfastcopy chose, and the kernels that can run
 * here
 *
 * Printed are the beginning of the function's code and the counts; before them the same of a
 * function that only returns, for what the call itself takes.
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

/* One instruction, and a landing pad if the compiler was told to make them. */
static void nothing(void *d, const void *s, size_t n) {
    (void)d, (void)s, (void)n;
}

/* One place that calls, so that it costs the same whatever is called. */
static __attribute__((noinline)) void count(copy_function *function, size_t n, size_t from,
                                            size_t to) {
    syscall(FC_MARK_SYSCALL, (long)FC_MARK_BEGIN);
    function(dst + to, src + from, n);
    syscall(FC_MARK_SYSCALL, (long)FC_MARK_END);
}

/* The beginning of its code, by which bench/insns/count knows functions that have no names here. */
static void print_code(copy_function *function) {
    const unsigned char *code = (const unsigned char *)(uintptr_t)function;
#if defined _CALL_ELF && _CALL_ELF == 1 /* a pointer to a function points to its descriptor */
    memcpy(&code, code, sizeof code);
#endif
    for (int i = 0; i < 256; i++)
        printf("%02x", code[i]);
    printf("\n");
    fflush(stdout);
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
    syscall(FC_MARK_SYSCALL, 0L); /* binds it */
    print_code(nothing);
    count(nothing, 0, 0, 0);
    print_code(function);
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
