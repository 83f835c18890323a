/* SPDX-License-Identifier: MIT */
/*
 * Detection executes at most 14 CPUIDs, each of which may trap on a virtual machine, and makes no
 * system call. Counted by single steps: a child stops between two marks, its parent looks at each
 * instruction.
 *
 *     test_cpuid_count [library]   also counts what loading the library executes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "cpu.h"

#if defined(__x86_64__) && defined(__linux__)
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPUID_LIMIT 14

/* Loading and relocating a library takes a few 100,000; more than this is a loop without end. */
#define STEP_LIMIT 50000000

static const char *library;

struct counts {
    unsigned long steps, cpuids, system_calls;
};

/* The child runs one of these between the marks. */
static struct fc_cpu cpu;

static void run_detect(void) {
    fc_cpu_detect(&cpu);
}

static void run_known(void) {
    for (unsigned i = 0; i < 3; i++) {
        unsigned a = 0, b, c = 0, d;
        __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    }
    long number = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
}

static void run_dlopen(void) {
    if (dlopen(library, RTLD_NOW | RTLD_LOCAL) == NULL)
        _exit(1);
}

__attribute__((noinline)) static void mark_begin(void) {
    __asm__ volatile("");
}

__attribute__((noinline)) static void mark_end(void) {
    __asm__ volatile("");
}

static void child(void (*run)(void)) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(2);
    raise(SIGSTOP);
    mark_begin();
    run();
    mark_end();
    _exit(0);
}

/* Skips the test where the system refuses to trace (containers, emulators). */
static struct counts count(void (*run)(void)) {
    struct counts counts = {0, 0, 0};
    int status;
    fflush(NULL); /* the child's copy of the output is not to be written */
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        child(run);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFSTOPPED(status)) {
        print_message("skipped: this system does not allow ptrace\n");
        skip();
    }

    bool counting = false;
    for (unsigned long step = 0; step < STEP_LIMIT; step++) {
        struct user_regs_struct registers;
        if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0) {
            print_message("skipped: this system does not allow ptrace's GETREGS: %s\n",
                          strerror(errno));
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            skip();
        }
        if (registers.rip == (uintptr_t)mark_begin)
            counting = true;
        if (registers.rip == (uintptr_t)mark_end) {
            kill(pid, SIGKILL);
            waitpid(pid, &status, 0);
            return counts;
        }
        if (counting) {
            /* An instruction at a page's end may be shorter than a word: then it is none of these.
             */
            long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)registers.rip, NULL);
            unsigned first = (unsigned)word & 0xffff;
            counts.steps++;
            counts.cpuids += first == 0xa20f;
            /* syscall, sysenter, int 0x80 */
            counts.system_calls += first == 0x050f || first == 0x340f || first == 0x80cd;
        }
        assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFSTOPPED(status))
            fail_msg("the child ended before the mark, status %#x", (unsigned)status);
        if (WSTOPSIG(status) != SIGTRAP)
            fail_msg("the child got signal %d", WSTOPSIG(status));
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    fail_msg("no end after %d steps", STEP_LIMIT);
    return counts;
}

static void test_counter_sees(void **state) {
    (void)state;
    struct counts counts = count(run_known);
    assert_int_equal(counts.cpuids, 3);
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
    if (library == NULL) {
        print_message("skipped: no library named\n");
        skip();
    }
    struct counts counts = count(run_dlopen);
    print_message("%s: %lu CPUIDs, %lu instructions\n", library, counts.cpuids, counts.steps);
    assert_in_range(counts.cpuids, 1, CPUID_LIMIT);
}

int main(int argc, char **argv) {
    if (argc > 1)
        library = argv[1];
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_sees),
        cmocka_unit_test(test_detect),
        cmocka_unit_test(test_load),
    };
    return cmocka_run_group_tests_name("cpuid_count", tests, NULL, NULL);
}
#else
static void test_nothing(void **state) {
    (void)state;
    print_message("skipped: counts CPUID on x86_64 Linux\n");
    skip();
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing)};
    return cmocka_run_group_tests_name("cpuid_count", tests, NULL, NULL);
}
#endif
