/* SPDX-License-Identifier: MIT */
/*
 * registry: what kernels exist. Expands src/generic/kernels.def and the architecture's kernels.def.
 *
 * Nothing here holds a pointer: an IFUNC resolver may read it before this object was relocated.
 */
#ifndef FC_REGISTRY_H
#define FC_REGISTRY_H

#include <stdint.h>

#include <fastcopy/fastcopy.h>

#include "arch.h"

enum fc_family {
#define FC_FAMILY(family) FC_FAMILY_##family,
#include "families.def"
#undef FC_FAMILY
    FC_FAMILY_COUNT
};

enum fc_op {
#define FC_OP(op, family) FC_OP_##op,
#include "ops.def"
#undef FC_OP
    FC_OP_COUNT
};

/* Kernels, named FC_KERNEL_<family>_<variant>. */
enum fc_kernel_id {
#define FC_KERNEL(family, variant, needs, traits, summary) FC_KERNEL_##family##_##variant,
#include "all_kernels.def"
#undef FC_KERNEL
    FC_KERNEL_COUNT
};

enum {
    FC_TRAIT_ATOMIC8 = 1, /* aligned 8-byte words are never seen half written: see kernels.def */
    FC_TRAIT_SMALL_BY_WORDS = 2, /* 8 to 31 bytes as entry.h does them */
    FC_TRAIT_PAST_COUNT = 4,     /* see kernels.def of aarch64 */
    FC_TRAIT_ATOMIC_WORD = sizeof(uintptr_t) >= 8 ? FC_TRAIT_ATOMIC8 : 0,
};

struct fc_kernel {
    char name[16];
    uint64_t needs;
    uint8_t family;
    uint8_t traits;
};

extern const struct fc_kernel fc_kernels[FC_KERNEL_COUNT] __attribute__((visibility("hidden")));

/* The family of an operation, and the entry of a kernel for it; NULL if the families differ. */
unsigned fc_op_family(unsigned op);
fastcopy_function *fc_kernel_entry(unsigned kernel, unsigned op);
/*
 * The instructions of a kernel of try_memcpy or try_memset that may fault: pairs of the place of
 * the instruction and that of its fixup, each as the distance from the word that holds it; two
 * zeros at the end. NULL for others.
 */
const int32_t *fc_kernel_faults(unsigned kernel);
/* The architecture's baseline kernel of a family. */
unsigned fc_family_baseline(unsigned family);

/* Does it set bytes (memset's arguments)? Is it for whole pages (copy_page's or clear_page's)? */
static inline int fc_op_sets(unsigned op) {
    return op == FC_OP_memset || op == FC_OP_memset_nt || op == FC_OP_try_memset;
}
static inline int fc_op_copies_page(unsigned op) {
    return op == FC_OP_copy_page || op == FC_OP_copy_page_nt;
}
static inline int fc_op_is_page(unsigned op) {
    return fc_op_copies_page(op) || op == FC_OP_clear_page || op == FC_OP_clear_page_nt;
}

/* Does it survive a bad address, and return what was not done? */
static inline int fc_op_tries(unsigned op) {
    return op == FC_OP_try_memcpy || op == FC_OP_try_memset;
}

static inline int fc_family_tries(unsigned family) {
    return family == FC_FAMILY_try_memcpy || family == FC_FAMILY_try_memset;
}

/* For people: strings, only after relocation. */
const char *fc_op_name(unsigned op);
const char *fc_family_name(unsigned family);
const char *fc_kernel_summary(unsigned kernel);

#endif
