/* SPDX-License-Identifier: MIT */
/*
 * What is fast on an x86_64 machine. The rules are the table below, one row a microarchitecture;
 * the code under it only resolves a row against what the machine can do and the caches it has.
 */
#include "policy.h"

#include <stdbool.h>

/* Vectors by preference; a kernel that the CPU cannot run is passed over. */
enum order {
    ORDER_BY_CAPS, /* no row: see unknown_order */
    ORDER_SSE2,
    ORDER_SSSE3,  /* memmove: ssse3, sse2 */
    ORDER_AVX,    /* avx, sse2 */
    ORDER_AVX512, /* avx512, avx, sse2 */
};

/* Thresholds that depend on the machine, in place of a number of bytes. */
enum {
    NEVER = 0,
    FROM_L1 = 1, /* from sizes on whose source and destination fill half of the L1 */
    FROM_L2 = 2, /* from sizes on that leave the L2 cache */
    TO_NT = 3,   /* up to where streaming stores take over */
};

struct rule {
    uint8_t order;
    uint32_t movsb_min, movsb_max; /* copies of this size run as rep movsb, given ERMS */
    uint32_t stosb_min;            /* memset from this size on runs as rep stosb, given ERMS */
};

#define KIB(n) ((uint32_t)(n) << 10)
#define MIB(n) ((uint32_t)(n) << 20)

/*
 * Sources. [248966] Intel 64 and IA-32 Architectures Optimization Reference Manual. [Fog] A. Fog,
 * The microarchitecture of Intel, AMD and VIA CPUs. [2011] the linux-kernel thread of that year on
 * SSE and AVX copies. [BZ] glibc's bug tracker. "Measured": by this project, on a virtual machine
 * of that kind.
 *
 * ERMS, from Ivy Bridge on: start-up some 35 cycles, level with 16-byte vectors above 2 KiB
 * [248966, "Enhanced REP MOVSB and STOSB Operation"], with wider ones nowhere in the L1. Where it
 * wins is past the L2: it need not read the lines that it overwrites. Hence FROM_L2, TO_NT.
 *
 * On Zen 2 to 4 rep movsb is up to 20 times slower when the destination is misaligned (Zen 3: 4.4
 * GB/s, not 84 [lunnova.dev/articles/ryzen-slow-short-rep-mov]) or just above the source modulo
 * 4096 [BZ 30994]; older ones have no ERMS: never.
 */
