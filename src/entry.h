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

#include <stdbool.h>

#include "dispatch.h"

#define FC_BASELINE_OF_(op, variant) fc_##op##_##variant
#define FC_BASELINE_OF(op, variant) FC_BASELINE_OF_(op, variant)

#define FC_DEFINE_CALL(prefix, op, family, value_type)                                             \
    static inline __attribute__((always_inline)) void *prefix##_##op(void *dst, value_type value,  \
                                                                     size_t n) {                   \
        typedef void *kernel_function(void *, value_type, size_t);                                 \
        kernel_function *kernel =                                                                  \
            (kernel_function *)__atomic_load_n(&fc_slots[FC_OP_##op], __ATOMIC_RELAXED);           \
        if (__builtin_expect(kernel == NULL, 0))                                                   \
            return FC_BASELINE_OF(op, FC_BASELINE_##family)(dst, value, n);                        \
        return kernel(dst, value, n);                                                              \
    }

FC_DEFINE_CALL(fc_call, memset, memset, int)
FC_DEFINE_CALL(fc_call, memcpy_nt, memcpy_nt, const void *)
FC_DEFINE_CALL(fc_call, memset_nt, memset_nt, int)
FC_DEFINE_CALL(fc_jump, memcpy, memmove, const void *)
FC_DEFINE_CALL(fc_jump, memmove, memmove, const void *)
FC_DEFINE_CALL(fc_jump, mempcpy, memmove, const void *)

#define FC_DEFINE_PAGE_CALL(op, parameters, arguments)                                             \
    static inline __attribute__((always_inline)) void fc_call_##op parameters {                    \
        typedef void kernel_function parameters;                                                   \
        kernel_function *kernel =                                                                  \
            (kernel_function *)__atomic_load_n(&fc_slots[FC_OP_##op], __ATOMIC_RELAXED);           \
        if (__builtin_expect(kernel == NULL, 0))                                                   \
            FC_BASELINE_OF(op, FC_BASELINE_##op) arguments;                                        \
        else                                                                                       \
            kernel arguments;                                                                      \
    }

FC_DEFINE_PAGE_CALL(copy_page, (void *dst, const void *src), (dst, src))
FC_DEFINE_PAGE_CALL(copy_page_nt, (void *dst, const void *src), (dst, src))
FC_DEFINE_PAGE_CALL(clear_page, (void *dst), (dst))
FC_DEFINE_PAGE_CALL(clear_page_nt, (void *dst), (dst))

/*
 * 8 to 31 bytes are copied right here, if that is just what the chosen kernel would do
 * (FC_TRAIT_SMALL_BY_WORDS): the jump to it is a quarter of such a call. Four words, two from each
 * end, from 16 bytes on 8 bytes apart, else the same twice; all loaded before any is stored, so
 * that any overlap is allowed. Without branches, as copy_quad.inc does it.
 */
static inline __attribute__((always_inline)) bool fc_copied_by_words(void *dst, const void *src,
                                                                     size_t n) {
#ifndef __x86_64__
    /* No kernel has the trait: nothing to ask. */
    (void)dst, (void)src, (void)n;
    return false;
#else
    typedef uint64_t __attribute__((may_alias, aligned(1))) word;
    char *to = dst;
    const char *from = src;
    if (__builtin_expect(n - 8 >= __atomic_load_n(&fc_words_span, __ATOMIC_RELAXED), 1))
        return false;
    size_t apart = n >> 1 & 8;
    word first = *(const word *)from, second = *(const word *)(from + apart);
    word third = *(const word *)(from + n - 8 - apart), last = *(const word *)(from + n - 8);
    *(word *)to = first;
    *(word *)(to + apart) = second;
    *(word *)(to + n - 8 - apart) = third;
    *(word *)(to + n - 8) = last;
    return true;
#endif
}

#define FC_DEFINE_COPY(op, result)                                                                 \
    static inline                                                                                  \
        __attribute__((always_inline)) void *fc_call_##op(void *dst, const void *src, size_t n) {  \
        return fc_copied_by_words(dst, src, n) ? (result) : fc_jump_##op(dst, src, n);             \
    }

FC_DEFINE_COPY(memcpy, dst)
FC_DEFINE_COPY(memmove, dst)
FC_DEFINE_COPY(mempcpy, (char *)dst + n)

#endif
