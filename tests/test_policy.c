/* SPDX-License-Identifier: MIT */
/*
 * cpu's decoding and policy, on machines that are not here: recorded CPUID leaves go in, what is
 * believed and chosen comes out. machines_x86_64.def holds both.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "policy.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)
#define TIB(n) ((uint64_t)(n) << 40)

static const uint64_t absurd_sizes[] = {0, 1, KIB(64), MIB(508), TIB(1), UINT64_MAX};

/* What holds of any policy, whatever went in. */
static void check_sane(const struct fc_cpu *cpu, const struct fc_policy *policy) {
    const struct fc_thresholds *at = &policy->thresholds;
#define FC_THRESHOLD(name, text) assert_true(at->name == 0 || at->name >= 256);
#include "thresholds.def"
#undef FC_THRESHOLD
    if (at->rep_movsb_min == 0)
        assert_int_equal(at->rep_movsb_max, 0);
    else
        assert_true(at->rep_movsb_min < at->rep_movsb_max);
    assert_true(at->rep_stosb_max == 0 || at->rep_stosb_min < at->rep_stosb_max);
    assert_true(at->nt_threshold <= MIB(24));
#ifdef __x86_64__
    assert_true(at->nt_threshold != 0); /* elsewhere there are no streaming stores */
#endif

    assert_in_range(policy->cache[FC_L1D].size, KIB(8), KIB(256));
    assert_in_range(policy->cache[FC_L2].size, KIB(128), MIB(64));
    assert_true(policy->cache[FC_L3].size == 0 || policy->cache[FC_L3].size >= KIB(512));
    assert_true(policy->cache[FC_L3].size < GIB(2));
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++)
        assert_in_range(policy->cache[level].source, FC_SOURCE_NONE + 1, FC_SOURCE_COUNT - 1);

    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
        bool seen[FC_KERNEL_COUNT] = {false};
        assert_true(policy->prefer[family].count <= FC_KERNEL_COUNT);
        for (unsigned i = 0; i < policy->prefer[family].count; i++) {
            unsigned kernel = policy->prefer[family].order[i];
            assert_true(kernel < FC_KERNEL_COUNT && !seen[kernel]);
            assert_int_equal(fc_kernels[kernel].family, family);
            seen[kernel] = true;
        }
        unsigned chosen = fc_policy_choose(cpu, policy, family, -1);
        assert_true(chosen < FC_KERNEL_COUNT);
        assert_int_equal(fc_kernels[chosen].family, family);
        assert_int_equal(fc_kernels[chosen].needs & ~cpu->caps, 0);
    }
}

static void test_empty_order_is_baseline(void **state) {
    (void)state;
    struct fc_cpu cpu;
    struct fc_policy policy;
    memset(&cpu, 0, sizeof(cpu));
    memset(&policy, 0, sizeof(policy));
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        assert_int_equal(fc_policy_choose(&cpu, &policy, family, -1), fc_family_baseline(family));
}

static void test_forced(void **state) {
    (void)state;
    struct fc_cpu cpu;
    struct fc_policy policy;
    memset(&cpu, 0, sizeof(cpu));
    memset(&policy, 0xff, sizeof(policy));
    fc_policy_decide(&cpu, &policy);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
        unsigned own = fc_policy_choose(&cpu, &policy, family, -1);
        for (int kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
            bool counts = fc_kernels[kernel].family == family && fc_kernels[kernel].needs == 0;
            assert_int_equal(fc_policy_choose(&cpu, &policy, family, kernel),
                             counts ? (unsigned)kernel : own);
        }
        assert_int_equal(fc_policy_choose(&cpu, &policy, family, FC_KERNEL_COUNT), own);
        assert_int_equal(fc_policy_choose(&cpu, &policy, family, 1 << 30), own);
    }
}

