/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include <cmocka.h>

#if FC_INFO_CPU_FEATURES
#include <cpuinfo_aarch64.h>
#endif

#include "cores.h"
#include "cpu_decode.h"

static const struct {
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
};

const size_t core_count = sizeof machines / sizeof *machines;

void core_read(size_t machine, struct core *core) {
    core->name = machines[machine].name;
    core->uarch = machines[machine].uarch;
    fc_cpu_decode(&core->cpu, &machines[machine].words);
    assert_int_equal(core->cpu.family, machines[machine].words.midr >> 24 & 0xff);
    bool asimd = (core->cpu.caps & FC_CAP_ASIMD) != 0;
    const char *streaming = asimd ? "stnp" : "generic";
    core->kernels[FC_FAMILY_memmove] = machines[machine].memmove;
    core->kernels[FC_FAMILY_memset] = machines[machine].memset;
    core->kernels[FC_FAMILY_memcpy_nt] = core->kernels[FC_FAMILY_memset_nt] = streaming;
    core->kernels[FC_FAMILY_copy_page] = machines[machine].copy_page;
    core->kernels[FC_FAMILY_clear_page] = machines[machine].clear_page;
    core->kernels[FC_FAMILY_copy_page_nt] = machines[machine].page_nt;
    core->kernels[FC_FAMILY_clear_page_nt] = machines[machine].page_nt;
    core->kernels[FC_FAMILY_try_memcpy] = asimd ? "asimd" : "gpr";
    core->kernels[FC_FAMILY_try_memset] = asimd ? "asimd" : "syscall";
}

void core_check_here(const struct fc_cpu *cpu) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    assert_int_equal((cpu->caps & FC_CAP_ASIMD) != 0, hwcap >> 1 & 1);
    assert_int_equal((cpu->caps & FC_CAP_SVE) != 0, hwcap >> 22 & 1);
    assert_int_equal((cpu->caps & FC_CAP_MOPS) != 0, hwcap2 >> 43 & 1);
    if ((hwcap >> 11 & 1) != 0)
        assert_true(cpu->family != 0 || cpu->model != 0); /* qemu: no implementer */
    if ((cpu->caps & FC_CAP_SVE) != 0) {
        struct utsname name;
        unsigned major = 0;
        assert_int_equal(uname(&name), 0);
        for (const char *digit = name.release; *digit >= '0' && *digit <= '9'; digit++)
            major = major * 10 + (unsigned)(*digit - '0');
        assert_int_equal(cpu->kernel[0], major);
    } else {
        assert_int_equal(cpu->kernel[0], 0); /* not asked */
    }
}

bool core_check_cpu_features(const struct fc_cpu *cpu) {
#if FC_INFO_CPU_FEATURES
    const Aarch64Info theirs = GetAarch64Info();
    assert_int_equal((cpu->caps & FC_CAP_ASIMD) != 0, theirs.features.asimd != 0);
    assert_int_equal((cpu->caps & FC_CAP_SVE) != 0, theirs.features.sve != 0);
    if (theirs.implementer != 0) {
        assert_int_equal(cpu->family, theirs.implementer);
        assert_int_equal(cpu->model, theirs.part);
        assert_int_equal(cpu->stepping, theirs.variant << 4 | theirs.revision);
    }
    return true;
#else
    (void)cpu;
    return false;
#endif
}

void core_check_more(void) {
}
