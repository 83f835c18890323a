/* SPDX-License-Identifier: MIT */
/*
 * Every kernel of try_memcpy and try_memset under the harness of `fastcopy check --faults`; and
 * that the harness finds what is wrong with functions that are nearly right.
 */
#include "support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"

static fc_try_copy *given(const void *argument) {
    return (fc_try_copy *)(uintptr_t)argument;
}

static struct fc_faults_verdict check(fc_try_copy *copy, fc_try_set *set, bool past_count,
                                      uint64_t cases) {
    return fc_check_faults(&(struct fc_faults){.prepare = given,
                                               .argument = (const void *)(uintptr_t)copy,
                                               .set = set,
                                               .ours = true,
                                               .past_count = past_count,
                                               .seed = support_random() >> 1,
                                               .cases = cases});
}

static bool system_copies(void) {
    char from = 1, to = 0;
    return fastcopy_try_memcpy_nosig(&to, &from, 1) == 0;
}

static void test_kernels(void **state) {
    (void)state;
    bool quick = support_quick();
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
        const int32_t *table = fc_kernel_faults(kernel);
        if (table == NULL)
            continue;
        bool sets = fc_kernels[kernel].family == FC_FAMILY_try_memset, by_system = table[0] == 0;
        unsigned op = sets ? FC_OP_try_memset : FC_OP_try_memcpy;
        const char *name = fc_kernels[kernel].name;
        if ((fc_kernels[kernel].needs & ~fc_dispatch_state()->cpu.caps) != 0) {
            print_message("%s, %s: not usable here\n", fc_op_name(op), name);
            continue;
        }
        if (by_system && !system_copies()) {
            print_message("%s, %s: skipped: no process_vm_readv (an emulator, or seccomp)\n",
                          fc_op_name(op), name);
            continue;
        }
        fastcopy_function *entry = fc_kernel_entry(kernel, op);
        struct fc_faults_verdict verdict =
            check((fc_try_copy *)(uintptr_t)entry, sets ? (fc_try_set *)(uintptr_t)entry : NULL,
                  (fc_kernels[kernel].traits & FC_TRAIT_PAST_COUNT) != 0, quick ? 110000 : 400000);
        print_message("%s, %s: %llu calls, %llu with faults\n", fc_op_name(op), name,
                      (unsigned long long)verdict.cases, (unsigned long long)verdict.faults);
        if (!verdict.ok)
            fail_msg("%s, %s: %s", fc_op_name(op), name, verdict.reason);
        if (!by_system)
            assert_true(verdict.faults > verdict.cases / 10);
    }
}

/* ---- offenders: the first kernel, and one thing wrong --------------------------------------- */

static fc_try_copy *right;

static size_t one_less(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    return left > 0 && left < n ? left - 1 : left;
}

static size_t one_more(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    return left > 0 && left < n ? left + 1 : left;
}

/* As a kernel counts that copies words and gives up with the first that faults. */
static size_t whole_words(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    return left > 0 ? left + (n - left) % 8 : 0;
}

/* As one that has stored its last word from the end before it found that a word in the middle is
 * bad. */
static size_t tail_first(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    if (left >= 16 && left < n)
        right((char *)dst + (n - left) + 8, (const char *)dst + (n - left), 8);
    return left;
}

/* One byte, of those that it says it copied, is not there. */
static size_t one_missing(void *dst, const void *src, size_t n) {
    size_t done = n - right(dst, src, n);
    if (done > 40 && done < n)
        ((char *)dst)[33] ^= 1;
    return n - done;
}

static size_t before_dst(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    if (n == 77 && left == 0)
        ((char *)dst)[-1] ^= 1;
    return left;
}

static size_t wraps(void *dst, const void *src, size_t n) {
    return (uintptr_t)src + n < (uintptr_t)src ? 0 : right(dst, src, n);
}

static size_t backward(void *dst, const void *src, size_t n) {
    if ((uintptr_t)dst - (uintptr_t)src >= n || n > 4096)
        return right(dst, src, n);
    char all[4096];
    size_t left = right(all, src, n);
    size_t left_there = right(dst, all, n - left);
    return left + left_there;
}

static size_t crashes(void *dst, const void *src, size_t n) {
    if (n == 0)
        raise(SIGSEGV);
    return right(dst, src, n);
}

static size_t thrice(void *dst, const void *src, size_t n) {
    size_t left = right(dst, src, n);
    if (left > 0)
        for (int i = 0; i < 2; i++)
            right((char *)dst + (n - left), (const char *)src + (n - left), left);
    return left;
}

static void test_offenders(void **state) {
    (void)state;
    static const struct {
        const char *name;
        fc_try_copy *function;
    } offenders[] = {
        {"one less", one_less},     {"one more", one_more},       {"whole words", whole_words},
        {"tail first", tail_first}, {"one missing", one_missing}, {"before dst", before_dst},
        {"wraps", wraps},           {"backward", backward},       {"crashes", crashes},
        {"thrice", thrice},
    };
    unsigned kernel = 0;
    while (kernel < FC_KERNEL_COUNT &&
           (fc_kernels[kernel].family != FC_FAMILY_try_memcpy || fc_kernel_faults(kernel)[0] == 0 ||
            (fc_kernels[kernel].needs & ~fc_dispatch_state()->cpu.caps) != 0))
        kernel++;
    if (kernel == FC_KERNEL_COUNT) {
        print_message("skipped: no kernel of this kind here\n");
        skip();
    }
    right = (fc_try_copy *)(uintptr_t)fc_kernel_entry(kernel, FC_OP_try_memcpy);
    for (size_t i = 0; i < COUNT(offenders); i++) {
        struct fc_faults_verdict verdict = check(offenders[i].function, NULL, false, 100000);
        if (verdict.ok)
            fail_msg("%s: nothing was found wrong in %llu calls", offenders[i].name,
                     (unsigned long long)verdict.cases);
        print_message("%s: %s\n", offenders[i].name, verdict.reason);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_offenders),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
