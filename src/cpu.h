/* SPDX-License-Identifier: MIT */
/*
 * cpu: what this machine is. Capabilities (what may be executed, operating system support
 * included), microarchitecture, cache and line sizes as the machine reports them. No judgement of
 * what is fast: that is policy.h.
 */
#ifndef FC_CPU_H
#define FC_CPU_H

#include <stddef.h>
#include <stdint.h>

/* The architecture's capability bits and microarchitectures; see src/arch/ARCH/arch.h. */
#include "arch.h"

/* Where a figure came from. */
enum fc_source {
    FC_SOURCE_NONE,          /* not known */
    FC_SOURCE_CPUID4,        /* CPUID leaf 4, deterministic cache parameters (Intel) */
    FC_SOURCE_CPUID8000001D, /* its counterpart on AMD */
    FC_SOURCE_CPUID80000006, /* the older AMD leaves 80000005 and 80000006 */
    FC_SOURCE_TABLE,         /* the microarchitecture's default */
    FC_SOURCE_DEFAULT,       /* the architecture's default */
    FC_SOURCE_COUNT
};

struct fc_cache {
    uint64_t size;  /* bytes; 0: not known */
    uint8_t source; /* enum fc_source */
};

enum { FC_L1D, FC_L2, FC_L3, FC_CACHE_LEVELS };

struct fc_cpu {
    uint64_t caps;                    /* FC_CAP_* of this architecture */
    uint16_t uarch;                   /* enum fc_uarch of this architecture; 0: unknown */
    uint16_t family, model, stepping; /* x86: display family and model; Arm: implementer,
                                         part, variant << 4 | revision */
    uint16_t kernel[3];               /* Arm: the kernel's release; 0: not asked */
    uint8_t
        cached_memory; /* ppc64: promised by the tunable: no copy goes to cache-inhibited memory */
    struct fc_cache cache[FC_CACHE_LEVELS]; /* as reported, not yet checked */
    char vendor[16];
    char brand[52];
    uint8_t reader; /* enum fc_reader */
};

/* What read the capabilities. */
enum fc_reader { FC_READER_NONE, FC_READER_CPU_FEATURES, FC_READER_OWN };

/*
 * Describes this machine. Reads no file, makes no system call, touches no errno, needs no
 * relocation of this object to have happened. Callers keep the result: detection is slow on virtual
 * machines.
 */
void fc_cpu_detect(struct fc_cpu *cpu);

/* Names, for people. */
const char *fc_cap_name(unsigned bit);
const char *fc_uarch_name(unsigned uarch);
/* What the CPU says of itself, in the architecture's terms; "" where nothing is known. */
void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size);
const char *fc_source_name(unsigned source);

#endif
