/* SPDX-License-Identifier: MIT */
/*
 * AArch64: what is believed of recorded machines and chosen on them (machines_aarch64.def), and
 * what is detected here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include <cmocka.h>

#if FC_INFO_CPU_FEATURES
#include <cpuinfo_aarch64.h>
#endif

#include "cpu_decode.h"
#include "policy.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct machine {
    const char *name;
    struct fc_cpu_words words;
    unsigned uarch;
    const char *memmove, *memset, *copy_page, *clear_page, *page_nt;
} machines[] = {
#define KERNELS(memmove, memset, copy_page, clear_page, page_nt)                                   \
#memmove, #memset, #copy_page, #clear_page, #page_nt
#define MACHINE(name, hwcap, hwcap2, midr, release, uarch, ...)                                    \
    {name, {hwcap, hwcap2, midr, release}, FC_UARCH_##uarch, __VA_ARGS__},
#include "machines_aarch64.def"
#undef MACHINE
#undef KERNELS
};

static void expect(const struct machine *machine, const struct fc_cpu *cpu, unsigned family,
                   const char *name) {
    struct fc_policy policy;
    memset(&policy, 0xff, sizeof policy); /* everything must be filled in */
    fc_policy_decide(cpu, &policy);
    unsigned kernel = fc_policy_choose(cpu, &policy, family, -1);
    assert_int_equal(fc_kernels[kernel].needs & ~cpu->caps, 0);
    if (strcmp(fc_kernels[kernel].name, name) != 0)
        fail_msg("%s: %s: %s, not %s", machine->name, fc_family_name(family),
                 fc_kernels[kernel].name, name);
    const unsigned char *thresholds = (const unsigned char *)&policy.thresholds;
    for (size_t i = 0; i < sizeof policy.thresholds; i++)
        assert_int_equal(thresholds[i], 0); /* none of them is asked on AArch64 */
}

static void test_machines(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(machines); i++) {
        const struct machine *machine = &machines[i];
        struct fc_cpu cpu;
        memset(&cpu, 0xff, sizeof cpu);
        fc_cpu_decode(&cpu, &machine->words);
        if (cpu.uarch != machine->uarch)
            fail_msg("%s: %s, not %s", machine->name, fc_uarch_name(cpu.uarch),
                     fc_uarch_name(machine->uarch));
        assert_int_equal(cpu.family, machine->words.midr >> 24 & 0xff);
        assert_string_equal(cpu.vendor, "");
        const char *streaming = (cpu.caps & FC_CAP_ASIMD) != 0 ? "stnp" : "generic";
        expect(machine, &cpu, FC_FAMILY_memmove, machine->memmove);
        expect(machine, &cpu, FC_FAMILY_memset, machine->memset);
        expect(machine, &cpu, FC_FAMILY_copy_page, machine->copy_page);
        expect(machine, &cpu, FC_FAMILY_clear_page, machine->clear_page);
        expect(machine, &cpu, FC_FAMILY_copy_page_nt, machine->page_nt);
        expect(machine, &cpu, FC_FAMILY_clear_page_nt, machine->page_nt);
        expect(machine, &cpu, FC_FAMILY_memcpy_nt, streaming);
        expect(machine, &cpu, FC_FAMILY_memset_nt, streaming);
    }
}

/* Whatever MIDR_EL1 says of one core, other cores may run what is chosen. */
static void test_midr_is_a_hint(void **state) {
    (void)state;
    for (unsigned uarch = 0; uarch < FC_UARCH_COUNT; uarch++)
        for (uint64_t caps = 0; caps < 1 << FC_CAP_COUNT; caps++) {
            struct fc_cpu cpu = {.caps = caps, .uarch = (uint16_t)uarch, .kernel = {6, 6, 0}};
            struct fc_policy policy;
            fc_policy_decide(&cpu, &policy);
            for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
                unsigned kernel = fc_policy_choose(&cpu, &policy, family, -1);
                assert_int_equal(fc_kernels[kernel].family, family);
                assert_int_equal(fc_kernels[kernel].needs & ~caps, 0);
            }
        }
}

static void test_here(void **state) {
    (void)state;
    struct fc_cpu cpu;
    memset(&cpu, 0xff, sizeof cpu);
    fc_cpu_detect(&cpu);
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    assert_int_equal((cpu.caps & FC_CAP_ASIMD) != 0, hwcap >> 1 & 1);
    assert_int_equal((cpu.caps & FC_CAP_SVE) != 0, hwcap >> 22 & 1);
    assert_int_equal((cpu.caps & FC_CAP_MOPS) != 0, hwcap2 >> 43 & 1);
    if ((hwcap >> 11 & 1) != 0)
        assert_true(cpu.family != 0 || cpu.model != 0); /* qemu: no implementer */
    if ((cpu.caps & FC_CAP_SVE) != 0) {
        struct utsname name;
        unsigned major = 0;
        assert_int_equal(uname(&name), 0);
        for (const char *digit = name.release; *digit >= '0' && *digit <= '9'; digit++)
            major = major * 10 + (unsigned)(*digit - '0');
        assert_int_equal(cpu.kernel[0], major);
    } else {
        assert_int_equal(cpu.kernel[0], 0); /* not asked */
    }
    print_message("%s: implementer %#x, part %#x, hwcap %#lx, hwcap2 %#lx\n",
                  fc_uarch_name(cpu.uarch), cpu.family, cpu.model, hwcap, hwcap2);
}

/* cpu_features reads the same words, and /proc/cpuinfo, which under qemu-user is another machine's.
 */
static void test_cpu_features_agrees(void **state) {
    (void)state;
#if FC_INFO_CPU_FEATURES
    const Aarch64Info theirs = GetAarch64Info();
    struct fc_cpu cpu;
    fc_cpu_detect(&cpu);
    assert_int_equal((cpu.caps & FC_CAP_ASIMD) != 0, theirs.features.asimd != 0);
    assert_int_equal((cpu.caps & FC_CAP_SVE) != 0, theirs.features.sve != 0);
    if (theirs.implementer != 0) {
        assert_int_equal(cpu.family, theirs.implementer);
        assert_int_equal(cpu.model, theirs.part);
        assert_int_equal(cpu.stepping, theirs.variant << 4 | theirs.revision);
    }
#else
    print_message("skipped: built without cpu_features\n");
    skip();
#endif
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_midr_is_a_hint),
        cmocka_unit_test(test_here),
        cmocka_unit_test(test_cpu_features_agrees),
    };
    return cmocka_run_group_tests_name("cores", tests, NULL, NULL);
}
