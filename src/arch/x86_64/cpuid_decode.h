/* SPDX-License-Identifier: MIT */
/*
 * cpuid_decode: where an x86 processor's description comes from, and what is made of it. The source
 * is passed in, so that tests can describe machines that are not here.
 */
#ifndef FC_CPUID_DECODE_H
#define FC_CPUID_DECODE_H

#include <stdint.h>

#include "cpu.h"

struct fc_cpuid_leaf {
    uint32_t eax, ebx, ecx, edx;
};

/* The CPUID and XGETBV instructions of one machine. */
struct fc_cpuid {
    struct fc_cpuid_leaf (*read)(struct fc_cpuid *source, uint32_t leaf, uint32_t subleaf);
    uint32_t (*xcr0)(struct fc_cpuid *source); /* low half; asked only where OSXSAVE is set */
};

/*
 * Our own reader: everything in struct fc_cpu but the brand string. Leaves 0, 1 and 7, and then
 * fc_cpuid_caches and fc_cpuid_clzero.
 */
void fc_cpuid_decode(struct fc_cpu *cpu, struct fc_cpuid *source);

/* The caches of a CPU whose vendor is known; at most three leaves. */
void fc_cpuid_caches(struct fc_cpu *cpu, struct fc_cpuid *source);

/*
 * Adds CLZERO to the capabilities: one leaf, on Zen and later. Asked last, so that where no more
 * CPUIDs are allowed it is this that is not known.
 */
void fc_cpuid_clzero(struct fc_cpu *cpu, struct fc_cpuid *source);

/* The microarchitecture, by vendor, family, model and stepping. */
unsigned fc_cpuid_uarch(const struct fc_cpu *cpu);

#endif
