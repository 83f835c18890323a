/* SPDX-License-Identifier: MIT */
/*
 * The control of bench/apps: the preload library with libc's own functions in its slots. It costs
 * what ours costs (start-up, load, test, jump) and copies as libc does, so that what a program
 * gains or loses under it is the entry and the noise, not the kernels.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "dispatch.h"

static void fill(enum fc_op op, const char *name) {
    fastcopy_function *function = (fastcopy_function *)dlsym(RTLD_NEXT, name);
    if (function == NULL)
        abort(); /* the slot would stand for our baseline: a control that misleads */
    __atomic_store_n(&fc_slots[op], function, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void construct(void) {
    fc_dispatch_state(); /* decided once: from here on nothing else writes the slots */
    fill(FC_OP_memcpy, "memcpy");
    fill(FC_OP_memmove, "memmove");
    fill(FC_OP_mempcpy, "mempcpy");
    fill(FC_OP_memset, "memset");
    __atomic_store_n(&fc_words_span, 0, __ATOMIC_RELAXED); /* small copies are libc's, too */
}
