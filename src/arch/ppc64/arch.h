/* SPDX-License-Identifier: MIT */
/*
 * ppc64: baseline kernels. Big-endian (ELFv1) and little-endian (ELFv2).
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#include <stdint.h>

#include "caps.h"

#ifdef __LITTLE_ENDIAN__
#define FC_ARCH_NAME "ppc64le"
#else
#define FC_ARCH_NAME "ppc64"
#endif

/*
 * The block that dcbz zeroes, in bytes, as measured on memory of our own: AT_DCACHEBSIZE says 128
 * on a 970 whose dcbz clears 32. 0: not measured yet, or not known. Kernels read it at each call
 * that would use dcbz, and do without where it is not what they are made for.
 */
extern uint64_t fc_dcbz_size __attribute__((visibility("hidden")));

/* The tunable cached_memory means something here. */
#define FC_TUNABLE_CACHED_MEMORY

/* The kernels that every CPU of the architecture runs: what a zero dispatch slot stands for. */
#define FC_BASELINE_memmove gen
#define FC_BASELINE_memset gen
#define FC_BASELINE_memcpy_nt gen
#define FC_BASELINE_memset_nt gen
#define FC_BASELINE_copy_page gen
#define FC_BASELINE_clear_page gen
#define FC_BASELINE_copy_page_nt gen
#define FC_BASELINE_clear_page_nt gen
#define FC_BASELINE_try_memcpy syscall
#define FC_BASELINE_try_memset syscall

#endif
