/* SPDX-License-Identifier: MIT */
#include "cpu.h"

void fc_cpu_detect(struct fc_cpu *cpu) {
    cpu->caps = 0;
    cpu->uarch = FC_UARCH_UNKNOWN;
    cpu->family = cpu->model = cpu->stepping = 0;
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        cpu->cache[level].size = 0;
        cpu->cache[level].source = FC_SOURCE_NONE;
    }
    cpu->vendor[0] = cpu->brand[0] = '\0';
    cpu->reader = FC_READER_NONE;
}

const char *fc_cap_name(unsigned bit) {
    (void)bit;
    return "?";
}

const char *fc_uarch_name(unsigned uarch) {
    return uarch == FC_UARCH_UNKNOWN ? "unknown" : "?";
}

void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size) {
    (void)cpu;
    if (size > 0)
        text[0] = '\0';
}
