/* SPDX-License-Identifier: MIT */
#include "cpu.h"

#include <string.h>

uint64_t fc_dcbz_size;

void fc_cpu_detect(struct fc_cpu *cpu) {
    memset(cpu, 0, sizeof *cpu);
    cpu->reader = FC_READER_OWN;
}

void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size) {
    (void)cpu;
    if (size > 0)
        text[0] = '\0';
}
