/* SPDX-License-Identifier: MIT */
/*
 * The kernels under their internal, hidden names: fc_<op>_<variant>, the same code as the exported
 * fastcopy_<op>_<variant>. Calls and addresses through these need neither PLT nor GOT.
 */
#ifndef FC_KERNELS_H
#define FC_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define FC_HIDDEN __attribute__((visibility("hidden")))

#define FC_DECLARE_memmove(variant)                                                                \
    FC_HIDDEN void *fc_memcpy_##variant(void *dst, const void *src, size_t n);                     \
    FC_HIDDEN void *fc_memmove_##variant(void *dst, const void *src, size_t n);                    \
    FC_HIDDEN void *fc_mempcpy_##variant(void *dst, const void *src, size_t n);
#define FC_DECLARE_memset(variant) FC_HIDDEN void *fc_memset_##variant(void *dst, int c, size_t n);
#define FC_DECLARE_memcpy_nt(variant)                                                              \
    FC_HIDDEN void *fc_memcpy_nt_##variant(void *dst, const void *src, size_t n);
#define FC_DECLARE_memset_nt(variant)                                                              \
    FC_HIDDEN void *fc_memset_nt_##variant(void *dst, int c, size_t n);
#define FC_DECLARE_copy_page(variant)                                                              \
    FC_HIDDEN void fc_copy_page_##variant(void *dst, const void *src);
#define FC_DECLARE_clear_page(variant) FC_HIDDEN void fc_clear_page_##variant(void *dst);
#define FC_DECLARE_copy_page_nt(variant)                                                           \
    FC_HIDDEN void fc_copy_page_nt_##variant(void *dst, const void *src);
#define FC_DECLARE_clear_page_nt(variant) FC_HIDDEN void fc_clear_page_nt_##variant(void *dst);

/* With the table of each one's instructions that may fault: see fault.h. */
#define FC_DECLARE_try_memcpy(variant)                                                             \
    FC_HIDDEN size_t fc_try_memcpy_##variant(void *dst, const void *src, size_t n);                \
    FC_HIDDEN extern const int32_t fc_faults_try_memcpy_##variant[];
#define FC_DECLARE_try_memset(variant)                                                             \
    FC_HIDDEN size_t fc_try_memset_##variant(void *dst, int c, size_t n);                          \
    FC_HIDDEN extern const int32_t fc_faults_try_memset_##variant[];

#define FC_KERNEL(family, variant, needs, traits, summary) FC_DECLARE_##family(variant)
#include "all_kernels.def"
#undef FC_KERNEL

#endif