static void test_absurd_caches(void **state) {
    (void)state;
    struct fc_cpu cpu;
    struct fc_policy policy;
    for (unsigned uarch = 0; uarch < FC_UARCH_COUNT; uarch++)
        for (unsigned source = FC_SOURCE_NONE + 1; source < FC_SOURCE_COUNT; source++)
            for (unsigned i = 0;
                 i < COUNT(absurd_sizes) * COUNT(absurd_sizes) * COUNT(absurd_sizes); i++) {
                unsigned rest = i;
                memset(&cpu, 0, sizeof(cpu));
                memset(&policy, 0xff, sizeof(policy)); /* everything must be filled in */
                cpu.caps = i % 2 == 0 ? 0 : (UINT64_C(1) << FC_CAP_COUNT) - 1;
                cpu.uarch = (uint16_t)uarch;
                for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
                    cpu.cache[level].size = absurd_sizes[rest % COUNT(absurd_sizes)];
                    cpu.cache[level].source = (uint8_t)source;
                    rest /= COUNT(absurd_sizes);
                }
                fc_policy_decide(&cpu, &policy);
                check_sane(&cpu, &policy);
            }
}

static void test_which_sizes_are_believed(void **state) {
    (void)state;
    /* A Zen 5's defaults, and nothing known; per absurd size: is it believed? 0, 1, 64K, 508M, 1T,
     * max. */
    static const uint32_t zen5[FC_CACHE_LEVELS] = {48, 1024, 32768};
    static const bool known[FC_CACHE_LEVELS][COUNT(absurd_sizes)] = {
        [FC_L1D] = {false, false, true, false, false, false},
        [FC_L2] = {false, false, false, false, false, false},
        [FC_L3] = {false, false, false, false, false, false},
    };
    static const bool unknown[FC_CACHE_LEVELS][COUNT(absurd_sizes)] = {
        [FC_L1D] = {false, false, true, false, false, false},
        [FC_L2] = {false, false, false, false, false, false},
        [FC_L3] = {false, false, false, true, false, false}, /* Xeons have that */
    };
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++)
        for (unsigned i = 0; i < COUNT(absurd_sizes); i++) {
            struct fc_cpu cpu;
            struct fc_policy policy;
            memset(&cpu, 0, sizeof(cpu));
            cpu.cache[level].size = absurd_sizes[i];
            cpu.cache[level].source = FC_SOURCE_CPUID4;
            fc_policy_caches(&cpu, zen5, &policy);
            assert_int_equal(policy.cache[level].size,
                             known[level][i] ? absurd_sizes[i] : KIB(zen5[level]));
            assert_int_equal(policy.cache[level].source,
                             known[level][i] ? FC_SOURCE_CPUID4 : FC_SOURCE_TABLE);
            fc_policy_caches(&cpu, NULL, &policy);
            assert_int_equal(policy.cache[level].source,
                             unknown[level][i] ? FC_SOURCE_CPUID4 : FC_SOURCE_DEFAULT);
        }
}

#ifdef __x86_64__
/* A window that the caches leave no room for is none: rep movsb from the L2's size to the
 * streaming's. */
static void test_empty_window(void **state) {
    (void)state;
    struct fc_cpu cpu;
    struct fc_policy policy;
    memset(&cpu, 0, sizeof(cpu));
    cpu.caps = FC_CAP_ERMS;
    cpu.uarch = FC_UARCH_SKYLAKE_X;
    cpu.cache[FC_L2] = (struct fc_cache){MIB(8), FC_SOURCE_CPUID4};
    cpu.cache[FC_L3] = (struct fc_cache){MIB(4), FC_SOURCE_CPUID4};
    fc_policy_decide(&cpu, &policy);
    assert_int_equal(policy.thresholds.nt_threshold, MIB(3));
    assert_int_equal(policy.thresholds.rep_movsb_min, 0);
    assert_int_equal(policy.thresholds.rep_movsb_max, 0);
}
#endif

static void test_names(void **state) {
    (void)state;
    for (unsigned i = 0; i < FC_UARCH_COUNT; i++)
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(fc_uarch_name(i), fc_uarch_name(j));
    for (unsigned i = 0; i < FC_SOURCE_COUNT; i++)
        assert_string_not_equal(fc_source_name(i), "?");
    const unsigned caps = FC_CAP_COUNT; /* may be 0, with which compilers refuse to compare */
    for (unsigned i = 0; i < caps; i++)
        assert_string_not_equal(fc_cap_name(i), "?");
    assert_string_equal(fc_uarch_name(FC_UARCH_COUNT), "?");
    assert_string_equal(fc_source_name(FC_SOURCE_COUNT), "?");
    assert_string_equal(fc_cap_name(FC_CAP_COUNT), "?");
}

