/* SPDX-License-Identifier: MIT */
/* x86_64: what survives a bad address needs of the system: the program counter at a fault, in what
 * a handler of signals is given; a system call that goes through nothing of libc, and leaves errno.
 */
#ifndef FC_FAULT_H
#define FC_FAULT_H

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t fc_fault_pc(const void *context) {
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

static inline void fc_fault_set_pc(void *context, uintptr_t pc) {
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/* The result, or -errno. */
static inline long fc_system_call(long number, unsigned long a, unsigned long b, unsigned long c,
                                  unsigned long d, unsigned long e, unsigned long f) {
    register unsigned long r10 __asm__("r10") = d;
    register unsigned long r8 __asm__("r8") = e;
    register unsigned long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
