/* SPDX-License-Identifier: MIT */
/* x86_64: the program counter at a fault, in what a handler of signals is given. */
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

#endif