#ifdef __x86_64__
#include <cpuid.h>

#include "cpuid_decode.h"

struct leaf {
    uint32_t leaf, subleaf;
    struct fc_cpuid_leaf is;
};

static const struct machine {
    const char *name;
    uint32_t xcr0;
    unsigned uarch;
    uint64_t caps;
    uint32_t caches[FC_CACHE_LEVELS];
    const char *kernels[FC_FAMILY_COUNT];
    uint32_t movsb_min, movsb_max, nt, stosb_min;
    struct leaf leaves[10];
} machines[] = {
#define CACHES(l1d, l2, l3)                                                                        \
    { l1d, l2, l3 }
#define KERNELS(memmove, memset, memcpy_nt, page, page_nt)                                         \
    {                                                                                              \
        [FC_FAMILY_memmove] = #memmove, [FC_FAMILY_memset] = #memset,                              \
        [FC_FAMILY_memcpy_nt] = #memcpy_nt, [FC_FAMILY_memset_nt] = #memcpy_nt,                    \
        [FC_FAMILY_copy_page] = #page, [FC_FAMILY_clear_page] = #page,                             \
        [FC_FAMILY_copy_page_nt] = #page_nt, [FC_FAMILY_clear_page_nt] = #page_nt,                 \
        [FC_FAMILY_try_memcpy] = #memcpy_nt, [FC_FAMILY_try_memset] = #memcpy_nt                   \
    }
#define THRESHOLDS(movsb_min, movsb_max, nt, stosb_min) movsb_min, movsb_max, nt, stosb_min
#define LEAF(leaf, subleaf, eax, ebx, ecx, edx) {leaf, subleaf, {eax, ebx, ecx, edx}},
#define FC_MACHINE(name, xcr0, uarch, caps, caches, kernels, thresholds, leaves)                   \
    {name, xcr0, FC_UARCH_##uarch, caps, caches, kernels, thresholds, {leaves}},
#include "machines_x86_64.def"
#undef FC_MACHINE
#undef CACHES
#undef KERNELS
#undef THRESHOLDS
#undef LEAF
};

struct recording {
    struct fc_cpuid source;
    const struct machine *machine;
    unsigned asked;
};

static struct fc_cpuid_leaf read_recorded(struct fc_cpuid *source, uint32_t leaf,
                                          uint32_t subleaf) {
    struct recording *recording = (struct recording *)source;
    const struct leaf *leaves = recording->machine->leaves;
    struct fc_cpuid_leaf none = {0, 0, 0, 0};
    recording->asked++;
    /* CLZERO is asked of AMD and Hygon alone. */
    assert_true(leaf != 0x80000008 || leaves[0].is.ebx == 0x68747541 ||
                leaves[0].is.ebx == 0x6f677948);
    /* Leaf 7 is there only if leaf 0 says so. */
    assert_true(leaf != 7 || leaves[0].is.eax >= 7);
    for (unsigned i = 0; i < COUNT(recording->machine->leaves); i++)
        if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
            return leaves[i].is;
    return none;
}

static uint32_t read_recorded_xcr0(struct fc_cpuid *source) {
    struct recording *recording = (struct recording *)source;
    /* XGETBV is an invalid instruction without OSXSAVE. */
    assert_int_equal(recording->machine->leaves[1].leaf, 1);
    assert_true((recording->machine->leaves[1].is.ecx >> 27 & 1) != 0);
    return recording->machine->xcr0;
}

static void decode(const struct machine *machine, struct fc_cpu *cpu) {
    struct recording recording = {{read_recorded, read_recorded_xcr0}, machine, 0};
    memset(cpu, 0xff, sizeof(*cpu)); /* everything must be filled in */
    fc_cpuid_decode(cpu, &recording.source);
    assert_true(recording.asked <= 7); /* three, three of caches, and CLZERO */
}

#define CHECK(machine, is, should)                                                                 \
    do {                                                                                           \
        if ((uint64_t)(is) != (uint64_t)(should))                                                  \
            fail_msg("%s: %s is %#llx and should be %#llx", (machine)->name, #is,                  \
                     (unsigned long long)(is), (unsigned long long)(should));                      \
    } while (0)

static void test_machines(void **state) {
    (void)state;
    for (const struct machine *machine = machines; machine < machines + COUNT(machines);
         machine++) {
        struct fc_cpu cpu;
        struct fc_policy policy;
        decode(machine, &cpu);
        memset(&policy, 0xff, sizeof(policy));
        fc_policy_decide(&cpu, &policy);
        check_sane(&cpu, &policy);
        CHECK(machine, cpu.uarch, machine->uarch);
        CHECK(machine, cpu.caps, machine->caps);
        CHECK(machine, policy.cache[FC_L1D].size, KIB(machine->caches[FC_L1D]));
        CHECK(machine, policy.cache[FC_L2].size, KIB(machine->caches[FC_L2]));
        CHECK(machine, policy.cache[FC_L3].size, KIB(machine->caches[FC_L3]));
        CHECK(machine, policy.thresholds.rep_movsb_min, KIB(machine->movsb_min));
        CHECK(machine, policy.thresholds.rep_movsb_max, KIB(machine->movsb_max));
        CHECK(machine, policy.thresholds.nt_threshold, KIB(machine->nt));
        CHECK(machine, policy.thresholds.rep_stosb_min, KIB(machine->stosb_min));
        for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
            const char *kernel = fc_kernels[fc_policy_choose(&cpu, &policy, family, -1)].name;
            if (strcmp(kernel, machine->kernels[family]) != 0)
                fail_msg("%s: %s runs %s and should run %s", machine->name, fc_family_name(family),
                         kernel, machine->kernels[family]);
        }
    }
}

