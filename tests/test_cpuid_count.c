/* SPDX-License-Identifier: MIT */
/*
 * Detection executes at most 14 CPUIDs, each of which may trap on a virtual machine, and makes no
 * system call. Counted by single steps.
 *
 *     test_cpuid_count [library limit]   counts what loading the library executes instead
 */
#include "support.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stepper.h"

#define CPUID_LIMIT 14

static const char *library;
static unsigned long library_limit;

struct counts {
    unsigned long steps, cpuids, leaf_0, system_calls;
};

static void count_step(const struct stepper_at *at, void *context) {
    struct counts *counts = context;
    unsigned first = at->code[0] | (unsigned)at->code[1] << 8;
    bool cpuid = first == 0xa20f;
    counts->steps++;
    counts->cpuids += cpuid;
    counts->leaf_0 += cpuid && (uint32_t)at->registers.rax == 0;
    /* syscall, sysenter, int 0x80 */
    counts->system_calls += first == 0x050f || first == 0x340f || first == 0x80cd;
}

static struct counts count(void (*run)(void *)) {
    struct counts counts = {0, 0, 0, 0};
    stepper_run(run, NULL, count_step, &counts);
    return counts;
}

/* The child runs one of these. */
static void run_detect(void *unused) {
    static struct fc_cpu cpu;
    (void)unused;
    stepper_mark(NULL);
    fc_cpu_detect(&cpu);
    stepper_mark(NULL);
}

static void run_known(void *unused) {
    (void)unused;
    stepper_mark(NULL);
    for (unsigned i = 0; i < 3; i++) {
        unsigned a = i / 2, b, c = 0, d;
        __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    }
    long number = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
    stepper_mark(NULL);
}

static void run_dlopen(void *unused) {
    (void)unused;
    stepper_mark(NULL);
    if (dlopen(library, RTLD_NOW | RTLD_LOCAL) == NULL)
        _exit(1);
    stepper_mark(NULL);
}

static void test_counter_sees(void **state) {
    (void)state;
    struct counts counts = count(run_known);
    assert_int_equal(counts.cpuids, 3);
    assert_int_equal(counts.leaf_0, 2);
    assert_int_equal(counts.system_calls, 1);
}

static void test_detect(void **state) {
    (void)state;
    struct counts counts = count(run_detect);
    print_message("fc_cpu_detect: %lu CPUIDs, %lu system calls, %lu instructions\n", counts.cpuids,
                  counts.system_calls, counts.steps);
    assert_in_range(counts.cpuids, 1, CPUID_LIMIT);
    assert_int_equal(counts.system_calls, 0);
}

static void test_load(void **state) {
    (void)state;
    struct counts counts = count(run_dlopen);
    print_message("%s: %lu CPUIDs, %lu instructions\n", library, counts.cpuids, counts.steps);
    assert_in_range(counts.cpuids, 1, library_limit);
    /* One detection, no more. (It asks leaf 0 once; twice where cpu_features does not know the
     * vendor and our own reader asks again.) */
    assert_in_range(counts.leaf_0, 1, count(run_detect).leaf_0);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_sees),
        cmocka_unit_test(test_detect),
    };
    static const struct CMUnitTest load[] = {cmocka_unit_test(test_load)};
    if (argc != 3)
        return cmocka_run_group_tests_name("cpuid_count", tests, NULL, NULL);
    library = argv[1];
    library_limit = strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests_name("cpuid_count of a library", load, NULL, NULL);
}
