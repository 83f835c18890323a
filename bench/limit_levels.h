/* SPDX-License-Identifier: MIT */
/* limit_levels: what this machine can move at most, by level of its caches. */
#ifndef FC_LIMIT_LEVELS_H
#define FC_LIMIT_LEVELS_H

#include "bench.h"
#include "cpu.h"

enum { FC_LIMIT_LEVELS = FC_CACHE_LEVELS + 1 };

struct fc_limits {
    size_t count;
    struct fc_limit {
        uint64_t up_to;     /* bytes that it holds; UINT64_MAX: memory */
        double copy, store; /* GB/s of the fastest loop of that kind */
    } levels[FC_LIMIT_LEVELS];
};

struct fc_limits fc_limits_measure(const struct fc_bench_options *options);

/* GB/s of the nearest level that holds all that the operation touches; 0 if none was measured. */
double fc_limits_of(const struct fc_limits *limits, unsigned op, uint64_t n);

#endif