static const struct machine *find_machine(const char *name) {
    for (unsigned i = 0; i < COUNT(machines); i++)
        if (strcmp(machines[i].name, name) == 0)
            return &machines[i];
    fail_msg("no machine named %s", name);
    return NULL;
}

/* Each machine of each stepping; and every microarchitecture is some model's. */
static void test_identity(void **state) {
    (void)state;
    static const struct {
        const char *machine, *vendor;
        unsigned family, model, stepping;
    } expected[] = {
        {"K8: Athlon 64 3200+", "AuthenticAMD", 0x0f, 0x2f, 0},
        {"K8, family 11h: Turion X2 ZM-82", "AuthenticAMD", 0x11, 0x03, 1},
        {"K10: Phenom II X4 940", "AuthenticAMD", 0x10, 0x04, 2},
        {"Zen 2: Ryzen 7 3700X", "AuthenticAMD", 0x17, 0x71, 0},
        {"Zen 5: Ryzen 7 9700X", "AuthenticAMD", 0x1a, 0x44, 0},
        {"Hygon C86 7185", "HygonGenuine", 0x18, 0x00, 1},
        {"NetBurst, not in the table: Xeon 3.2 (Irwindale)", "GenuineIntel", 0x0f, 0x04, 3},
        {"Bonnell: Atom 230", "GenuineIntel", 0x06, 0x1c, 2},
        {"Cascade Lake: Core i9-10980XE, RTM off", "GenuineIntel", 0x06, 0x55, 7},
        {"Emerald Rapids, hidden caches", "GenuineIntel", 0x06, 0xcf, 2},
        {"Zhaoxin KX-6640MA (LuJiaZui)", "CentaurHauls", 0x07, 0x3b, 0},
    };
    for (unsigned i = 0; i < COUNT(expected); i++) {
        struct fc_cpu cpu;
        decode(find_machine(expected[i].machine), &cpu);
        assert_string_equal(cpu.vendor, expected[i].vendor);
        assert_int_equal(cpu.family, expected[i].family);
        assert_int_equal(cpu.model, expected[i].model);
        assert_int_equal(cpu.stepping, expected[i].stepping);
    }

    static const char vendors[][13] = {"GenuineIntel", "AuthenticAMD", "HygonGenuine",
                                       "  Shanghai  "};
    bool found[FC_UARCH_COUNT] = {false};
    for (unsigned vendor = 0; vendor < COUNT(vendors); vendor++)
        for (unsigned family = 0; family < 0x20; family++)
            for (unsigned model = 0; model < 0x100; model++)
                for (unsigned stepping = 0; stepping < 16; stepping++) {
                    struct fc_cpu cpu;
                    memset(&cpu, 0, sizeof(cpu));
                    memcpy(cpu.vendor, vendors[vendor], sizeof(vendors[vendor]));
                    cpu.family = (uint16_t)family;
                    cpu.model = (uint16_t)model;
                    cpu.stepping = (uint16_t)stepping;
                    unsigned uarch = fc_cpuid_uarch(&cpu);
                    assert_true(uarch < FC_UARCH_COUNT);
                    found[uarch] = true;
                }
    for (unsigned uarch = 0; uarch < FC_UARCH_COUNT; uarch++)
        if (!found[uarch])
            fail_msg("no model is a %s", fc_uarch_name(uarch));
}

