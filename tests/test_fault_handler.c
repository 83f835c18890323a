/* SPDX-License-Identifier: MIT */
/*
 * The handler behind fastcopy_fault_install(): which signals are ours, and that all others end
 * where they would without us. Each case is a child, since most of them die or install handlers;
 * it says on its exit status what it saw.
 */
#include "support.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"

#ifndef SEGV_MTEAERR
#define SEGV_MTEAERR 8
#endif

enum { GOOD = 100, N = 200 };

/* The child's: GOOD bytes before a page that is not there. */
static unsigned char *bad_src, *bad_page;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            dprintf(2, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                     \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static void survive(void) {
    static __thread unsigned char dst[N];
    memset(dst, 0x55, sizeof dst);
    errno = 4242;
    CHECK(fastcopy_try_memcpy(dst, bad_src, N) == N - GOOD);
    CHECK(errno == 4242);
    CHECK(memcmp(dst, bad_src, GOOD) == 0);
    for (size_t i = GOOD; i < N; i++)
        CHECK(dst[i] == 0x55);
    CHECK(fastcopy_try_memset(bad_src, 7, N) == N - GOOD);
}

/* Runs it in a child that has a bad page and no handlers; returns its status. */
static int run(void (*child)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(20);
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(SIGSEGV, &standard, NULL);
        sigaction(SIGBUS, &standard, NULL);
        size_t size = (size_t)sysconf(_SC_PAGESIZE);
        unsigned char *memory =
            mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(memory != MAP_FAILED);
        bad_page = memory + size;
        CHECK(mprotect(bad_page, size, PROT_NONE) == 0);
        bad_src = bad_page - GOOD;
        memset(bad_src, 7, GOOD); /* and so it stays, whatever other threads do */
        child();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void assert_exits(void (*child)(void)) {
    int status = run(child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void assert_killed(void (*child)(void), int sig) {
    int status = run(child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), sig);
}

/* ---- a handler of the program's ----------------------------------------------------------------
 */

static volatile sig_atomic_t seen;
static void *volatile seen_address;
static volatile int seen_code;
static sigjmp_buf back;

static void see(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    seen++;
    seen_address = info->si_addr;
    seen_code = info->si_code;
}

static void see_and_jump(int sig, siginfo_t *info, void *context) {
    see(sig, info, context);
    siglongjmp(back, 1);
}

static void see_plain(int sig) {
    (void)sig;
    seen++;
    siglongjmp(back, 1);
}

static void set_handler(int sig, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    CHECK(sigaction(sig, &action, NULL) == 0);
}

/* volatile: the compiler may not think about what it does. */
static void fault(void) {
    *(volatile unsigned char *)bad_page;
}

/* ---- cases -------------------------------------------------------------------------------------
 */

static void mode_before_and_after(void) {
    CHECK(strcmp(fastcopy_fault_mode(), support_emulated() ? "none" : "syscalls") == 0);
    CHECK(fastcopy_fault_install() == 0);
    CHECK(strcmp(fastcopy_fault_mode(), "signals") == 0);
    CHECK(fastcopy_fault_install() == 0);
    survive();
    set_handler(SIGBUS, see, 0);
    CHECK(strcmp(fastcopy_fault_mode(), "foreign") == 0);
    errno = 0;
    CHECK(fastcopy_fault_install() == -1 && errno == EBUSY);
    signal(SIGBUS, SIG_DFL);
    CHECK(fastcopy_fault_install() == 0);
    CHECK(strcmp(fastcopy_fault_mode(), "signals") == 0);
    survive();
}

static void chains_to_siginfo(void) {
    set_handler(SIGSEGV, see_and_jump, 0);
    CHECK(fastcopy_fault_install() == 0);
    survive();
    CHECK(seen == 0);
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 1);
    CHECK(seen_address == bad_page);
    /* qemu's ppc64 says so of any fault. */
    CHECK(seen_code == SEGV_ACCERR || (support_emulated() && seen_code == SEGV_MAPERR));
    survive();
}

static void chains_to_plain(void) {
    signal(SIGSEGV, see_plain);
    CHECK(fastcopy_fault_install() == 0);
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 1);
    survive();
}

static void look_at_mask(int sig, siginfo_t *info, void *context) {
    sigset_t mask;
    CHECK(sigprocmask(SIG_SETMASK, NULL, &mask) == 0);
    CHECK(sigismember(&mask, SIGSEGV) == (seen_code == 0));
    CHECK(sigismember(&mask, SIGUSR1) == 1);
    see_and_jump(sig, info, context);
}

static void honours_mask(void) {
    for (int deferred = 1; deferred >= 0; deferred--) {
        struct sigaction action = {.sa_sigaction = look_at_mask,
                                   .sa_flags = SA_SIGINFO | (deferred ? 0 : SA_NODEFER)};
        sigaddset(&action.sa_mask, SIGUSR1);
        signal(SIGSEGV, SIG_DFL);
        CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
        pid_t pid = fork(); /* one installation each */
        if (pid == 0) {
            CHECK(fastcopy_fault_install() == 0);
            seen_code = !deferred;
            if (sigsetjmp(back, 1) == 0)
                fault();
            CHECK(seen == 1);
            sigset_t mask;
            CHECK(sigprocmask(SIG_SETMASK, NULL, &mask) == 0 && !sigismember(&mask, SIGUSR1));
            survive();
            _exit(0);
        }
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

static void resets_once(void) {
    set_handler(SIGSEGV, see_and_jump, (int)SA_RESETHAND);
    CHECK(fastcopy_fault_install() == 0);
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 1);
    survive();
    fault(); /* kills */
}

static void dies_of_fault(void) {
    CHECK(fastcopy_fault_install() == 0);
    survive();
    fault();
}

static void dies_of_fault_ignored(void) {
    signal(SIGSEGV, SIG_IGN); /* the system does not ignore faults either */
    CHECK(fastcopy_fault_install() == 0);
    fault();
}

static void dies_of_signal(void) {
    CHECK(fastcopy_fault_install() == 0);
    kill(getpid(), SIGSEGV);
    sleep(30);
}

static void dies_of_bus_signal(void) {
    CHECK(fastcopy_fault_install() == 0);
    raise(SIGBUS);
    sleep(30);
}

static void ignores_signal(void) {
    signal(SIGSEGV, SIG_IGN);
    CHECK(fastcopy_fault_install() == 0);
    CHECK(kill(getpid(), SIGSEGV) == 0);
    survive();
}

static void passes_signal_on(void) {
    set_handler(SIGSEGV, see, 0);
    CHECK(fastcopy_fault_install() == 0);
    CHECK(kill(getpid(), SIGSEGV) == 0);
    CHECK(seen == 1 && seen_code == SI_USER);
    survive();
}

/* What is not the instruction's own fault, although pc is in a table. */
static void takes_faults_only(void) {
    const int32_t *table = NULL;
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
        if (fc_kernel_faults(kernel) != NULL && fc_kernel_faults(kernel)[0] != 0)
            table = fc_kernel_faults(kernel);
    if (table == NULL)
        return;
    uintptr_t pc = (uintptr_t)&table[0] + (uintptr_t)(intptr_t)table[0];
    uintptr_t fixup = (uintptr_t)&table[1] + (uintptr_t)(intptr_t)table[1];
    static const struct {
        int sig, code, ours;
    } cases[] = {
        {SIGSEGV, SEGV_MAPERR, 1}, {SIGSEGV, SEGV_ACCERR, 1},  {SIGSEGV, SI_KERNEL, 1},
        {SIGBUS, BUS_ADRERR, 1},   {SIGBUS, BUS_MCEERR_AR, 1}, {SIGBUS, BUS_MCEERR_AO, 0},
        {SIGSEGV, SI_USER, 0},     {SIGSEGV, SEGV_MTEAERR, 0}, {SIGSEGV, SI_TKILL, 0},
        {SIGSEGV, SI_QUEUE, 0},    {SIGUSR1, SEGV_MAPERR, 0},  {SIGFPE, FPE_INTDIV, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        static ucontext_t context;
        siginfo_t info = {.si_signo = cases[i].sig, .si_code = cases[i].code};
        fc_fault_set_pc(&context, pc);
        CHECK(fastcopy_fault_handle(cases[i].sig, &info, &context) == cases[i].ours);
        CHECK(fc_fault_pc(&context) == (cases[i].ours ? fixup : pc));
        fc_fault_set_pc(&context, pc + 1);
        CHECK(fastcopy_fault_handle(cases[i].sig, &info, &context) == 0);
        CHECK(fc_fault_pc(&context) == pc + 1);
    }
}

static void handle_own(int sig, siginfo_t *info, void *context) {
    if (!fastcopy_fault_handle(sig, info, context))
        see_and_jump(sig, info, context);
}

static void works_from_own_handler(void) {
    CHECK(fastcopy_fault_install() == 0);
    set_handler(SIGSEGV, handle_own, 0);
    set_handler(SIGBUS, handle_own, 0);
    CHECK(strcmp(fastcopy_fault_mode(), "foreign") == 0);
    survive();
    CHECK(seen == 0);
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 1);
    survive();
}

static void *survive_often(void *unused) {
    for (int i = 0; i < 200; i++)
        survive();
    return unused;
}

static void works_in_threads(void) {
    CHECK(fastcopy_fault_install() == 0);
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, survive_often, NULL) == 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
}

static void works_after_fork(void) {
    CHECK(fastcopy_fault_install() == 0);
    pid_t pid = fork();
    if (pid == 0) {
        survive();
        fault();
    }
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    survive();
}

/* In a handler of another signal, and in that of a fault, if it does not defer. */
static void survive_there(int sig, siginfo_t *info, void *context) {
    survive();
    if (sig == SIGSEGV)
        see_and_jump(sig, info, context);
    else
        see(sig, info, context);
}

static void works_nested(void) {
    set_handler(SIGSEGV, survive_there, SA_NODEFER);
    set_handler(SIGUSR1, survive_there, 0);
    CHECK(fastcopy_fault_install() == 0);
    raise(SIGUSR1);
    CHECK(seen == 1);
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 2);
    survive();
}

