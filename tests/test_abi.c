/* SPDX-License-Identifier: MIT */
/*
 * What callers rely on without looking: registers, flags, vector state, the stack, signals, and
 * that aligned words are not torn. Each check first proves itself on a kernel that breaks the rule.
 */
#include "abi.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define BUFFER_SIZE ((size_t)16384)

static _Alignas(FASTCOPY_PAGE_SIZE) unsigned char buffer[2 * BUFFER_SIZE];

static void fill_buffer(void) {
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] =
            (unsigned char)(support_random() | 1); /* no zeros: they would hide dirty halves */
}

/* Every size class, apart and overlapping both ways. */
static unsigned watch_sizes(const struct subject *subject) {
    unsigned broken = 0;
    for (size_t n = 0; n <= BUFFER_SIZE / 2; n += n < 600 ? 1 : 61) {
        unsigned char *src = buffer + support_random_below(64);
        if (fc_op_sets(subject->op)) {
            broken |= abi_watch(subject->variant->entry, src, 0x5a, n);
            continue;
        }
        const size_t distances[] = {BUFFER_SIZE, 100, 33};
        for (size_t i = 0; i < COUNT(distances); i++) {
            unsigned char *dst = src + distances[i];
            broken |= abi_watch(subject->variant->entry, dst, (uint64_t)(uintptr_t)src, n);
            broken |= abi_watch(subject->variant->entry, src, (uint64_t)(uintptr_t)dst, n);
        }
    }
    return broken;
}

static unsigned watch_pages(const struct subject *subject) {
    unsigned char *to = buffer, *from = buffer + BUFFER_SIZE;
    return abi_watch(subject->variant->entry, to, (uint64_t)(uintptr_t)from, 0) |
           abi_watch(subject->variant->entry, to, (uint64_t)(uintptr_t)to, 0);
}

static void test_kernel(void **state) {
    const struct subject *subject = support_subject(state);
    unsigned broken = 0;
    for (size_t setting = 0; setting < support_settings_count; setting++) {
        support_set_thresholds(setting);
        fill_buffer();
        broken |= fc_op_is_page(subject->op) ? watch_pages(subject) : watch_sizes(subject);
    }
    if (strcmp(subject->variant->name, "generic") == 0)
        broken &= ~abi_compiled_rules;
    for (unsigned rule = 0; rule < abi_rule_count; rule++)
        if ((broken >> rule & 1) != 0)
            print_error("%s\n", abi_rule_text[rule]);
    assert_int_equal(broken, 0);
}

/* ---- offenders ------------------------------------------------------------------------------ */

static unsigned watch_offender(fastcopy_function *function) {
    fill_buffer();
    return abi_watch(function, buffer, (uint64_t)(uintptr_t)(buffer + BUFFER_SIZE), 200);
}

static void test_offenders(void **state) {
    (void)state;
    for (size_t i = 0; i < abi_offender_count; i++)
        if (abi_offenders[i].needs == 0 || abi_have(abi_offenders[i].needs))
            assert_int_equal(watch_offender(abi_offenders[i].function), abi_offenders[i].broken);
}

/* ---- signals -------------------------------------------------------------------------------- */

static volatile sig_atomic_t signals_taken;

/* A handler that uses its stack, on the stack of the code that it interrupts. */
static void on_signal(int signal) {
    volatile unsigned char scratch[2048];
    for (size_t i = 0; i < sizeof scratch; i++)
        scratch[i] = (unsigned char)signal;
    signals_taken++;
}