static unsigned chosen_with(unsigned uarch, uint64_t caps) {
    struct fc_cpu cpu;
    struct fc_policy policy;
    memset(&cpu, 0, sizeof(cpu));
    cpu.uarch = (uint16_t)uarch;
    cpu.caps = caps;
    fc_policy_decide(&cpu, &policy);
    return fc_policy_choose(&cpu, &policy, FC_FAMILY_memmove, -1);
}

/* Only an unknown microarchitecture takes 64-byte vectors because of FSRM: the others have a row.
 */
static void test_every_uarch_has_a_rule(void **state) {
    (void)state;
    uint64_t caps = FC_CAP_AVX | FC_CAP_AVX2 | FC_CAP_AVX512F | FC_CAP_AVX512VL;
    for (unsigned uarch = 0; uarch < FC_UARCH_COUNT; uarch++) {
        bool by_caps = chosen_with(uarch, caps) == FC_KERNEL_memmove_avx &&
                       chosen_with(uarch, caps | FC_CAP_FSRM) == FC_KERNEL_memmove_avx512;
        if (by_caps != (uarch == FC_UARCH_UNKNOWN))
            fail_msg("%s has no row in the rules", fc_uarch_name(uarch));
    }
}

/* ---- this machine ---------------------------------------------------------------------------- */

static struct fc_cpuid_leaf read_here(struct fc_cpuid *source, uint32_t leaf, uint32_t subleaf) {
    struct fc_cpuid_leaf is;
    (void)source;
    __cpuid_count(leaf, subleaf, is.eax, is.ebx, is.ecx, is.edx);
    return is;
}

static uint32_t read_xcr0_here(struct fc_cpuid *source) {
    uint32_t low, high;
    (void)source;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* cpu_features' reading, or our own by glibc's cached leaves, against our own by the instruction.
 */
static void test_readers_agree(void **state) {
    (void)state;
    struct fc_cpuid source = {read_here, read_xcr0_here};
    struct fc_cpu own, detected;
    memset(&own, 0xff, sizeof(own));
    memset(&detected, 0xff, sizeof(detected));
    fc_cpuid_decode(&own, &source);
    fc_cpu_detect(&detected);
    assert_string_equal(detected.vendor, own.vendor);
    assert_int_equal(detected.family, own.family);
    assert_int_equal(detected.model, own.model);
    assert_int_equal(detected.stepping, own.stepping);
    assert_int_equal(detected.uarch, own.uarch);
    assert_int_equal(detected.caps, own.caps);
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        assert_int_equal(detected.cache[level].size, own.cache[level].size);
        assert_int_equal(detected.cache[level].source, own.cache[level].source);
    }
    assert_in_range(detected.reader, FC_READER_CPU_FEATURES, FC_READER_OWN);
    assert_non_null(memchr(detected.brand, '\0', sizeof(detected.brand)));
    print_message("read by %s: %s, %s\n",
                  detected.reader == FC_READER_CPU_FEATURES ? "cpu_features" : "our own reader",
                  fc_uarch_name(detected.uarch), detected.brand);
}
#endif

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_order_is_baseline),
        cmocka_unit_test(test_forced),
        cmocka_unit_test(test_absurd_caches),
        cmocka_unit_test(test_which_sizes_are_believed),
        cmocka_unit_test(test_names),
#ifdef __x86_64__
        cmocka_unit_test(test_empty_window),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_every_uarch_has_a_rule),
        cmocka_unit_test(test_readers_agree),
#endif
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
