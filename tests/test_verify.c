/* SPDX-License-Identifier: MIT */
/* `fastcopy check` must find what is wrong: kernels that each break one promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "registry.h"
#include "verify.h"

typedef volatile unsigned char byte;

static void copy_up(byte *to, const byte *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

static void *correct(void *dst, const void *src, size_t n) {
    byte *to = dst;
    const byte *from = src;
    if ((uintptr_t)dst - (uintptr_t)src >= n)
        copy_up(to, from, n);
    else
        while (n-- > 0)
            to[n] = from[n];
    return dst;
}

static void *correct_set(void *dst, int c, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((byte *)dst)[i] = (unsigned char)c;
    return dst;
}

static void *always_upwards(void *dst, const void *src, size_t n) {
    copy_up(dst, src, n);
    return dst;
}

static void *one_byte_short(void *dst, const void *src, size_t n) {
    return correct(dst, src, n == 777 ? 776 : n);
}

static void *one_byte_more(void *dst, const void *src, size_t n) {
    if (n == 33 && (uintptr_t)dst % 4096 < 4000)
        ((byte *)dst)[33] = (unsigned char)~((byte *)dst)[33];
    return correct(dst, src, n);
}

static void *reads_beyond(void *dst, const void *src, size_t n) {
    if (n > 0)
        (void)((const byte *)src)[n];
    return correct(dst, src, n);
}

static void *reads_before(void *dst, const void *src, size_t n) {
    if (n > 0)
        (void)((const byte *)src)[-1];
    return correct(dst, src, n);
}

static void *touches_at_zero(void *dst, const void *src, size_t n) {
    (void)*(const byte *)src;
    return correct(dst, src, n);
}

static void *writes_source(void *dst, const void *src, size_t n) {
    if (n == 100)
        *(byte *)(uintptr_t)src = 1;
    return correct(dst, src, n);
}

static void *returns_end(void *dst, const void *src, size_t n) {
    return (unsigned char *)correct(dst, src, n) + n;
}

static void *never_returns(void *dst, const void *src, size_t n) {
    if (n == 5)
        _exit(0);
    return correct(dst, src, n);
}

static struct fc_verdict verify(unsigned op, fastcopy_function *function) {
    return fc_verify(&(struct fc_verify){.op = op, .function = function, .seed = 1});
}

/* The reason must say n and, where it is certain, what happened. */
static void assert_found(void *(*function)(void *, const void *, size_t), const char *call,
                         const char *what) {
    struct fc_verdict verdict = verify(FC_OP_memmove, (fastcopy_function *)function);
    print_message("%s\n", verdict.reason);
    assert_false(verdict.ok);
    assert_non_null(strstr(verdict.reason, call));
    assert_non_null(strstr(verdict.reason, what));
}

static void correct_ones_pass(void **state) {
    (void)state;
    struct fc_verdict verdict = verify(FC_OP_memmove, (fastcopy_function *)correct);
    print_message("%s\n", verdict.reason);
    assert_true(verdict.ok);
    assert_true(verdict.calls > 100000);
    assert_true(verify(FC_OP_memset, (fastcopy_function *)correct_set).ok);
    assert_true(verify(FC_OP_mempcpy, (fastcopy_function *)returns_end).ok);
}

static void wrong_ones_are_found(void **state) {
    (void)state;
    assert_found(always_upwards, "src = dst-", "dst[");
    assert_found(one_byte_short, "n = 777", "dst[776] is ");
    assert_found(one_byte_more, "n = 33", "dst[33] is ");
    assert_found(reads_beyond, "n = 1,", "at src+1");
    assert_found(reads_before, "n = 1,", "at src-1");
    assert_found(touches_at_zero, "n = 0", "at ");
    assert_found(writes_source, "n = 100", "at src+0");
    assert_found(returns_end, "n = 1,", "returned dst+1");
    assert_found(never_returns, "n = 5", "the process ended");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(correct_ones_pass),
                                       cmocka_unit_test(wrong_ones_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
