/* SPDX-License-Identifier: MIT */
/*
 * The pointer form of an operation: load, test, jump. The slot is read PC-relative; while it is
 * NULL the call goes to the kernel that every CPU of the architecture runs.
 *
 * Products define their exported entries on fc_call_<op>() and never on each other: a call from one
 * exported function to another would go through the PLT, which may not be relocated yet.
 */
#ifndef FC_ENTRY_H
#define FC_ENTRY_H

#include "dispatch.h"

#define FC_BASELINE_OF_(op, variant) fc_##op##_##variant
#define FC_BASELINE_OF(op, variant) FC_BASELINE_OF_(op, variant)

#define FC_DEFINE_CALL(op, family, value_type)                                                     \
    static inline                                                                                  \
        __attribute__((always_inline)) void *fc_call_##op(void *dst, value_type value, size_t n) { \
        typedef void *kernel_function(void *, value_type, size_t);                                 \
        kernel_function *kernel =                                                                  \
            (kernel_function *)__atomic_load_n(&fc_slots[FC_OP_##op], __ATOMIC_RELAXED);           \
        if (__builtin_expect(kernel == NULL, 0))                                                   \
            return FC_BASELINE_OF(op, FC_BASELINE_##family)(dst, value, n);                        \
        return kernel(dst, value, n);                                                              \
    }

FC_DEFINE_CALL(memcpy, memmove, const void *)
FC_DEFINE_CALL(memmove, memmove, const void *)
FC_DEFINE_CALL(mempcpy, memmove, const void *)
FC_DEFINE_CALL(memset, memset, int)
FC_DEFINE_CALL(memcpy_nt, memcpy_nt, const void *)

#endif
