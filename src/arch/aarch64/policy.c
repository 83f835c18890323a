/* SPDX-License-Identifier: MIT */
/*
 * What is fast on AArch64. The order of each core is in uarchs.def; a core that is not there, and a
 * big.LITTLE system whose other cores differ from the one that was asked, has kernels that are
 * right everywhere: an order is a preference, what a kernel needs is in kernels.def.
 */
#include "policy.h"

#include <stdbool.h>

enum order { ORDER_MOST, ORDER_NO_ZVA, ORDER_BATCH, ORDER_BATCH_NOPF, ORDER_A64FX, ORDER_LDNP };

static enum order find_order(unsigned uarch) {
    switch (uarch) {
#define FC_UARCH(id, name, order)                                                                  \
    case FC_UARCH_##id:                                                                            \
        return ORDER_##order;
#include "uarchs.def"
#undef FC_UARCH
    default:
        return ORDER_MOST;
    }
}

/*
 * Linux 4.15 to 6.1 throw SVE's state away at each system call, and the next SVE instruction traps:
 * a program that calls both often loses more by that than small copies gain. 6.2 keeps it [commit
 * "arm64/sve: Leave SVE enabled on syscall if we don't context switch"], and so does the 5.14.0 of
 * RHEL 9. Not known: taken for old.
 */
static bool keeps_sve(const struct fc_cpu *cpu) {
    unsigned version = cpu->kernel[0] * 10000u + cpu->kernel[1];
    return version >= 60002 || (version == 50014 && cpu->kernel[2] == 0);
}

/*
 * Arm SDEN 111077, erratum 4043997: MOPS may be slow. We could not look up which of the C1 cores
 * that notice is for, so none of them has MOPS preferred.
 */
static bool mops_is_slow(unsigned uarch) {
    return uarch == FC_UARCH_C1;
}

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    fc_policy_start(cpu, NULL, policy);
#define PREFER(family, variant) fc_policy_prefer(policy, FC_KERNEL_##family##_##variant)

    enum order order = find_order(cpu->uarch);
    if (!mops_is_slow(cpu->uarch)) {
        PREFER(memmove, mops);
        PREFER(memset, mops);
        PREFER(copy_page, mops);
        PREFER(copy_page_nt, mops);
        PREFER(clear_page, mops);
        PREFER(clear_page_nt, mops);
    }

    switch (order) {
    case ORDER_BATCH:
        PREFER(memmove, batch);
        PREFER(copy_page, batch);
        break;
    case ORDER_BATCH_NOPF:
        PREFER(memmove, batch_nopf);
        break;
    case ORDER_A64FX: /* its vectors are worth the trap */
        PREFER(memmove, a64fx);
        break;
    case ORDER_LDNP:
        PREFER(memmove, ldnp);
        break;
    case ORDER_MOST:
    case ORDER_NO_ZVA:
        if (keeps_sve(cpu))
            PREFER(memmove, sve);
        break;
    }
    PREFER(memmove, asimd);
    if (order != ORDER_NO_ZVA) {
        PREFER(memset, zva);
        PREFER(clear_page, zva);
    }
    PREFER(memset, asimd);

    PREFER(memcpy_nt, stnp);
    PREFER(memset_nt, stnp);
    PREFER(copy_page, stp);
    PREFER(copy_page_nt, stnp);
    PREFER(clear_page, stp);
    PREFER(clear_page_nt, stnp);
    PREFER(try_memcpy, asimd);
    PREFER(try_memcpy, gpr);
    PREFER(try_memset, asimd);
#undef PREFER
}
