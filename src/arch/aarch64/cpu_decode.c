/* SPDX-License-Identifier: MIT */
#include "cpu_decode.h"

static const struct {
    uint16_t implementer, part, first, last, uarch;
} models[] = {
#define FC_MODEL(implementer, part, first, last, id)                                               \
    {implementer, part, first, last, FC_UARCH_##id},
#include "models.def"
#undef FC_MODEL
};

static unsigned find_uarch(unsigned implementer, unsigned part, unsigned variant) {
    for (unsigned i = 0; i < sizeof models / sizeof *models; i++)
        if (models[i].implementer == implementer && models[i].part == part &&
            variant >= models[i].first && variant <= models[i].last)
            return models[i].uarch;
    return FC_UARCH_UNKNOWN;
}

/* The next number in the text, which is moved on; beyond 9999 it stays there. */
static unsigned number(const char **text) {
    unsigned value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value < 1000 ? value * 10 + (unsigned)(**text - '0') : 9999;
    return value;
}

static void read_release(struct fc_cpu *cpu, const char *release) {
    for (unsigned i = 0; i < 3; i++) {
        cpu->kernel[i] = (uint16_t)number(&release);
        if (*release == '.')
            release++;
    }
}

void fc_cpu_decode(struct fc_cpu *cpu, const struct fc_cpu_words *words) {
    cpu->caps = 0;
    if ((words->hwcap >> FC_HWCAP_ASIMD & 1) != 0)
        cpu->caps |= FC_CAP_ASIMD;
    if ((words->hwcap >> FC_HWCAP_SVE & 1) != 0)
        cpu->caps |= FC_CAP_SVE;
    if ((words->hwcap2 >> FC_HWCAP2_MOPS & 1) != 0)
        cpu->caps |= FC_CAP_MOPS;
    cpu->family = (uint16_t)(words->midr >> 24 & 0xff);
    cpu->model = (uint16_t)(words->midr >> 4 & 0xfff);
    cpu->stepping = (uint16_t)((words->midr >> 16 & 0xf0) | (words->midr & 0xf));
    cpu->uarch = (uint16_t)find_uarch(cpu->family, cpu->model, cpu->stepping >> 4);
    read_release(cpu, words->release);
    /* CCSIDR_EL1 is not for user programs, and no threshold depends on a cache. */
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        cpu->cache[level].size = 0;
        cpu->cache[level].source = FC_SOURCE_NONE;
    }
    cpu->vendor[0] = cpu->brand[0] = '\0';
}
