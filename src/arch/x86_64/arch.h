/* SPDX-License-Identifier: MIT */
/*
 * x86_64: baseline kernels.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#include "caps.h"

#define FC_ARCH_NAME "x86_64"

/* The kernels that every CPU of the architecture runs: what a zero dispatch slot stands for. */
#define FC_BASELINE_memmove sse2
#define FC_BASELINE_memset sse2
#define FC_BASELINE_memcpy_nt sse2
#define FC_BASELINE_memset_nt sse2
#define FC_BASELINE_copy_page sse2
#define FC_BASELINE_clear_page sse2
#define FC_BASELINE_copy_page_nt sse2_nt
#define FC_BASELINE_clear_page_nt sse2_nt
#define FC_BASELINE_try_memcpy syscall
#define FC_BASELINE_try_memset syscall

#endif
