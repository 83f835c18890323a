/* SPDX-License-Identifier: MIT */
/*
 * What is believed of recorded machines and chosen on them (machines_ARCH.def), and what is
 * detected here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cores.h"

/* Not by libc's memset: glibc's for the 970 relies on dcbz, of which qemu's 970 zeroes too little.
 */
static void fill(void *object, size_t size) {
    for (volatile unsigned char *byte = object; size > 0; size--)
        *byte++ = 0xff;
}

static void expect(const struct core *core, unsigned family) {
    struct fc_policy policy;
    fill(&policy, sizeof policy); /* everything must be filled in */
    fc_policy_decide(&core->cpu, &policy);
    unsigned kernel = fc_policy_choose(&core->cpu, &policy, family, -1);
    assert_int_equal(fc_kernels[kernel].needs & ~core->cpu.caps, 0);
    if (strcmp(fc_kernels[kernel].name, core->kernels[family]) != 0)
        fail_msg("%s: %s: %s, not %s", core->name, fc_family_name(family), fc_kernels[kernel].name,
                 core->kernels[family]);
    const unsigned char *thresholds = (const unsigned char *)&policy.thresholds;
    for (size_t i = 0; i < sizeof policy.thresholds; i++)
        assert_int_equal(thresholds[i], 0); /* x86_64's kernels alone ask for them */
}

static void test_machines(void **state) {
    (void)state;
    for (size_t i = 0; i < core_count; i++) {
        struct core core;
        fill(&core.cpu, sizeof core.cpu);
        core_read(i, &core);
        if (core.cpu.uarch != core.uarch)
            fail_msg("%s: %s, not %s", core.name, fc_uarch_name(core.cpu.uarch),
                     fc_uarch_name(core.uarch));
        assert_string_equal(core.cpu.vendor, "");
        for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
            expect(&core, family);
    }
}

/* The processor is a hint, and on big.LITTLE that of one core: whatever it is, what is chosen can
 * run. */
static void test_any_set_of_capabilities(void **state) {
    (void)state;
    for (unsigned uarch = 0; uarch < FC_UARCH_COUNT; uarch++)
        for (uint64_t set = 0; set < 2 << FC_CAP_COUNT; set++) {
            struct fc_cpu cpu = {.caps = set >> 1,
                                 .uarch = (uint16_t)uarch,
                                 .kernel = {6, 6, 0},
                                 .cached_memory = set & 1};
            struct fc_policy policy;
            fc_policy_decide(&cpu, &policy);
            for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
                unsigned kernel = fc_policy_choose(&cpu, &policy, family, -1);
                assert_int_equal(fc_kernels[kernel].family, family);
                assert_int_equal(fc_kernels[kernel].needs & ~cpu.caps, 0);
            }
        }
}

static void detect(struct fc_cpu *cpu) {
    fill(cpu, sizeof *cpu);
    fc_cpu_detect(cpu);
}

static void test_here(void **state) {
    (void)state;
    struct fc_cpu cpu;
    detect(&cpu);
    core_check_here(&cpu);
    char identity[256];
    fc_cpu_identity(&cpu, identity, sizeof identity);
    print_message("%s: %s\n", fc_uarch_name(cpu.uarch), identity);
}

/* cpu_features reads the same words, and /proc/cpuinfo, which under qemu-user is another machine's.
 */
static void test_cpu_features_agrees(void **state) {
    (void)state;
    struct fc_cpu cpu;
    detect(&cpu);
    if (!core_check_cpu_features(&cpu)) {
        print_message("skipped: built without cpu_features\n");
        skip();
    }
}

static void test_more(void **state) {
    (void)state;
    core_check_more();
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines), cmocka_unit_test(test_any_set_of_capabilities),
        cmocka_unit_test(test_here),     cmocka_unit_test(test_cpu_features_agrees),
        cmocka_unit_test(test_more),
    };
    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
