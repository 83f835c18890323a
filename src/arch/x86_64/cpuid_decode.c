/* SPDX-License-Identifier: MIT */
/*
 * What CPUID says, decoded. Pure functions of their source.
 *
 * Layouts: Intel SDM volume 2A, "CPUID"; AMD64 Architecture Programmer's Manual volume 3, appendix
 * E. The tables hold no pointers: they are read before this object is relocated.
 */
#include "cpuid_decode.h"

#include <stdbool.h>

/* ---- vendor and microarchitecture ------------------------------------------------------------ */

enum vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD, VENDOR_HYGON, VENDOR_ZHAOXIN };

static const struct {
    char name[13];
    uint8_t vendor;
} vendors[] = {
    {"GenuineIntel", VENDOR_INTEL},   {"AuthenticAMD", VENDOR_AMD},
    {"HygonGenuine", VENDOR_HYGON},   {"  Shanghai  ", VENDOR_ZHAOXIN},
    {"CentaurHauls", VENDOR_ZHAOXIN},
};

static const struct {
    uint8_t vendor, family, first, last, stepping, uarch;
} models[] = {
#define FC_MODEL(vendor, family, first, last, stepping, uarch)                                     \
    {VENDOR_##vendor, family, first, last, stepping, FC_UARCH_##uarch},
#include "models.def"
#undef FC_MODEL
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static enum vendor find_vendor(const struct fc_cpu *cpu) {
    for (unsigned i = 0; i < COUNT(vendors); i++) {
        unsigned at = 0;
        while (at < 12 && cpu->vendor[at] == vendors[i].name[at])
            at++;
        if (at == 12)
            return (enum vendor)vendors[i].vendor;
    }
    return VENDOR_OTHER;
}

unsigned fc_cpuid_uarch(const struct fc_cpu *cpu) {
    enum vendor vendor = find_vendor(cpu);
    for (unsigned i = 0; i < COUNT(models); i++)
        if (models[i].vendor == vendor && models[i].family == cpu->family &&
            models[i].first <= cpu->model && cpu->model <= models[i].last &&
            models[i].stepping <= cpu->stepping)
            return models[i].uarch;
    return FC_UARCH_UNKNOWN;
}

/* ---- caches ---------------------------------------------------------------------------------- */

/*
 * One level, by the deterministic cache parameters: leaf 4 on Intel, 8000001D on AMD, same layout.
 * False if the subleaf describes something else: an empty one, or what some processors and
 * hypervisors answer for a leaf that they lack.
 */
static bool read_cache(struct fc_cpu *cpu, struct fc_cpuid *source, uint32_t leaf, unsigned level) {
    /* Subleaf 1 is the L1 instruction cache. Types: 1 data, 3 unified. */
    static const uint8_t subleaves[FC_CACHE_LEVELS] = {0, 2, 3};
    struct fc_cpuid_leaf is = source->read(source, leaf, subleaves[level]);
    if ((is.eax & 0x1f) != (level == FC_L1D ? 1 : 3) || (is.eax >> 5 & 7) != level + 1)
        return false;
    uint64_t ways = (is.ebx >> 22) + 1;
    uint64_t partitions = (is.ebx >> 12 & 0x3ff) + 1;
    uint64_t line = (is.ebx & 0xfff) + 1;
    cpu->cache[level].size = ways * partitions * line * ((uint64_t)is.ecx + 1);
    cpu->cache[level].source = leaf == 4 ? FC_SOURCE_CPUID4 : FC_SOURCE_CPUID8000001D;
    return true;
}

static void set_old_amd(struct fc_cpu *cpu, unsigned level, uint64_t size) {
    cpu->cache[level].size = size;
    cpu->cache[level].source = size != 0 ? FC_SOURCE_CPUID80000006 : FC_SOURCE_NONE;
}

void fc_cpuid_caches(struct fc_cpu *cpu, struct fc_cpuid *source) {
    unsigned level;
    for (level = 0; level < FC_CACHE_LEVELS; level++) {
        cpu->cache[level].size = 0;
        cpu->cache[level].source = FC_SOURCE_NONE;
    }
    enum vendor vendor = find_vendor(cpu);
    bool amd = vendor == VENDOR_AMD || vendor == VENDOR_HYGON;
    if (vendor == VENDOR_OTHER)
        return;

    /* Where one is empty the rest are, and each CPUID costs a trap on a virtual machine. */
    for (level = 0; level < FC_CACHE_LEVELS; level++)
        if (!read_cache(cpu, source, amd ? 0x8000001D : 4, level))
            break;
    /* An L1 and an L2 without an L3 is a complete answer. */
    if (!amd || level >= FC_L3)
        return;

    /* K8 to family 14h have these only; hypervisors hide 8000001D and often leave them. */
    if (level == FC_L1D)
        set_old_amd(cpu, FC_L1D, (uint64_t)(source->read(source, 0x80000005, 0).ecx >> 24) << 10);
    struct fc_cpuid_leaf old = source->read(source, 0x80000006, 0);
    set_old_amd(cpu, FC_L2, (uint64_t)(old.ecx >> 16) << 10);
    set_old_amd(cpu, FC_L3, (uint64_t)(old.edx >> 18) << 19);
}

/* ---- capabilities ---------------------------------------------------------------------------- */

enum { LEAF1_ECX, LEAF7_EBX, LEAF7_EDX, WORDS };

/* XCR0: the state that the operating system saves. 1 SSE, 2 AVX, 5 to 7 AVX-512. */
enum { STATE_NONE = 0, STATE_AVX = 0x06, STATE_AVX512 = 0xe6 };

static const struct {
    uint8_t cap, word, bit, state;
} capabilities[] = {
    {FC_CAP_BIT_SSSE3, LEAF1_ECX, 9, STATE_NONE},
    {FC_CAP_BIT_AVX, LEAF1_ECX, 28, STATE_AVX},
    {FC_CAP_BIT_AVX2, LEAF7_EBX, 5, STATE_AVX},
    {FC_CAP_BIT_BMI2, LEAF7_EBX, 8, STATE_NONE}, /* general registers only */
    {FC_CAP_BIT_AVX512F, LEAF7_EBX, 16, STATE_AVX512},
    {FC_CAP_BIT_AVX512VL, LEAF7_EBX, 31, STATE_AVX512},
    {FC_CAP_BIT_AVX512BW, LEAF7_EBX, 30, STATE_AVX512},
    {FC_CAP_BIT_ERMS, LEAF7_EBX, 9, STATE_NONE},
    {FC_CAP_BIT_FSRM, LEAF7_EDX, 4, STATE_NONE},
    {FC_CAP_BIT_RTM, LEAF7_EBX, 11, STATE_NONE},
};
_Static_assert(COUNT(capabilities) + 1 == FC_CAP_COUNT, /* CLZERO: fc_cpuid_clzero */
               "caps.def has a capability that is not read");

#define OSXSAVE (1u << 27)

void fc_cpuid_clzero(struct fc_cpu *cpu, struct fc_cpuid *source) {
#ifndef FC_WITHOUT_PAGES
    enum vendor vendor = find_vendor(cpu);
    if ((vendor == VENDOR_AMD || vendor == VENDOR_HYGON) && cpu->family >= 0x17 &&
        (source->read(source, 0x80000008, 0).ebx & 1) != 0)
        cpu->caps |= FC_CAP_CLZERO;
#else
    (void)cpu, (void)source;
#endif
}

void fc_cpuid_decode(struct fc_cpu *cpu, struct fc_cpuid *source) {
    struct fc_cpuid_leaf zero = source->read(source, 0, 0);
    const uint32_t name[3] = {zero.ebx, zero.edx, zero.ecx};
    unsigned at;
    for (at = 0; at < sizeof(name); at++)
        cpu->vendor[at] = (char)(name[at / 4] >> at % 4 * 8);
    for (; at < sizeof(cpu->vendor); at++)
        cpu->vendor[at] = '\0';

    struct fc_cpuid_leaf one = source->read(source, 1, 0);
    unsigned family = one.eax >> 8 & 0xf;
    /* No x86_64 CPU is below family 6, where the extended model came into use. */
    unsigned model = (one.eax >> 4 & 0xf) | (one.eax >> 12 & 0xf0);
    if (family == 0xf)
        family += one.eax >> 20 & 0xff;
    cpu->family = (uint16_t)family;
    cpu->model = (uint16_t)model;
    cpu->stepping = (uint16_t)(one.eax & 0xf);

    uint32_t words[WORDS];
    words[LEAF1_ECX] = one.ecx;
    words[LEAF7_EBX] = words[LEAF7_EDX] = 0;
    if (zero.eax >= 7) {
        struct fc_cpuid_leaf seven = source->read(source, 7, 0);
        words[LEAF7_EBX] = seven.ebx;
        words[LEAF7_EDX] = seven.edx;
    }
    /* Without OSXSAVE, XGETBV faults: the operating system saves no more than SSE. */
    uint32_t saved = (one.ecx & OSXSAVE) != 0 ? source->xcr0(source) : 0;
    cpu->caps = 0;
    for (unsigned i = 0; i < COUNT(capabilities); i++)
        if ((words[capabilities[i].word] >> capabilities[i].bit & 1) != 0 &&
            (capabilities[i].state & ~saved) == 0)
            cpu->caps |= UINT64_C(1) << capabilities[i].cap;

    cpu->uarch = (uint16_t)fc_cpuid_uarch(cpu);
    fc_cpuid_caches(cpu, source);
    fc_cpuid_clzero(cpu, source);
}
