/* SPDX-License-Identifier: MIT */
/*
 * policy: what is fast on a machine. A pure function of its description: no detection, no global
 * state, so that tests can ask about machines that are not here.
 */
#ifndef FC_POLICY_H
#define FC_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "registry.h"

/*
 * Thresholds, in bytes. 0 means "never", which is also what a kernel sees that is called before
 * anything was initialised.
 */
struct fc_thresholds {
#define FC_THRESHOLD(name, text) uint64_t name;
#include "thresholds.def"
#undef FC_THRESHOLD
};

struct fc_policy {
    struct fc_thresholds thresholds;
    /* Kernels by preference, for each family: the first usable one is chosen. count entries are
     * valid. */
    struct {
        uint8_t count;
        uint8_t order[FC_KERNEL_COUNT]; /* enum fc_kernel_id */
    } prefer[FC_FAMILY_COUNT];
    struct fc_cache cache[FC_CACHE_LEVELS]; /* the sizes that were believed, and why */
};

/* The architecture's rules: src/arch/ARCH/policy.c. Fills everything in *policy. */
void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy);

/*
 * Fills policy->cache: the size to believe, level by level. defaults are the microarchitecture's,
 * in KiB, 0 for a cache that it does not have; NULL: the microarchitecture is not known.
 */
void fc_policy_caches(const struct fc_cpu *cpu, const uint32_t *defaults, struct fc_policy *policy);

/* What fc_policy_decide() begins with: the caches, thresholds of 0, nothing preferred. */
void fc_policy_start(const struct fc_cpu *cpu, const uint32_t *defaults, struct fc_policy *policy);

/* Appends a kernel to its family's order. */
void fc_policy_prefer(struct fc_policy *policy, unsigned kernel);

/*
 * The first kernel in the policy's order that the CPU can run; the architecture's baseline if there
 * is none. `forced` (an enum fc_kernel_id, or -1) goes first, and counts only if it is usable.
 */
unsigned fc_policy_choose(const struct fc_cpu *cpu, const struct fc_policy *policy, unsigned family,
                          int forced);

#endif
