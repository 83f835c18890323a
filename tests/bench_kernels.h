/* SPDX-License-Identifier: MIT */
/* Kernels of known cost, and patience, for the tests of the benchmark. */
#ifndef FC_BENCH_KERNELS_H
#define FC_BENCH_KERNELS_H

#include <unistd.h>

#include "engine.h"

/* Never inlined, or the compiler would make two different loops of it. */
static __attribute__((noinline)) void *copies(void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

static void *copies_twice(void *to, const void *from, size_t n) {
    copies(to, from, n);
    return copies(to, from, n);
}

static struct fc_contender contender(fc_copy_function *function) {
    return (struct fc_contender){.function = (fastcopy_function *)function};
}

/*
 * What others do on the machine may spoil a measurement, so one that does not come out as it should
 * is made again, for some seconds. It has to come out right three times running: once in a hundred
 * or so a wrong engine gets it right by luck.
 */
static inline bool eventually(bool (*holds)(void)) {
    unsigned running = 0;
    for (unsigned attempt = 0; attempt < 100 && running < 3; attempt++) {
        running = holds() ? running + 1 : 0;
        if (running == 0)
            usleep(50000);
    }
    return running == 3;
}

#endif
