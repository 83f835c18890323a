/* SPDX-License-Identifier: MIT */
/*
 * The part of policy that is the same everywhere: which cache sizes to believe, and taking the
 * first usable kernel.
 */
#include "policy.h"

#include <stdbool.h>

/* ---- cache sizes ----------------------------------------------------------------------------- */

/*
 * A virtual machine may hide its caches or make them up. Seen on a Zen 5 (in truth 48K, 1M, 32M):
 * CPUID 8000001D all zero, and 508 MiB of L3 in 80000006. A library that took the first at its word
 * streamed every copy from 2 KiB on (20 GB/s, not 220), one that believed the second never streamed
 * at all.
 */
static const struct {
    uint32_t min, max;  /* KiB: no cache of this level is smaller or larger */
    uint32_t otherwise; /* KiB: where nothing at all is known */
} levels[FC_CACHE_LEVELS] = {
    [FC_L1D] = {8, 256, 32},        /* Pentium 4 had 8 KiB; Apple's M cores have 128 */
    [FC_L2] = {128, 65536, 512},    /* Sempron 128 KiB; Apple's clusters share up to 32 MiB */
    [FC_L3] = {512, 1179648, 8192}, /* Celeron 512 KiB; EPYC 9684X has 1152 MiB */
};

/* Parts of one microarchitecture differ by less: Zen 2 has 4 MiB in Mendocino and 16 in Rome. A
 * judgement, with a factor of two to spare. */
#define SPREAD 8

static bool is_plausible(unsigned level, struct fc_cache reported, uint64_t usual) {
    if (reported.size < (uint64_t)levels[level].min << 10 ||
        reported.size > (uint64_t)levels[level].max << 10)
        return false;
    if (usual == 0)
        return true;
    /* 80000006 adds up the L3 of all core complexes; a core reaches its own complex's only. */
    if (level == FC_L3 && reported.source == FC_SOURCE_CPUID80000006 && reported.size > usual)
        return false;
    return usual / SPREAD <= reported.size && reported.size <= usual * SPREAD;
}

void fc_policy_caches(const struct fc_cpu *cpu, const uint32_t *defaults,
                      struct fc_policy *policy) {
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        uint64_t usual = defaults != NULL ? (uint64_t)defaults[level] << 10 : 0;
        struct fc_cache *cache = &policy->cache[level];
        if (is_plausible(level, cpu->cache[level], usual)) {
            cache->size = cpu->cache[level].size;
            cache->source = cpu->cache[level].source;
        } else if (defaults != NULL) {
            cache->size = usual;
            cache->source = FC_SOURCE_TABLE;
        } else {
            cache->size = (uint64_t)levels[level].otherwise << 10;
            cache->source = FC_SOURCE_DEFAULT;
        }
    }
}

const char *fc_source_name(unsigned source) {
    static const char *const names[FC_SOURCE_COUNT] = {
        [FC_SOURCE_NONE] = "not known",
        [FC_SOURCE_CPUID4] = "CPUID 4",
        [FC_SOURCE_CPUID8000001D] = "CPUID 8000001D",
        [FC_SOURCE_CPUID80000006] = "CPUID 80000005 and 80000006",
        [FC_SOURCE_TABLE] = "table of microarchitectures",
        [FC_SOURCE_DEFAULT] = "default",
    };
    return source < FC_SOURCE_COUNT ? names[source] : "?";
}

/* ---- kernels --------------------------------------------------------------------------------- */

void fc_policy_start(const struct fc_cpu *cpu, const uint32_t *defaults, struct fc_policy *policy) {
    fc_policy_caches(cpu, defaults, policy);
#define FC_THRESHOLD(name, text) policy->thresholds.name = 0;
#include "thresholds.def"
#undef FC_THRESHOLD
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        policy->prefer[family].count = 0;
}

void fc_policy_prefer(struct fc_policy *policy, unsigned kernel) {
    unsigned family = fc_kernels[kernel].family;
    policy->prefer[family].order[policy->prefer[family].count++] = (uint8_t)kernel;
}

static bool is_usable(const struct fc_cpu *cpu, unsigned kernel) {
    return (fc_kernels[kernel].needs & ~cpu->caps) == 0;
}

unsigned fc_policy_choose(const struct fc_cpu *cpu, const struct fc_policy *policy, unsigned family,
                          int forced) {
    if (forced >= 0 && forced < FC_KERNEL_COUNT && fc_kernels[forced].family == family &&
        is_usable(cpu, (unsigned)forced))
        return (unsigned)forced;
    for (unsigned i = 0; i < policy->prefer[family].count; i++)
        if (is_usable(cpu, policy->prefer[family].order[i]))
            return policy->prefer[family].order[i];
    return fc_family_baseline(family);
}
