/* SPDX-License-Identifier: MIT */
/*
 * libfastcopy_preload.so: libc's names on our kernels. Plain functions, not IFUNC: see
 * docs/ARCHITECTURE.md, "Before relocation".
 * With FC_PRELOAD_TRACE: libfastcopy_trace.so, where each call is recorded first.
 */
#include <stdlib.h>
#include <unistd.h>

#include "entry.h"

#ifdef FC_PRELOAD_TRACE
#include "trace/recorder.h"
#define FC_RECORD(op, dst, value, n)                                                               \
    fc_trace_record(FC_TRACE_##op, dst, (uintptr_t)(value), n, __builtin_return_address(0))
#else
#define FC_RECORD(op, dst, value, n) ((void)0)
#endif

/*
 * The checked forms of -D_FORTIFY_SOURCE: the compiler passes what it knows of the destination's
 * size. On overflow glibc's own __chk_fail says so and aborts; elsewhere we do the same.
 */
extern void __chk_fail(void) __attribute__((weak, noreturn));

static __attribute__((noreturn, cold)) void overflow(void) {
    if (__chk_fail != NULL)
        __chk_fail();
    static const char message[] = "*** buffer overflow detected ***: terminated\n";
    if (write(2, message, sizeof message - 1) < 0)
        abort();
    abort();
}

#define FC_PLAIN(name, op, value_type)                                                             \
    FASTCOPY_API void *name(void *dst, value_type value, size_t n);                                \
    FASTCOPY_API void *name(void *dst, value_type value, size_t n) {                               \
        FC_RECORD(op, dst, value, n);                                                              \
        return fc_call_##op(dst, value, n);                                                        \
    }

#define FC_CHECKED(name, op, value_type)                                                           \
    FASTCOPY_API void *name(void *dst, value_type value, size_t n, size_t dst_size);               \
    FASTCOPY_API void *name(void *dst, value_type value, size_t n, size_t dst_size) {              \
        if (__builtin_expect(n > dst_size, 0))                                                     \
            overflow();                                                                            \
        FC_RECORD(op, dst, value, n);                                                              \
        return fc_call_##op(dst, value, n);                                                        \
    }

FC_PLAIN(memcpy, memcpy, const void *)
FC_PLAIN(memmove, memmove, const void *)
FC_PLAIN(mempcpy, mempcpy, const void *)
FC_PLAIN(__mempcpy, mempcpy, const void *)
FC_PLAIN(memset, memset, int)

FC_CHECKED(__memcpy_chk, memcpy, const void *)
FC_CHECKED(__memmove_chk, memmove, const void *)
FC_CHECKED(__mempcpy_chk, mempcpy, const void *)
FC_CHECKED(__memset_chk, memset, int)

FASTCOPY_API void bcopy(const void *src, void *dst, size_t n);
FASTCOPY_API void bcopy(const void *src, void *dst, size_t n) {
    FC_RECORD(memmove, dst, src, n);
    fc_call_memmove(dst, src, n);
}

#define FC_ZERO(name)                                                                              \
    FASTCOPY_API void name(void *dst, size_t n);                                                   \
    FASTCOPY_API void name(void *dst, size_t n) {                                                  \
        FC_RECORD(memset, dst, 0, n);                                                              \
        fc_call_memset(dst, 0, n);                                                                 \
    }

FC_ZERO(bzero)
FC_ZERO(__bzero)

const char fc_dispatch_form[] = "pointer";
const int fc_dispatch_movable = 1;
const unsigned char fc_dispatch_serves[FC_OP_COUNT] = {
    [FC_OP_memcpy] = 1,
    [FC_OP_memmove] = 1,
    [FC_OP_mempcpy] = 1,
    [FC_OP_memset] = 1,
};
