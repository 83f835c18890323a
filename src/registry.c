/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include <stddef.h>

#include "kernels.h"

const struct fc_kernel fc_kernels[FC_KERNEL_COUNT] = {
#define FC_KERNEL(family, variant, needs, traits, summary)                                         \
    {#variant, needs, FC_FAMILY_##family, traits},
#include "all_kernels.def"
#undef FC_KERNEL
};

unsigned fc_op_family(unsigned op) {
    switch (op) {
#define FC_OP(op, family)                                                                          \
    case FC_OP_##op:                                                                               \
        return FC_FAMILY_##family;
#include "ops.def"
#undef FC_OP
    default:
        return FC_FAMILY_COUNT;
    }
}

/*
 * A switch and not a table: a table of addresses would need relocations (the file is compiled with
 * -fno-jump-tables, which keeps the compilers from making one of it).
 */
fastcopy_function *fc_kernel_entry(unsigned kernel, unsigned op) {
    switch (kernel * FC_OP_COUNT + op) {
#define FC_ENTRY(family, variant, op)                                                              \
    case FC_KERNEL_##family##_##variant *FC_OP_COUNT + FC_OP_##op:                                 \
        return (fastcopy_function *)fc_##op##_##variant;
#define FC_ENTRIES_memmove(variant)                                                                \
    FC_ENTRY(memmove, variant, memcpy)                                                             \
    FC_ENTRY(memmove, variant, memmove)                                                            \
    FC_ENTRY(memmove, variant, mempcpy)
#define FC_ENTRIES_memset(variant) FC_ENTRY(memset, variant, memset)
#define FC_ENTRIES_memcpy_nt(variant) FC_ENTRY(memcpy_nt, variant, memcpy_nt)
#define FC_ENTRIES_memset_nt(variant) FC_ENTRY(memset_nt, variant, memset_nt)
#define FC_ENTRIES_copy_page(variant) FC_ENTRY(copy_page, variant, copy_page)
#define FC_ENTRIES_clear_page(variant) FC_ENTRY(clear_page, variant, clear_page)
#define FC_ENTRIES_copy_page_nt(variant) FC_ENTRY(copy_page_nt, variant, copy_page_nt)
#define FC_ENTRIES_clear_page_nt(variant) FC_ENTRY(clear_page_nt, variant, clear_page_nt)
#define FC_ENTRIES_try_memcpy(variant) FC_ENTRY(try_memcpy, variant, try_memcpy)
#define FC_ENTRIES_try_memset(variant) FC_ENTRY(try_memset, variant, try_memset)
#define FC_KERNEL(family, variant, needs, traits, summary) FC_ENTRIES_##family(variant)
#include "all_kernels.def"
#undef FC_KERNEL
    default:
        return NULL;
    }
}

const int32_t *fc_kernel_faults(unsigned kernel) {
    switch (kernel) {
#define FC_FAULTS_memmove(variant)
#define FC_FAULTS_memset(variant)
#define FC_FAULTS_memcpy_nt(variant)
#define FC_FAULTS_memset_nt(variant)
#define FC_FAULTS_copy_page(variant)
#define FC_FAULTS_clear_page(variant)
#define FC_FAULTS_copy_page_nt(variant)
#define FC_FAULTS_clear_page_nt(variant)
#define FC_FAULTS_try_memcpy(variant)                                                              \
    case FC_KERNEL_try_memcpy_##variant:                                                           \
        return fc_faults_try_memcpy_##variant;
#define FC_FAULTS_try_memset(variant)                                                              \
    case FC_KERNEL_try_memset_##variant:                                                           \
        return fc_faults_try_memset_##variant;
#define FC_KERNEL(family, variant, needs, traits, summary) FC_FAULTS_##family(variant)
#include "all_kernels.def"
#undef FC_KERNEL
    default:
        return NULL;
    }
}

#define FC_BASELINE_ID_(family, variant) FC_KERNEL_##family##_##variant
#define FC_BASELINE_ID(family, variant) FC_BASELINE_ID_(family, variant)

unsigned fc_family_baseline(unsigned family) {
    switch (family) {
#define FC_FAMILY(family)                                                                          \
    case FC_FAMILY_##family:                                                                       \
        return FC_BASELINE_ID(family, FC_BASELINE_##family);
#include "families.def"
#undef FC_FAMILY
    default:
        return FC_KERNEL_COUNT;
    }
}

const char *fc_op_name(unsigned op) {
    static const char *const names[] = {
#define FC_OP(op, family) #op,
#include "ops.def"
#undef FC_OP
    };
    return op < FC_OP_COUNT ? names[op] : "?";
}

const char *fc_family_name(unsigned family) {
    static const char *const names[] = {
#define FC_FAMILY(family) #family,
#include "families.def"
#undef FC_FAMILY
    };
    return family < FC_FAMILY_COUNT ? names[family] : "?";
}

const char *fc_kernel_summary(unsigned kernel) {
    static const char *const summaries[] = {
#define FC_KERNEL(family, variant, needs, traits, summary) summary,
#include "all_kernels.def"
#undef FC_KERNEL
    };
    return kernel < FC_KERNEL_COUNT ? summaries[kernel] : "?";
}