static void set_timer(long interval_us) {
    struct itimerval timer = {{0, interval_us}, {0, interval_us}};
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Copies for that long while signals rain; true if all results were right. */
static bool right_under_signals(const struct subject *subject, double seconds) {
    bool right = true;
    signals_taken = 0;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    set_timer(50);
    for (double end = now() + seconds; right && now() < end;) {
        size_t n = support_random_below(BUFFER_SIZE - 64);
        unsigned char *dst = buffer + support_random_below(64);
        unsigned char *src = buffer + BUFFER_SIZE + support_random_below(64);
        int c = (int)support_random_below(256);
        for (size_t i = 0; i < n; i++)
            dst[i] = (unsigned char)~src[i];
        if (fc_op_sets(subject->op)) {
            support_set(subject, dst, c, n);
            for (size_t i = 0; i < n; i++)
                right &= dst[i] == c;
        } else {
            support_copy(subject, dst, src, n);
            right &= memcmp(dst, src, n) == 0;
        }
    }
    set_timer(0);
    return right;
}

static void test_signals(void **state) {
    const struct subject *subject = support_subject(state);
    fill_buffer();
    for (size_t setting = 0; setting < support_settings_count; setting++) {
        support_set_thresholds(setting);
        if (!right_under_signals(subject, support_quick() ? 0.01 : 0.04))
            support_fail("wrong result while signals arrive");
        if (signals_taken == 0)
            support_fail("no signal came: nothing was tested");
    }
}

static void test_signal_offender(void **state) {
    (void)state;
    struct subject subject = support_offender(FC_OP_memmove, "offender", abi_bad_scratch);
    fill_buffer();
    assert_false(right_under_signals(&subject, 5));
    subject = support_offender(FC_OP_memmove, "good", abi_good);
    assert_true(right_under_signals(&subject, 0.05));
}

/* ---- torn words: FC_TRAIT_ATOMIC8 ----------------------------------------------------------- */

#define TEAR_WORDS 1024

/* Each word, when whole, is one byte eight times. */
static bool torn(uint64_t word) {
    return word != (word & 0xff) * UINT64_C(0x0101010101010101);
}

/* Two threads: one runs the kernel, the other reads what it writes, or writes what it reads. */
static struct {
    _Alignas(FASTCOPY_PAGE_SIZE) uint64_t shared[TEAR_WORDS];
    size_t first, last; /* each call covers these words, whole */
    bool stop, torn;
} tear;

static void *watch_shared(void *unused) {
    while (!__atomic_load_n(&tear.stop, __ATOMIC_RELAXED))
        for (size_t i = tear.first; i < tear.last; i++)
            if (torn(__atomic_load_n(&tear.shared[i], __ATOMIC_RELAXED)))
                __atomic_store_n(&tear.torn, true, __ATOMIC_RELAXED);
    return unused;
}

static void *change_shared(void *unused) {
    for (uint64_t value = 0; !__atomic_load_n(&tear.stop, __ATOMIC_RELAXED); value = ~value)
        for (size_t i = tear.first; i < tear.last; i++)
            __atomic_store_n(&tear.shared[i], value, __ATOMIC_RELAXED);
    return unused;
}

/* One pair of ends, many calls. */
static void tear_for(const struct subject *subject, void *(*other)(void *), double seconds) {
    enum { PAGE_WORDS = FASTCOPY_PAGE_SIZE / sizeof(uint64_t), ROOM = 3 * PAGE_WORDS };
    static _Alignas(FASTCOPY_PAGE_SIZE) uint64_t own[2][ROOM], copied[ROOM];
    _Static_assert(ROOM >= TEAR_WORDS + 8, "a page and more");
    bool page = fc_op_is_page(subject->op);
    /* Short ones most often: kernels take them by other ways than long ones. */
    size_t words = 1 + support_random_below((size_t)1 << support_random_below(11));
    if (words > TEAR_WORDS - 8)
        words = TEAR_WORDS - 8;
    /* Words of both are aligned, vectors any way. */
    size_t place = support_random_below(8);
    tear.first = support_random_below(8);
    if (page) {
        words = PAGE_WORDS;
        place = tear.first = 0;
    }
    tear.last = tear.first + words;
    tear.stop = false;
    for (size_t i = 0; i < TEAR_WORDS; i++)
        tear.shared[i] = 0;
    for (size_t i = 0; i < COUNT(own[1]); i++)
        own[1][i] = UINT64_MAX;
    uint64_t *shared = tear.shared + tear.first;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, other, NULL), 0);
    double end = now() + seconds;
    for (unsigned which = 1; now() < end; which ^= 1)
        for (int i = 0; i < 25; i++, which ^= 1) {
            if (other == change_shared) {
                if (page)
                    support_page(subject, copied, shared);
                else
                    support_copy(subject, copied + place, shared, 8 * words);
                for (size_t word = 0; word < words; word++)
                    if (torn(copied[place + word]))
                        __atomic_store_n(&tear.torn, true, __ATOMIC_RELAXED);
            } else if (page) {
                for (size_t word = 0; which == 0 && word < words; word++)
                    __atomic_store_n(&shared[word], UINT64_MAX, __ATOMIC_RELAXED);
                support_page(subject, shared, own[which]);
            } else if (fc_op_sets(subject->op)) {
                support_set(subject, shared, which == 0 ? 0 : 0xff, 8 * words);
            } else {
                support_copy(subject, shared, own[which] + place, 8 * words);
            }
        }
    __atomic_store_n(&tear.stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

static bool tears_words(const struct subject *subject, void *(*other)(void *), double seconds) {
    tear.torn = false;
    for (double end = now() + seconds; now() < end && !tear.torn;)
        tear_for(subject, other, 0.004);
    return tear.torn;
}

static void skip_on_one_cpu(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) < 2) {
        print_message("skipped: on one CPU the threads seldom meet within a word\n");
        skip();
    }
}

