/* SPDX-License-Identifier: MIT */
/* ppc64: what survives a bad address needs of the system: the program counter at a fault, in what a
 * handler of signals is given; a system call that goes through nothing of libc, and leaves errno.
 */
#ifndef FC_FAULT_H
#define FC_FAULT_H

#include <asm/ptrace.h>
#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t fc_fault_pc(const void *context) {
    return ((const ucontext_t *)context)->uc_mcontext.gp_regs[PT_NIP];
}

static inline void fc_fault_set_pc(void *context, uintptr_t pc) {
    ((ucontext_t *)context)->uc_mcontext.gp_regs[PT_NIP] = pc;
}

/* The result, or -errno. */
static inline long fc_system_call(long number, unsigned long a, unsigned long b, unsigned long c,
                                  unsigned long d, unsigned long e, unsigned long f) {
    register long r0 __asm__("r0") = number;
    register unsigned long r3 __asm__("r3") = a;
    register unsigned long r4 __asm__("r4") = b;
    register unsigned long r5 __asm__("r5") = c;
    register unsigned long r6 __asm__("r6") = d;
    register unsigned long r7 __asm__("r7") = e;
    register unsigned long r8 __asm__("r8") = f;
    __asm__ volatile("sc\n\tbns+ 0f\n\tneg %1, %1\n0:" /* the summary bit: an error */
                     : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                     :
                     : "r9", "r10", "r11", "r12", "cr0", "ctr", "memory");
    return (long)r3;
}

#endif
