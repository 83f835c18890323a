/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include <cmocka.h>

#if FC_INFO_CPU_FEATURES
#include <cpuinfo_ppc.h>
#endif

#include "cores.h"
#include "cpu_decode.h"

static const struct {
    const char *name;
    struct fc_cpu_words words;
    bool cached_memory;
    unsigned uarch;
    const char *memmove, *memset, *memcpy_nt, *copy_page, *clear_page;
} machines[] = {
#define KERNELS(memmove, memset, memcpy_nt, copy_page, clear_page)                                 \
#memmove, #memset, #memcpy_nt, #copy_page, #clear_page
#define MACHINE(name, hwcap, hwcap2, platform, dcbz, cached_memory, uarch, ...)                    \
    {name, {hwcap, hwcap2, platform, dcbz}, cached_memory, FC_UARCH_##uarch, __VA_ARGS__},
#include "machines_ppc64.def"
};

const size_t core_count = sizeof machines / sizeof *machines;

void core_read(size_t machine, struct core *core) {
    core->name = machines[machine].name;
    core->uarch = machines[machine].uarch;
    fc_cpu_decode(&core->cpu, &machines[machine].words);
    core->cpu.cached_memory = machines[machine].cached_memory;
    core->kernels[FC_FAMILY_memmove] = machines[machine].memmove;
    core->kernels[FC_FAMILY_memset] = core->kernels[FC_FAMILY_memset_nt] = machines[machine].memset;
    core->kernels[FC_FAMILY_memcpy_nt] = machines[machine].memcpy_nt;
    core->kernels[FC_FAMILY_copy_page] = core->kernels[FC_FAMILY_copy_page_nt] =
        machines[machine].copy_page;
    core->kernels[FC_FAMILY_clear_page] = core->kernels[FC_FAMILY_clear_page_nt] =
        machines[machine].clear_page;
    /* Vectors at any address where memmove has them, too. */
    bool vectors = strcmp(machines[machine].memmove, "power8") == 0 ||
                   strcmp(machines[machine].memmove, "power10") == 0;
    core->kernels[FC_FAMILY_try_memcpy] = vectors ? "vsx" : "gen";
    core->kernels[FC_FAMILY_try_memset] = "gen";
}

void core_check_here(const struct fc_cpu *cpu) {
    unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);
    assert_int_equal((cpu->caps & FC_CAP_ALTIVEC) != 0, hwcap >> 28 & 1);
    assert_int_equal((cpu->caps & FC_CAP_VSX) != 0, hwcap >> 7 & 1);
    assert_int_equal((cpu->caps & FC_CAP_ISA_3_1) != 0, hwcap2 >> 18 & 1);
    assert_int_equal((cpu->caps & FC_CAP_ISA_3_0) != 0, (hwcap2 & 0x840000) != 0);
    assert_int_equal((cpu->caps & FC_CAP_ISA_2_07) != 0, (hwcap2 & 0x80840000) != 0);

    /* dcbz, in another way than cpu.c: of a page of ones, how far from its middle it goes. */
    static _Alignas(8192) unsigned char page[8192];
    for (size_t i = 0; i < sizeof page; i++)
        ((volatile unsigned char *)page)[i] = 1;
    __asm__ volatile("dcbz 0, %0" : : "r"(page + 4096) : "memory");
    unsigned long block = 0;
    while (block < 4096 && page[4096 + block] == 0)
        block++;
    assert_int_equal(fc_dcbz_size, block);
    assert_int_equal((cpu->caps & FC_CAP_DCBZ) != 0, block != 0);
    assert_int_equal((cpu->caps & FC_CAP_DCBZ128) != 0, block == 128);
}

bool core_check_cpu_features(const struct fc_cpu *cpu) {
#if FC_INFO_CPU_FEATURES
    const PPCFeatures theirs = GetPPCInfo().features; /* it knows no ISA 3.1 */
    assert_int_equal((cpu->caps & FC_CAP_ALTIVEC) != 0, theirs.altivec != 0);
    assert_int_equal((cpu->caps & FC_CAP_VSX) != 0, theirs.vsx != 0);
    assert_int_equal((cpu->caps & FC_CAP_ISA_2_06) != 0, theirs.arch206 != 0);
    assert_int_equal((cpu->caps & FC_CAP_ISA_2_07) != 0, theirs.arch207 != 0);
    assert_int_equal((cpu->caps & FC_CAP_ISA_3_0) != 0, theirs.arch300 != 0);
    return true;
#else
    (void)cpu;
    return false;
#endif
}

/* What is counted after a dcbz, and what that is taken for. */
void core_check_more(void) {
    static const struct {
        size_t from, zeros;
        uint64_t block;
    } cases[] = {
        {0, 0, 0},       {512, 1, 0},   {512, 8, 0},   {512, 16, 16},   {512, 32, 32},
        {512, 64, 64},   {512, 96, 0},  {512, 127, 0}, {512, 128, 128}, {512, 256, 256},
        {512, 512, 512}, {0, 512, 512}, {0, 1024, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char buffer[1024];
        for (size_t at = 0; at < sizeof buffer; at++)
            ((volatile unsigned char *)buffer)[at] = at - cases[i].from < cases[i].zeros ? 0 : 0xff;
        assert_int_equal(fc_dcbz_block(buffer, sizeof buffer), cases[i].block);
    }
}
