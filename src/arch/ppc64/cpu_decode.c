/* SPDX-License-Identifier: MIT */
#include "cpu_decode.h"

#include <stdbool.h>

/* AT_HWCAP and AT_HWCAP2: Linux, arch/powerpc/include/uapi/asm/cputable.h. */
enum {
    HWCAP_ALTIVEC = 0x10000000,
    HWCAP_POWER4 = 0x80000,
    HWCAP_POWER5 = 0x40000,
    HWCAP_POWER5P = 0x20000,
    HWCAP_CELL = 0x10000,
    HWCAP_2_05 = 0x1000,
    HWCAP_PA6T = 0x800,
    HWCAP_2_06 = 0x100,
    HWCAP_VSX = 0x80,
};
#define HWCAP2_2_07 UINT64_C(0x80000000)
#define HWCAP2_3_0 UINT64_C(0x800000)
#define HWCAP2_3_1 UINT64_C(0x40000)

static uint64_t read_caps(const struct fc_cpu_words *words) {
    uint64_t caps = 0;
    if ((words->hwcap & HWCAP_ALTIVEC) != 0)
        caps |= FC_CAP_ALTIVEC;
    if ((words->hwcap & HWCAP_VSX) != 0)
        caps |= FC_CAP_VSX;
    /* Kernels may announce only the newest level of the ISA: each has what those before it have. */
    bool isa = (words->hwcap2 & HWCAP2_3_1) != 0;
    caps |= isa ? FC_CAP_ISA_3_1 : 0;
    isa |= (words->hwcap2 & HWCAP2_3_0) != 0;
    caps |= isa ? FC_CAP_ISA_3_0 : 0;
    isa |= (words->hwcap2 & HWCAP2_2_07) != 0;
    caps |= isa ? FC_CAP_ISA_2_07 : 0;
    isa |= (words->hwcap & HWCAP_2_06) != 0;
    caps |= isa ? FC_CAP_ISA_2_06 : 0;
    isa |= (words->hwcap & HWCAP_2_05) != 0;
    caps |= isa ? FC_CAP_ISA_2_05 : 0;
    if (words->dcbz != 0)
        caps |= FC_CAP_DCBZ;
    if (words->dcbz == 128)
        caps |= FC_CAP_DCBZ128;
    return caps;
}

static bool same(const char *a, const char *b) {
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

static unsigned by_platform(const char *platform) {
#define FC_UARCH(id, name, their_name)                                                             \
    if (same(platform, their_name))                                                                \
        return FC_UARCH_##id;
#include "uarchs.def"
#undef FC_UARCH
    return FC_UARCH_UNKNOWN;
}

/* Only where a bit belongs to one processor, or the servers' level of the ISA with VSX to one. */
static unsigned by_hwcap(uint64_t hwcap, uint64_t caps) {
    if ((caps & FC_CAP_VSX) != 0)
        return (caps & FC_CAP_ISA_3_1) != 0    ? FC_UARCH_POWER10
               : (caps & FC_CAP_ISA_3_0) != 0  ? FC_UARCH_POWER9
               : (caps & FC_CAP_ISA_2_07) != 0 ? FC_UARCH_POWER8
               : (caps & FC_CAP_ISA_2_06) != 0 ? FC_UARCH_POWER7
                                               : FC_UARCH_UNKNOWN;
    if ((hwcap & HWCAP_CELL) != 0)
        return FC_UARCH_CELL;
    if ((hwcap & HWCAP_PA6T) != 0)
        return FC_UARCH_PA6T;
    if ((hwcap & HWCAP_POWER5P) != 0)
        return FC_UARCH_POWER5P;
    if ((hwcap & HWCAP_POWER5) != 0)
        return FC_UARCH_POWER5;
    if ((hwcap & HWCAP_POWER4) != 0)
        return (caps & FC_CAP_ALTIVEC) != 0 ? FC_UARCH_PPC970 : FC_UARCH_POWER4;
    return FC_UARCH_UNKNOWN;
}

void fc_cpu_decode(struct fc_cpu *cpu, const struct fc_cpu_words *words) {
    cpu->caps = read_caps(words);
    unsigned uarch = words->platform != NULL ? by_platform(words->platform) : FC_UARCH_UNKNOWN;
    if (uarch == FC_UARCH_UNKNOWN)
        uarch = by_hwcap(words->hwcap, cpu->caps);
    cpu->uarch = (uint16_t)uarch;
    cpu->family = cpu->model = cpu->stepping = 0;
    /* No threshold depends on a cache. */
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        cpu->cache[level].size = 0;
        cpu->cache[level].source = FC_SOURCE_NONE;
    }
    for (unsigned i = 0; i < 3; i++)
        cpu->kernel[i] = 0;
    cpu->vendor[0] = cpu->brand[0] = '\0';
}

uint64_t fc_dcbz_block(const unsigned char *buffer, size_t size) {
    uint64_t zeros = 0;
    for (size_t i = 0; i < size; i++)
        zeros += buffer[i] == 0;
    return zeros >= 16 && zeros < size && (zeros & (zeros - 1)) == 0 ? zeros : 0;
}
