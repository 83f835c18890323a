/* SPDX-License-Identifier: MIT */
/* The architecture's part of test_cores.c: recorded machines, and this one. In cores_ARCH.c. */
#ifndef FC_CORES_H
#define FC_CORES_H

#include "policy.h"

struct core {
    const char *name;
    struct fc_cpu cpu;                    /* as decoded */
    unsigned uarch;                       /* what it is */
    const char *kernels[FC_FAMILY_COUNT]; /* the choice */
};

extern const size_t core_count;
void core_read(size_t machine, struct core *core);

/* Is this description, by fc_cpu_detect(), that of the machine we are on? */
void core_check_here(const struct fc_cpu *cpu);
/* The same by cpu_features; false if that was not built in. */
bool core_check_cpu_features(const struct fc_cpu *cpu);
/* What there is besides. */
void core_check_more(void);

#endif
