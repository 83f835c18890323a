/* SPDX-License-Identifier: MIT */
/*
 * AArch64: what resolvers are told, baseline kernels.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#include "caps.h"

#define FC_ARCH_NAME "aarch64"

/*
 * glibc's resolvers get AT_HWCAP and, where its bit 62 is set, a structure of its size, AT_HWCAP
 * and AT_HWCAP2 [<sys/ifunc.h>]. entry_ifunc.c passes them on; nothing is asked of libc then, which
 * might not be relocated.
 */
struct fc_ifunc_argument {
    unsigned long size, hwcap, hwcap2;
};
void fc_cpu_take_hwcaps(unsigned long hwcap, const struct fc_ifunc_argument *more)
    __attribute__((visibility("hidden")));
#define FC_RESOLVER_PARAMETERS unsigned long hwcap, const struct fc_ifunc_argument *more
#define FC_RESOLVER_TAKE fc_cpu_take_hwcaps(hwcap, more);

/* The kernels that every CPU of the architecture runs: what a zero dispatch slot stands for. */
#define FC_BASELINE_memmove gpr
#define FC_BASELINE_memset gpr
#define FC_BASELINE_memcpy_nt generic
#define FC_BASELINE_memset_nt generic
#define FC_BASELINE_copy_page stp
#define FC_BASELINE_clear_page stp
#define FC_BASELINE_copy_page_nt stnp
#define FC_BASELINE_clear_page_nt stnp
#define FC_BASELINE_try_memcpy syscall
#define FC_BASELINE_try_memset syscall

#endif