static unsigned char *stack;

static void on_other_stack(int sig, siginfo_t *info, void *context) {
    unsigned char here;
    CHECK(&here >= stack && &here < stack + (1 << 17));
    see_and_jump(sig, info, context);
}

static void works_on_alternate_stack(void) {
    stack = malloc(1 << 17);
    stack_t other = {.ss_sp = stack, .ss_size = 1 << 17};
    CHECK(stack != NULL && sigaltstack(&other, NULL) == 0);
    set_handler(SIGSEGV, on_other_stack, SA_ONSTACK);
    CHECK(fastcopy_fault_install() == 0);
    survive();
    if (sigsetjmp(back, 1) == 0)
        fault();
    CHECK(seen == 1);
    survive();
}

static void nosig_survives_blocked(void) {
    CHECK(fastcopy_fault_install() == 0);
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGSEGV);
    sigaddset(&both, SIGBUS);
    CHECK(sigprocmask(SIG_BLOCK, &both, NULL) == 0);
    unsigned char dst[N];
    errno = 0;
    size_t left = fastcopy_try_memcpy_nosig(dst, bad_src, N);
    if (support_emulated())
        CHECK(left == N && errno == ENOSYS);
    else
        CHECK(left == N - GOOD && errno == 0);
}

static void blocked_faults_kill(void) {
    CHECK(fastcopy_fault_install() == 0);
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGSEGV);
    CHECK(sigprocmask(SIG_BLOCK, &both, NULL) == 0);
    unsigned char dst[N];
    fastcopy_try_memcpy(dst, bad_src, N);
}

