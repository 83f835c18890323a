/* SPDX-License-Identifier: MIT */
/* Describing a ppc64 CPU by what the kernel and a look at dcbz say: pure functions. */
#ifndef FC_CPU_DECODE_H
#define FC_CPU_DECODE_H

#include "cpu.h"

struct fc_cpu_words {
    uint64_t hwcap, hwcap2; /* AT_HWCAP, AT_HWCAP2 */
    const char *platform;   /* AT_PLATFORM; NULL: not told */
    uint64_t dcbz;          /* fc_dcbz_block()'s answer */
};

/* Everything in struct fc_cpu but the reader and what the operator promises. */
void fc_cpu_decode(struct fc_cpu *cpu, const struct fc_cpu_words *words);

/*
 * The block that dcbz zeroes: of a buffer aligned to its size, a power of two, that held 0xff
 * before one dcbz in its middle. 0 if that is not a power of two from 16 on, or as far as the
 * buffer goes.
 */
uint64_t fc_dcbz_block(const unsigned char *buffer, size_t size);

#endif
