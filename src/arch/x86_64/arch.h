/* SPDX-License-Identifier: MIT */
/*
 * x86_64: capability bits, microarchitectures, baseline kernels.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#define FC_ARCH_NAME "x86_64"

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
#define FC_UARCH(id, name, l1d, l2, l3) FC_UARCH_##id,
#include "uarchs.def"
#undef FC_UARCH
    FC_UARCH_COUNT
};

/* The kernels that every CPU of the architecture runs: what a zero dispatch slot stands for. */
#define FC_BASELINE_memmove sse2
#define FC_BASELINE_memset sse2
#define FC_BASELINE_memcpy_nt sse2
#define FC_BASELINE_memset_nt sse2
#define FC_BASELINE_copy_page sse2
#define FC_BASELINE_clear_page sse2
#define FC_BASELINE_copy_page_nt sse2_nt
#define FC_BASELINE_clear_page_nt sse2_nt

#endif