static void test_torn_words(void **state) {
    const struct subject *subject = support_subject(state);
    if ((fc_kernels[subject->kernel].traits & FC_TRAIT_ATOMIC8) == 0) {
        print_message("skipped: not promised for this kernel\n");
        skip();
    }
    skip_on_one_cpu();
    for (size_t setting = SUPPORT_NEVER; setting <= SUPPORT_STREAMING; setting++) {
        support_set_thresholds(setting);
        if (tears_words(subject, watch_shared, 0.15))
            support_fail("a reader saw half a word");
        if (fc_op_sets(subject->op))
            return; /* it has no streaming stores */
        bool copies = !fc_op_is_page(subject->op) || fc_op_copies_page(subject->op);
        if (copies && tears_words(subject, change_shared, 0.15))
            support_fail("half a word was read");
        if (fc_op_is_page(subject->op))
            return; /* no threshold is asked */
    }
}

static void *copy_bytes(void *dst, const void *src, size_t n) {
    volatile unsigned char *to = dst;
    const volatile unsigned char *from = src;
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
    return dst;
}

static void test_torn_offender(void **state) {
    (void)state;
    skip_on_one_cpu();
    struct subject subject =
        support_offender(FC_OP_memmove, "bytes", (fastcopy_function *)copy_bytes);
    assert_true(tears_words(&subject, watch_shared, 10));
    assert_true(tears_words(&subject, change_shared, 10));
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS];
    const struct CMUnitTest offenders[] = {
        cmocka_unit_test(test_offenders),
        cmocka_unit_test(test_signal_offender),
        cmocka_unit_test(test_torn_offender),
    };
    abi_prepare();
    int failed = cmocka_run_group_tests_name("offenders", offenders, NULL, NULL);
    size_t count = support_kernel_tests(tests, test_kernel);
    failed += _cmocka_run_group_tests("registers and stack", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_kernel);
    failed += _cmocka_run_group_tests("registers and stack, pages", tests, count, NULL, NULL);
    count = support_kernel_tests(tests, test_signals);
    failed += _cmocka_run_group_tests("signals", tests, count, NULL, NULL);
    support_kernel_tests(tests, test_torn_words);
    failed += _cmocka_run_group_tests("torn words", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_torn_words);
    failed += _cmocka_run_group_tests("torn words, pages", tests, count, NULL, NULL);
    return failed;
}
