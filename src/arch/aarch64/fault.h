/* SPDX-License-Identifier: MIT */
/* AArch64: what survives a bad address needs of the system: the program counter at a fault, in what
 * a handler of signals is given; a system call that goes through nothing of libc, and leaves errno.
 */
#ifndef FC_FAULT_H
#define FC_FAULT_H

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t fc_fault_pc(const void *context) {
    return ((const ucontext_t *)context)->uc_mcontext.pc;
}

static inline void fc_fault_set_pc(void *context, uintptr_t pc) {
    ((ucontext_t *)context)->uc_mcontext.pc = pc;
}

/* The result, or -errno. */
static inline long fc_system_call(long number, unsigned long a, unsigned long b, unsigned long c,
                                  unsigned long d, unsigned long e, unsigned long f) {
    register long x8 __asm__("x8") = number;
    register unsigned long x0 __asm__("x0") = a;
    register unsigned long x1 __asm__("x1") = b;
    register unsigned long x2 __asm__("x2") = c;
    register unsigned long x3 __asm__("x3") = d;
    register unsigned long x4 __asm__("x4") = e;
    register unsigned long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return (long)x0;
}

#endif
