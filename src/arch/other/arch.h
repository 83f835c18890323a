/* SPDX-License-Identifier: MIT */
/*
 * Architectures without kernels of their own (yet): portable C only, nothing detected.
 */
#ifndef FC_ARCH_H
#define FC_ARCH_H

#if defined(__aarch64__)
#define FC_ARCH_NAME "aarch64"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define FC_ARCH_NAME "ppc64le"
#elif defined(__powerpc64__)
#define FC_ARCH_NAME "ppc64"
#elif defined(__riscv) && __riscv_xlen == 64
#define FC_ARCH_NAME "riscv64"
#else
#define FC_ARCH_NAME "other"
#endif

enum { FC_CAP_COUNT };
enum fc_uarch { FC_UARCH_UNKNOWN, FC_UARCH_COUNT };

#define FC_BASELINE_memmove generic
#define FC_BASELINE_memset generic
#define FC_BASELINE_memcpy_nt generic
#define FC_BASELINE_memset_nt generic
#define FC_BASELINE_copy_page generic
#define FC_BASELINE_clear_page generic
#define FC_BASELINE_copy_page_nt generic
#define FC_BASELINE_clear_page_nt generic
#define FC_BASELINE_try_memcpy syscall
#define FC_BASELINE_try_memset syscall

#endif
