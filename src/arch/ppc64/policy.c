/* SPDX-License-Identifier: MIT */
/*
 * What is fast on ppc64. No such machine was at hand: the rules are what is published.
 *
 * dcbz and unaligned vector accesses trap on cache-inhibited memory. What uses them is chosen for
 * memmove and memset
 *   dcbz           on the Cell, POWER5 and the 970: it is the founding routine there
 *   unaligned      on POWER10; before it only where the operator promises (cached_memory=1) that no
 *   vectors        copy goes to such memory, as glibc decided for POWER8 and 9
 * and for pages, which are ordinary memory, everywhere.
 */
#include "policy.h"

#include <stdbool.h>

enum order {
    ORDER_GEN,
    ORDER_CELL,
    ORDER_PPC970,
    ORDER_POWER6,
    ORDER_POWER7,
    ORDER_POWER8,
    ORDER_POWER10
};

/*
 * The founding report measured the Cell (5869 MB/s instead of 1563), POWER5 (7.9 Gbit/s instead of
 * 7.5) and POWER6 (12.8 instead of 13.6: slower): so the level of the ISA goes first.
 * The 970MP did not boot with dcbz: it gets it only where its block was measured.
 */
static enum order find_order(const struct fc_cpu *cpu) {
    bool altivec = (cpu->caps & FC_CAP_ALTIVEC) != 0;
    bool line_of_128 = (cpu->caps & FC_CAP_DCBZ128) != 0;
    if ((cpu->caps & FC_CAP_ISA_3_1) != 0 && (cpu->caps & FC_CAP_VSX) != 0)
        return ORDER_POWER10;
    if ((cpu->caps & FC_CAP_ISA_2_07) != 0 && cpu->cached_memory)
        return ORDER_POWER8;
    if ((cpu->caps & FC_CAP_ISA_2_06) != 0 && altivec)
        return ORDER_POWER7;
    if ((cpu->caps & FC_CAP_ISA_2_05) != 0 || cpu->uarch == FC_UARCH_POWER6 ||
        cpu->uarch == FC_UARCH_POWER6X)
        return ORDER_POWER6;
    if (line_of_128)
        switch (cpu->uarch) {
        case FC_UARCH_CELL:
        case FC_UARCH_POWER5:
        case FC_UARCH_POWER5P:
            return ORDER_CELL;
        case FC_UARCH_PPC970:
            return ORDER_PPC970;
        default:
            break;
        }
    return ORDER_GEN;
}

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    fc_policy_start(cpu, NULL, policy);
#define PREFER(family, variant) fc_policy_prefer(policy, FC_KERNEL_##family##_##variant)

    switch (find_order(cpu)) {
    case ORDER_POWER10:
        PREFER(memmove, power10);
        PREFER(try_memcpy, vsx);
        PREFER(memset, vsx);
        PREFER(memset_nt, vsx);
        PREFER(memcpy_nt, streams);
        PREFER(copy_page, vmx);
        PREFER(copy_page_nt, vmx);
        break;
    case ORDER_POWER8:
        PREFER(memmove, power8);
        PREFER(try_memcpy, vsx);
        PREFER(memset, vsx);
        PREFER(memset_nt, vsx);
        /* fall through */
    case ORDER_POWER7:
        PREFER(memmove, power7);
        PREFER(memcpy_nt, streams);
        PREFER(copy_page, vmx);
        PREFER(copy_page_nt, vmx);
        break;
    case ORDER_POWER6:
        PREFER(memmove, power6);
        break;
    case ORDER_CELL:
        PREFER(memmove, cell);
        PREFER(memcpy_nt, cell);
        PREFER(memset, dcbz);
        PREFER(memset_nt, dcbz);
        PREFER(copy_page, cell);
        PREFER(copy_page_nt, cell);
        break;
    case ORDER_PPC970:
        PREFER(memmove, ppc970);
        PREFER(memcpy_nt, ppc970);
        PREFER(memset, dcbz);
        PREFER(memset_nt, dcbz);
        PREFER(copy_page, cell);
        PREFER(copy_page_nt, cell);
        break;
    case ORDER_GEN:
        break;
    }
    if ((cpu->caps & FC_CAP_DCBZ) != 0) { /* what Linux clears pages with */
        PREFER(clear_page, dcbz);
        PREFER(clear_page_nt, dcbz);
    }
    PREFER(memmove, gen);
    PREFER(memset, gen);
    PREFER(memcpy_nt, gen);
    PREFER(memset_nt, gen);
    PREFER(copy_page, gen);
    PREFER(copy_page_nt, gen);
    PREFER(clear_page, gen);
    PREFER(clear_page_nt, gen);
    PREFER(try_memcpy, gen);
    PREFER(try_memset, gen);
#undef PREFER
}