/* clang-format off */
static const struct rule rules[FC_UARCH_COUNT] = {
    /* AMD. Bulldozer to Excavator and Jaguar split 32 bytes in two, and Piledriver stores them far slower
     * than two halves [Fog, "Bulldozer": 256-bit stores]. rep movsq was fast on K10 where source and
     * destination agree modulo 64 and slow elsewhere [2011]: by name only. */
    [FC_UARCH_K8] =              {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_K10] =             {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_BOBCAT] =          {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_JAGUAR] =          {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_BULLDOZER] =       {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_PILEDRIVER] =      {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_STEAMROLLER] =     {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_EXCAVATOR] =       {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    /* Zen 1 splits 32 bytes too, at no loss [Fog, "Ryzen"]. Dhyana is a Zen 1. */
    [FC_UARCH_ZEN] =             {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_ZEN_PLUS] =        {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_DHYANA] =          {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_ZEN2] =            {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_ZEN3] =            {ORDER_AVX,    NEVER,   NEVER, NEVER},
    /* Zen 4: 64-byte vectors take two turns in 32-byte units, at no lower clock [Fog, "Zen 4"]: no faster
     * in the loop, fewer instructions below it. */
    [FC_UARCH_ZEN4] =            {ORDER_AVX512, NEVER,   NEVER, NEVER},
    /* Zen 5, measured, GB/s of rep movsb and of 64-byte vectors: 16K 138, 215; 64K 110, 81; 1M 61, 49;
     * 16M 37, 28. Misaligned alike. rep stosb: not measured. */
    [FC_UARCH_ZEN5] =            {ORDER_AVX512, KIB(64), TO_NT, NEVER},

    /* Intel. Merom, Penryn and the Atoms up to Saltwell take misaligned 16-byte loads apart: aligned ones
     * and palignr gain [Fog, "Core 2", "Atom"; 12 % more frames in an Atom's video recorder, 2011]. */
    [FC_UARCH_CORE2] =           {ORDER_SSSE3,  NEVER,   NEVER, NEVER},
    [FC_UARCH_PENRYN] =          {ORDER_SSSE3,  NEVER,   NEVER, NEVER},
    [FC_UARCH_BONNELL] =         {ORDER_SSSE3,  NEVER,   NEVER, NEVER},
    [FC_UARCH_SALTWELL] =        {ORDER_SSSE3,  NEVER,   NEVER, NEVER},
    [FC_UARCH_NEHALEM] =         {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_WESTMERE] =        {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    /* The data paths are 16 bytes wide, misaligned 32-byte accesses are slow [248966, the chapter on AVX,
     * advises 16-byte accesses for unaligned data]. */
    [FC_UARCH_SANDY_BRIDGE] =    {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_IVY_BRIDGE] =      {ORDER_SSE2,   FROM_L2, TO_NT, FROM_L2},
    [FC_UARCH_HASWELL] =         {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    [FC_UARCH_BROADWELL] =       {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    [FC_UARCH_SKYLAKE] =         {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    /* 64-byte vectors lower the clock of these three [248966, "Skylake Server Power Management"] */
    [FC_UARCH_SKYLAKE_X] =       {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    [FC_UARCH_CASCADE_LAKE] =    {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    [FC_UARCH_COOPER_LAKE] =     {ORDER_AVX,    FROM_L2, TO_NT, FROM_L2},
    /* and hardly that of these, which have FSRM. Emerald Rapids, measured: rep movsb against 64-byte
     * vectors 1.05 to 1.3 times slower up to 8K; level at 16K where all is in the L1, 1.4 times faster
     * where it is not; 1.3 to 2 times faster at 24K, level from 64K on, a little faster at 1M. The
     * others by kinship (and glibc has rep movsb from 2112 bytes on there). */
    [FC_UARCH_ICE_LAKE] =        {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_ICE_LAKE_X] =      {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_TIGER_LAKE] =      {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_ROCKET_LAKE] =     {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_SAPPHIRE_RAPIDS] = {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_EMERALD_RAPIDS] =  {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    [FC_UARCH_GRANITE_RAPIDS] =  {ORDER_AVX512, FROM_L1, TO_NT, FROM_L2},
    /* Hybrids: a thread moves between large and small cores, so nothing that suits only one kind. */
    [FC_UARCH_ALDER_LAKE] =      {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_RAPTOR_LAKE] =     {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_METEOR_LAKE] =     {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_LUNAR_LAKE] =      {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_ARROW_LAKE] =      {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_SILVERMONT] =      {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_GOLDMONT] =        {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_GOLDMONT_PLUS] =   {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_TREMONT] =         {ORDER_SSE2,   NEVER,   NEVER, NEVER},
    [FC_UARCH_GRACEMONT] =       {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_SIERRA_FOREST] =   {ORDER_AVX,    NEVER,   NEVER, NEVER},
    /* These have AVX-512F without VL, which the 64-byte kernels need. */
    [FC_UARCH_KNIGHTS_LANDING] = {ORDER_AVX,    NEVER,   NEVER, NEVER},
    [FC_UARCH_KNIGHTS_MILL] =    {ORDER_AVX,    NEVER,   NEVER, NEVER},

    /* 32-byte accesses are slow up to LuJiaZui, as glibc's selection has it; not measured since. */
    [FC_UARCH_ZHAOXIN] =         {ORDER_SSE2,   NEVER,   NEVER, NEVER},
};
/* clang-format on */

static const uint32_t usual_caches[FC_UARCH_COUNT][FC_CACHE_LEVELS] = {
#define FC_UARCH(id, name, l1d, l2, l3) [FC_UARCH_##id] = {l1d, l2, l3},
#include "uarchs.def"
#undef FC_UARCH
};

/* A processor that is in no table, most likely a newer one: by what it can do. */
static enum order unknown_order(uint64_t caps) {
    /* Ice Lake brought FSRM, and 64-byte vectors that hardly lower the clock; Zen 4 has both. */
    if ((caps & FC_CAP_AVX512VL) != 0 && (caps & FC_CAP_FSRM) != 0)
        return ORDER_AVX512;
    /* AVX alone is a Sandy Bridge, a Bulldozer or kin. */
    return (caps & FC_CAP_AVX2) != 0 ? ORDER_AVX : ORDER_SSE2;
}

/*
 * Pages. copy_page and clear_page are for a page that is used next: vectors, as memmove has them,
 * and not rep movsb, not even with FSRM: Emerald Rapids, measured (docs/KERNELS.md). The streaming
 * ones by the same vectors, but on K8 by MMX: the Athlon's routine took 13119 cycles a page where
 * plain MMX took 21370 and the plain loop 27706 [Athlon page copies, 2001, measured on K7, whose
 * load and store paths K8 has]. clzero: not measured, by name only.
 */
static void prefer_pages(struct fc_policy *policy, enum order order, bool k8) {
    if (k8) {
        fc_policy_prefer(policy, FC_KERNEL_copy_page_nt_mmx_nt);
        fc_policy_prefer(policy, FC_KERNEL_clear_page_nt_mmx_nt);
    }
#define PREFER(vector)                                                                             \
    fc_policy_prefer(policy, FC_KERNEL_memset_nt_##vector);                                        \
    fc_policy_prefer(policy, FC_KERNEL_copy_page_##vector);                                        \
    fc_policy_prefer(policy, FC_KERNEL_clear_page_##vector);                                       \
    fc_policy_prefer(policy, FC_KERNEL_copy_page_nt_##vector##_nt);                                \
    fc_policy_prefer(policy, FC_KERNEL_clear_page_nt_##vector##_nt)
    if (order == ORDER_AVX512) {
        PREFER(avx512);
    }
    if (order >= ORDER_AVX) {
        PREFER(avx);
    }
    PREFER(sse2);
#undef PREFER
}

static void set_order(struct fc_policy *policy, enum order order) {
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        policy->prefer[family].count = 0;
    if (order == ORDER_AVX512) {
        fc_policy_prefer(policy, FC_KERNEL_memmove_avx512);
        fc_policy_prefer(policy, FC_KERNEL_memset_avx512);
        fc_policy_prefer(policy, FC_KERNEL_memcpy_nt_avx512);
        fc_policy_prefer(policy, FC_KERNEL_try_memcpy_avx512);
        fc_policy_prefer(policy, FC_KERNEL_try_memset_avx512);
    }
    if (order >= ORDER_AVX) {
        fc_policy_prefer(policy, FC_KERNEL_memmove_avx);
        fc_policy_prefer(policy, FC_KERNEL_memset_avx);
        fc_policy_prefer(policy, FC_KERNEL_memcpy_nt_avx);
        fc_policy_prefer(policy, FC_KERNEL_try_memcpy_avx);
        fc_policy_prefer(policy, FC_KERNEL_try_memset_avx);
    }
    if (order == ORDER_SSSE3)
        fc_policy_prefer(policy, FC_KERNEL_memmove_ssse3);
    fc_policy_prefer(policy, FC_KERNEL_memmove_sse2);
    fc_policy_prefer(policy, FC_KERNEL_memset_sse2);
    fc_policy_prefer(policy, FC_KERNEL_memcpy_nt_sse2);
    fc_policy_prefer(policy, FC_KERNEL_try_memcpy_sse2);
    fc_policy_prefer(policy, FC_KERNEL_try_memset_sse2);
}

static uint64_t clamp(uint64_t value, uint64_t min, uint64_t max) {
    return value < min ? min : value > max ? max : value;
}

/*
 * Streaming pays once source and destination together no longer fit the last cache; before that,
 * whoever reads the copy finds it there. Three quarters of it is glibc's rule, too, and 24 MiB on
 * Zen 5, where streaming and not are level at 16 MiB (35 and 37 GB/s, measured) and 25 to 19 at 64
 * MiB. At least 1 MiB: small last caches (Atom's 512 KiB) are no reason to send every buffer to
 * memory. At most 24 MiB: server caches of hundreds of MiB are shared by dozens of cores, and a
 * virtual machine with two of them is shown the whole. On such a one (Emerald Rapids, 260 MiB) a
 * copy of 16 MiB that is read next took as long either way, one of 24 MiB 0.78 of the time,
 * measured.
 */
static uint64_t nt_threshold(const struct fc_policy *policy) {
    uint64_t last = policy->cache[FC_L3].size;
    if (last == 0)
        last = policy->cache[FC_L2].size;
    return clamp(last / 4 * 3, MIB(1), MIB(24));
}

static uint64_t resolve(uint32_t threshold, const struct fc_policy *policy) {
    switch (threshold) {
    case FROM_L1:
        return policy->cache[FC_L1D].size / 4;
    case FROM_L2:
        return policy->cache[FC_L2].size;
    case TO_NT:
        return policy->thresholds.nt_threshold;
    default:
        return threshold;
    }
}

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    const struct rule *rule = &rules[cpu->uarch];
    enum order order = (enum order)rule->order;
    if (order == ORDER_BY_CAPS)
        order = unknown_order(cpu->caps);
    /* vzeroupper aborts a transaction (glibc has -rtm variants for that); the 64-byte kernels need
     * none. Most systems have RTM off by now: where it is on, someone wants it. */
    uint64_t rtm_and_vl = FC_CAP_RTM | FC_CAP_AVX512VL;
    if (order == ORDER_AVX && (cpu->caps & rtm_and_vl) == rtm_and_vl)
        order = ORDER_AVX512;
    set_order(policy, order);
    prefer_pages(policy, order, cpu->uarch == FC_UARCH_K8);

    bool known = cpu->uarch != FC_UARCH_UNKNOWN;
    fc_policy_caches(cpu, known ? usual_caches[cpu->uarch] : NULL, policy);

    struct fc_thresholds *to = &policy->thresholds;
    to->nt_threshold = nt_threshold(policy);
    to->rep_movsb_min = to->rep_movsb_max = NEVER;
    to->rep_stosb_min = to->rep_stosb_max = NEVER; /* max: rep stosb never stops being used */
    if ((cpu->caps & FC_CAP_ERMS) == 0)
        return;
    uint64_t min = resolve(rule->movsb_min, policy);
    uint64_t max = resolve(rule->movsb_max, policy);
    if (min < max) {
        to->rep_movsb_min = min;
        to->rep_movsb_max = max;
    }
    to->rep_stosb_min = resolve(rule->stosb_min, policy);
}