static void before_is_by_system(void) {
    survive();
}

#define EXITS(name)                                                                                \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        assert_exits(name);                                                                        \
    }
#define DIES(name, sig)                                                                            \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        assert_killed(name, sig);                                                                  \
    }
EXITS(mode_before_and_after)
EXITS(chains_to_siginfo)
EXITS(chains_to_plain)
EXITS(honours_mask)
DIES(resets_once, SIGSEGV)
DIES(dies_of_fault, SIGSEGV)
DIES(dies_of_fault_ignored, SIGSEGV)
DIES(dies_of_signal, SIGSEGV)
DIES(dies_of_bus_signal, SIGBUS)
EXITS(ignores_signal)
EXITS(passes_signal_on)
EXITS(takes_faults_only)
EXITS(works_from_own_handler)
EXITS(works_in_threads)
EXITS(works_after_fork)
EXITS(works_nested)
EXITS(works_on_alternate_stack)
EXITS(nosig_survives_blocked)
DIES(blocked_faults_kill, SIGSEGV)

static void test_before_is_by_system(void **state) {
    (void)state;
    if (support_emulated()) {
        print_message("skipped: emulators have no process_vm_readv\n");
        skip();
    }
    assert_exits(before_is_by_system);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_is_by_system),
        cmocka_unit_test(test_mode_before_and_after),
        cmocka_unit_test(test_chains_to_siginfo),
        cmocka_unit_test(test_chains_to_plain),
        cmocka_unit_test(test_honours_mask),
        cmocka_unit_test(test_resets_once),
        cmocka_unit_test(test_dies_of_fault),
        cmocka_unit_test(test_dies_of_fault_ignored),
        cmocka_unit_test(test_dies_of_signal),
        cmocka_unit_test(test_dies_of_bus_signal),
        cmocka_unit_test(test_ignores_signal),
        cmocka_unit_test(test_passes_signal_on),
        cmocka_unit_test(test_takes_faults_only),
        cmocka_unit_test(test_works_from_own_handler),
        cmocka_unit_test(test_works_in_threads),
        cmocka_unit_test(test_works_after_fork),
        cmocka_unit_test(test_works_nested),
        cmocka_unit_test(test_works_on_alternate_stack),
        cmocka_unit_test(test_nosig_survives_blocked),
        cmocka_unit_test(test_blocked_faults_kill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
