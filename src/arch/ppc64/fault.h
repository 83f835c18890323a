/* SPDX-License-Identifier: MIT */
/* ppc64: the program counter at a fault, in what a handler of signals is given. */
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

#endif
