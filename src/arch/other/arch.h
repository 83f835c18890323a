/* SPDX-License-Identifier: MIT */
/*
 * Architectures without kernels of their own (yet): portable C only, nothing detected.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#define FC_ARCH_NAME "other"

enum { FC_CAP_COUNT };
enum fc_uarch { FC_UARCH_UNKNOWN, FC_UARCH_COUNT };

#define FC_BASELINE_memmove generic
#define FC_BASELINE_memset generic
#define FC_BASELINE_memcpy_nt generic

#endif
