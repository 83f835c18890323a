/* SPDX-License-Identifier: MIT */
/*
 * Not a byte outside the buffers is touched, not even one in the same word: read, or written with
 * the value that it had. Guard pages see only what crosses into them and canaries only what
 * changes, so here the CPU's debug registers watch the bytes next to both buffers.
 */
#include "support.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Before and after the source and the destination: x86 has four debug registers. */
#define WATCHES 4

static int watches[WATCHES];
static bool watching;
static unsigned char idle; /* watched by those that have nothing to do */

static struct perf_event_attr describe(const void *address) {
    return (struct perf_event_attr){
        .type = PERF_TYPE_BREAKPOINT,
        .size = sizeof(struct perf_event_attr),
        .bp_type = HW_BREAKPOINT_RW,
        .bp_addr = (uintptr_t)address,
        .bp_len = HW_BREAKPOINT_LEN_1,
        .pinned = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
}

static void start_watching(void) {
    for (size_t i = 0; i < WATCHES; i++) {
        struct perf_event_attr attributes = describe(&idle);
        watches[i] = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
        if (watches[i] < 0) {
            print_message("no debug registers: %s\n", strerror(errno));
            return;
        }
    }
    watching = true;
}

static void watch(size_t i, const void *address) {
    struct perf_event_attr attributes = describe(address);
    assert_int_equal(ioctl(watches[i], PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attributes), 0);
}

static uint64_t accesses(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < WATCHES; i++) {
        uint64_t count;
        assert_int_equal(read(watches[i], &count, sizeof count), sizeof count);
        sum += count;
    }
    return sum;
}

/* ---- one call ------------------------------------------------------------------------------- */

static unsigned char buffer[1 << 16];

/* Does the kernel touch a neighbour of what it was given? */
static bool strays(const struct subject *subject, unsigned char *dst, unsigned char *src,
                   size_t n) {
    bool set = fc_op_sets(subject->op);
    /* Where the buffers overlap, only the ends of both together have strangers for neighbours. */
    bool apart = set || dst + n < src || src + n < dst;
    unsigned char *low = dst < src ? dst : src, *high = dst < src ? src : dst;
    watch(0, apart ? dst - 1 : low - 1);
    watch(1, apart ? dst + n : high + n);
    watch(2, apart && !set ? src - 1 : &idle);
    watch(3, apart && !set ? src + n : &idle);
    uint64_t before = accesses();
    if (set)
        support_set(subject, dst, 0, n);
    else
        support_copy(subject, dst, src, n);
    return accesses() != before;
}

static bool strays_anywhere(const struct subject *subject, size_t n) {
    unsigned char *low = buffer + 64, *high = buffer + sizeof buffer / 2;
    for (int times = 0; times < 2; times++) {
        size_t one = support_random_below(64), other = support_random_below(64);
        size_t distance = support_random_below(n + 1);
        if (strays(subject, low + one, high + other, n) ||
            strays(subject, high + one, low + other, n) ||
            strays(subject, low + one + distance, low + one, n) ||
            strays(subject, low + one, low + one + distance, n))
            return true;
    }
    return false;
}

/* ---- the tests ------------------------------------------------------------------------------ */

static void skip_unless_watching(void) {
    if (!watching) {
        print_message("skipped: the kernel, or an emulator, does not lend us debug registers\n");
        skip();
    }
}

static void test_kernel(void **state) {
    const struct subject *subject = support_subject(state);
    skip_unless_watching();
    for (size_t setting = 0; setting < support_settings_count; setting++) {
        support_set_thresholds(setting);
        for (size_t n = 0; n < 9000; n += n < 300 ? 1 : n / 16)
            if (strays_anywhere(subject, n))
                support_fail("touched a byte next to a buffer");
    }
}

static bool after, written;

/* A copy that also reads, or writes back, one byte next to a buffer. */
static void *copy_and_stray(void *dst, const void *src, size_t n) {
    unsigned char *to = dst;
    for (size_t i = 0; i < n; i++)
        to[i] = ((const volatile unsigned char *)src)[i];
    volatile unsigned char *neighbour =
        (volatile unsigned char *)(uintptr_t)(written ? dst : src) + (after ? n : (size_t)-1);
    unsigned char value = *neighbour;
    if (written)
        *neighbour = value;
    return dst;
}

static void *copy_well(void *dst, const void *src, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)dst)[i] = ((const volatile unsigned char *)src)[i];
    return dst;
}

static void test_offenders(void **state) {
    (void)state;
    skip_unless_watching();
    unsigned char *dst = buffer + 100, *src = buffer + 1000;
    struct subject good = support_offender(FC_OP_memmove, "good", (fastcopy_function *)copy_well);
    for (size_t n = 0; n < 20; n++)
        assert_false(strays(&good, dst, src, n));
    struct subject offender =
        support_offender(FC_OP_memmove, "offender", (fastcopy_function *)copy_and_stray);
    for (int kind = 0; kind < 4; kind++) {
        after = kind & 1;
        written = kind >> 1;
        for (size_t n = 0; n < 20; n++)
            assert_true(strays(&offender, dst, src, n));
    }
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS + 1];
    size_t count = support_kernel_tests(tests, test_kernel);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_offenders);
    start_watching();
    return _cmocka_run_group_tests("bounds", tests, count, NULL, NULL);
}
