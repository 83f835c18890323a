/* SPDX-License-Identifier: MIT */
/*
 * What survives a bad address: the entries of try_memcpy and try_memset, and the handler of their
 * faults.
 *
 * Each kernel has a table of its instructions that may fault, with the place where it goes on then
 * (registry.h). The handler moves the program counter there; all else is the kernel's, from its
 * registers. No lock, no allocation.
 */
#include "fault.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "entry.h"

#if defined __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define FC_HAVE_VALGRIND_H
#endif
#endif

#define FC_DEFINE_TRY(op, value_type)                                                              \
    FASTCOPY_API size_t fastcopy_##op(void *dst, value_type value, size_t n) {                     \
        typedef size_t kernel_function(void *, value_type, size_t);                                \
        kernel_function *kernel =                                                                  \
            (kernel_function *)__atomic_load_n(&fc_slots[FC_OP_##op], __ATOMIC_RELAXED);           \
        if (kernel == NULL)                                                                        \
            return FC_BASELINE_OF(op, FC_BASELINE_##op)(dst, value, n);                            \
        return kernel(dst, value, n);                                                              \
    }

FC_DEFINE_TRY(try_memcpy, const void *)
FC_DEFINE_TRY(try_memset, int)

FASTCOPY_API size_t fastcopy_try_memcpy_nosig(void *dst, const void *src, size_t n) {
    return fc_try_memcpy_syscall(dst, src, n);
}

/* Where the kernel that this instruction belongs to goes on after its fault; 0: none of ours. */
static uintptr_t find_fixup(uintptr_t pc) {
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
        const int32_t *entry = fc_kernel_faults(kernel);
        if (entry == NULL)
            continue;
        for (; entry[0] != 0; entry += 2)
            if ((uintptr_t)&entry[0] + (uintptr_t)(intptr_t)entry[0] == pc)
                return (uintptr_t)&entry[1] + (uintptr_t)(intptr_t)entry[1];
    }
    return 0;
}

/* Did the instruction at pc raise it? Other signals, from people and from hardware that reports
 * late, may find the program there by chance. */
static bool is_synchronous(int sig, const siginfo_t *info) {
    if (info->si_code <= 0)
        return false;
#ifdef SEGV_MTEAERR
    if (sig == SIGSEGV && info->si_code == SEGV_MTEAERR)
        return false;
#endif
#ifdef BUS_MCEERR_AO
    if (sig == SIGBUS && info->si_code == BUS_MCEERR_AO)
        return false;
#endif
    return sig == SIGSEGV || sig == SIGBUS;
}

FASTCOPY_API int fastcopy_fault_handle(int sig, siginfo_t *info, void *context) {
    uintptr_t fixup = is_synchronous(sig, info) ? find_fixup(fc_fault_pc(context)) : 0;
    if (fixup == 0)
        return 0;
    fc_fault_set_pc(context, fixup);
    return 1;
}

/* ---- the handler ----------------------------------------------------------------------------- */

static const int signals[] = {SIGSEGV, SIGBUS};
enum { SIGNALS = sizeof signals / sizeof signals[0] };
/* What was there before us. Written before our handler is, which alone reads it. */
static struct sigaction before[SIGNALS];

static bool is_function(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) != 0 ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/*
 * As the system would: to the handler before us, with its mask, or to its default. (No object is
 * copied or cleared as a whole, here and below: compilers may call memcpy and memset for that.)
 */
static void pass_on(int sig, siginfo_t *info, void *context) {
    struct sigaction *old = &before[sig == SIGBUS];
    if (is_function(old)) {
        unsigned flags = (unsigned)old->sa_flags;
        void (*plain)(int) = old->sa_handler;
        void (*with_info)(int, siginfo_t *, void *) = old->sa_sigaction;
        /* This thread's mask; what was before comes back at return. */
        sigprocmask(SIG_BLOCK, &old->sa_mask, NULL);
        if ((flags & SA_NODEFER) == 0) {
            sigset_t this_one;
            sigemptyset(&this_one);
            sigaddset(&this_one, sig);
            sigprocmask(SIG_BLOCK, &this_one, NULL);
        }
        if ((flags & SA_RESETHAND) != 0) {
            old->sa_flags = 0;
            old->sa_handler = SIG_DFL;
        }
        if ((flags & SA_SIGINFO) != 0)
            with_info(sig, info, context);
        else
            plain(sig);
        return;
    }
    if (old->sa_handler == SIG_IGN && !is_synchronous(sig, info))
        return;
    /* A fault comes again at return, with its address; what was sent has to be sent again. */
    static const struct sigaction standard; /* SIG_DFL */
    sigaction(sig, &standard, NULL);
    if (!is_synchronous(sig, info))
        fc_system_call(SYS_rt_tgsigqueueinfo,
                       (unsigned long)fc_system_call(SYS_getpid, 0, 0, 0, 0, 0, 0),
                       (unsigned long)fc_system_call(SYS_gettid, 0, 0, 0, 0, 0, 0),
                       (unsigned long)sig, (uintptr_t)info, 0, 0);
}

static void handle(int sig, siginfo_t *info, void *context) {
    int error = errno;
    if (!fastcopy_fault_handle(sig, info, context))
        pass_on(sig, info, context);
    errno = error;
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == handle;
}

/* Under valgrind the registers at a fault are not exact, and it does not matter how fast a copy is.
 */
static bool under_valgrind(void) {
#ifdef FC_HAVE_VALGRIND_H
    return RUNNING_ON_VALGRIND != 0;
#else
    return false;
#endif
}

/* Signals that are passed on interrupt system calls, or do not, as they did before. */
static bool restarts(const struct sigaction *action) {
    return (action->sa_flags & SA_RESTART) != 0 || action->sa_handler == SIG_IGN;
}

static int install(int place) {
    static bool installed[SIGNALS];
    struct sigaction now;
    if (sigaction(signals[place], NULL, &now) != 0)
        return -1;
    if (is_ours(&now))
        return 0;
    /* Somebody came after us and may pass signals on to us: we would pass them back. */
    if (installed[place] && is_function(&now)) {
        errno = EBUSY;
        return -1;
    }
    /* SA_NODEFER: what is blocked while it runs, the handler before us decides. */
    static struct sigaction ours;
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (restarts(&now) ? SA_RESTART : 0);
    if (sigaction(signals[place], NULL, &before[place]) != 0)
        return -1;
    if (sigaction(signals[place], &ours, NULL) != 0)
        return -1;
    installed[place] = true;
    return 0;
}

FASTCOPY_API int fastcopy_fault_install(void) {
    static int installing;
    if (under_valgrind())
        return 0;
    while (__atomic_exchange_n(&installing, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
    int result = 0;
    for (int i = 0; i < SIGNALS && result == 0; i++)
        result = install(i);
    if (result == 0)
        fc_dispatch_try();
    __atomic_store_n(&installing, 0, __ATOMIC_RELEASE);
    return result;
}

FASTCOPY_API const char *fastcopy_fault_mode(void) {
    if (fc_dispatch_tries()) {
        for (int i = 0; i < SIGNALS; i++) {
            struct sigaction now;
            if (sigaction(signals[i], NULL, &now) != 0 || !is_ours(&now))
                return "foreign";
        }
        return "signals";
    }
    int error = errno;
    char from = 0, to = 0;
    size_t left = fc_try_memcpy_syscall(&to, &from, 1);
    errno = error;
    return left == 0 ? "syscalls" : "none";
}
