/* SPDX-License-Identifier: MIT */
/*
 * AArch64: capability bits, cores, baseline kernels.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#define FC_ARCH_NAME "aarch64"

enum fc_cap_bit {
#define FC_CAP(id, name) FC_CAP_BIT_##id,
#include "caps.def"
#undef FC_CAP
    FC_CAP_COUNT
};

enum {
#define FC_CAP(id, name) FC_CAP_##id = 1 << FC_CAP_BIT_##id,
#include "caps.def"
#undef FC_CAP
};

enum fc_uarch {
    FC_UARCH_UNKNOWN,
#define FC_UARCH(id, name, order) FC_UARCH_##id,
#include "uarchs.def"
#undef FC_UARCH
    FC_UARCH_COUNT
};

/* The kernels that every CPU of the architecture runs: what a zero dispatch slot stands for. */
#define FC_BASELINE_memmove gpr
#define FC_BASELINE_memset gpr
#define FC_BASELINE_memcpy_nt generic
#define FC_BASELINE_memset_nt generic
#define FC_BASELINE_copy_page stp
#define FC_BASELINE_clear_page stp
#define FC_BASELINE_copy_page_nt stnp
#define FC_BASELINE_clear_page_nt stnp

#endif
