/* SPDX-License-Identifier: MIT */
/* Where there are no kernels that fault: no fault is ours. */
#ifndef FC_FAULT_H
#define FC_FAULT_H

#include <stdint.h>

static inline uintptr_t fc_fault_pc(const void *context) {
    (void)context;
    return 0;
}

static inline void fc_fault_set_pc(void *context, uintptr_t pc) {
    (void)context, (void)pc;
}

#endif
