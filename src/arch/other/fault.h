/* SPDX-License-Identifier: MIT */
/* Where there are no kernels that fault: no fault is ours. System calls by libc, errno kept. */
#ifndef FC_FAULT_H
#define FC_FAULT_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

static inline uintptr_t fc_fault_pc(const void *context) {
    (void)context;
    return 0;
}

static inline void fc_fault_set_pc(void *context, uintptr_t pc) {
    (void)context, (void)pc;
}

/* The result, or -errno. */
static inline long fc_system_call(long number, unsigned long a, unsigned long b, unsigned long c,
                                  unsigned long d, unsigned long e, unsigned long f) {
    int error = errno;
    long result = syscall(number, a, b, c, d, e, f);
    if (result < 0)
        result = -errno;
    errno = error;
    return result;
}

#endif
