/* SPDX-License-Identifier: MIT */
/* Describing an AArch64 CPU by what the kernel and the identification registers say: a pure
 * function. */
#ifndef FC_CPU_DECODE_H
#define FC_CPU_DECODE_H

#include "cpu.h"

/* AT_HWCAP and AT_HWCAP2: Linux, arch/arm64/include/uapi/asm/hwcap.h. */
enum { FC_HWCAP_ASIMD = 1, FC_HWCAP_CPUID = 11, FC_HWCAP_SVE = 22, FC_HWCAP2_MOPS = 43 };

struct fc_cpu_words {
    uint64_t hwcap, hwcap2;
    uint64_t midr;    /* 0: not known */
    char release[65]; /* of the kernel, as uname has it; "": not asked */
};

/* Everything in struct fc_cpu but the reader. */
void fc_cpu_decode(struct fc_cpu *cpu, const struct fc_cpu_words *words);

#endif
