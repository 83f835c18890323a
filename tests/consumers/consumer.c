/* SPDX-License-Identifier: MIT */
/*
 * A program that uses libfastcopy, as C and as C++: calls every operation, a kernel by name, and
 * prints what was chosen, one "key value" a line. Its tests build it in every way that users can.
 */
#include <fastcopy/fastcopy.h>
#include <fastcopy/variants.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SIZE 100000

static unsigned char source[SIZE + 1], target[SIZE + 2];

static int failed;

static void expect(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "consumer: %s\n", what);
        failed = 1;
    }
}

/* n bytes copied from source to target + 1, and nothing around them. */
static void expect_copy(size_t n, const char *op) {
    expect(target[0] == 0 && target[n + 1] == 0, op);
    expect(memcmp(target + 1, source, n) == 0, op);
    memset(target, 0, sizeof target);
}

static void check(size_t n) {
    unsigned char *to = target + 1;
    expect(fastcopy_memcpy(to, source, n) == to, "memcpy: result");
    expect_copy(n, "memcpy");
    expect(fastcopy_memmove(to, source, n) == to, "memmove: result");
    expect_copy(n, "memmove");
    expect(fastcopy_mempcpy(to, source, n) == to + n, "mempcpy: result");
    expect_copy(n, "mempcpy");
    expect(fastcopy_memcpy_nt(to, source, n) == to, "memcpy_nt: result");
    expect_copy(n, "memcpy_nt");
    expect(fastcopy_memcpy_generic(to, source, n) == to, "memcpy_generic: result");
    expect_copy(n, "memcpy_generic");

    unsigned char pattern[64];
    size_t set = n < sizeof pattern ? n : sizeof pattern;
    memset(pattern, 0xA5, sizeof pattern);
    expect(fastcopy_memset(to, 0x1A5, n) == to, "memset: result");
    expect(target[0] == 0 && target[n + 1] == 0, "memset: beyond the end");
    expect(memcmp(to, pattern, set) == 0 && memcmp(to + n - set, pattern, set) == 0, "memset");
    memset(target, 0, sizeof target);
}

int main(void) {
    static const char *const ops[] = {"memcpy",       "memmove",      "mempcpy",   "memset",
                                      "memcpy_nt",    "memset_nt",    "copy_page", "clear_page",
                                      "copy_page_nt", "clear_page_nt"};
    static const size_t sizes[] = {0, 1, 7, 31, 64, 200, 1000, 4096, 10000, SIZE};
    for (size_t i = 0; i < SIZE; i++)
        source[i] = (unsigned char)(i * 7 + i / 251);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check(sizes[i]);

    printf("dispatch %s\n", fastcopy_dispatch());
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const char *name = fastcopy_selected(ops[i]);
        printf("%s %s\n", ops[i], name);
        size_t count = 0, selected = 0;
        const fastcopy_variant *list = fastcopy_variants(ops[i], &count);
        for (size_t k = 0; k < count; k++)
            if (list[k].selected) {
                selected++;
                expect(strcmp(list[k].name, name) == 0, "selected and variants disagree");
                expect(list[k].usable, "a kernel is selected that this CPU cannot run");
            }
        expect(selected == 1, "not exactly one kernel is selected");
    }

    errno = 0;
    int result = fastcopy_select("memcpy", "generic");
    int error = errno;
    if (strcmp(fastcopy_dispatch(), "ifunc") == 0) {
        expect(result == -1 && error == ENOTSUP, "select in the IFUNC form");
    } else {
        expect(result == 0 && strcmp(fastcopy_selected("memmove"), "generic") == 0, "select");
        check(1000);
    }
    return failed;
}
