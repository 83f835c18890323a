/* SPDX-License-Identifier: MIT */
/*
 * Copies whose size the compiler knows, expanded where they are called. fastcopy.h includes this
 * and says for whom; no program needs to.
 *
 * A size up to the limit becomes loads of all its pieces, then stores of all of them, so overlap is
 * allowed as in the functions. The last piece ends where the copy ends and may overlap the one
 * before it: 24 bytes are two pieces of 16.
 *
 * Pieces are plain accesses through types without alignment that may alias anything, not
 * __builtin_memcpy into a local object and out of it: of that gcc makes detours over the stack, and
 * clang fuses the two into memmove and calls libc at odd sizes. An access is never made a call, at
 * no level and not with -ffreestanding or -mstrict-align, and sanitizers see it.
 */
#ifndef FASTCOPY_INLINE_H
#define FASTCOPY_INLINE_H

#ifndef FASTCOPY_FASTCOPY_H
#error "include <fastcopy/fastcopy.h>"
#endif

/* -Os: a call takes some 20 bytes with its arguments, as much as two loads and two stores. */
#ifdef __OPTIMIZE_SIZE__
#define FASTCOPY_INLINE_LIMIT 32
#else
#define FASTCOPY_INLINE_LIMIT 128
#endif

#ifdef __cplusplus
#define FASTCOPY_CAST(type, p) static_cast<type>(p)
extern "C" {
#else
#define FASTCOPY_CAST(type, p) ((type)(p))
#endif

/* Inlined or not there at all: no object file gets a copy, C's and C++'s inline rules aside. */
#define FASTCOPY_INLINE                                                                            \
    extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __artificial__))

#define FASTCOPY_PIECE __aligned__(1), __may_alias__
typedef __UINT8_TYPE__ fastcopy_piece1 __attribute__((FASTCOPY_PIECE));
typedef __UINT16_TYPE__ fastcopy_piece2 __attribute__((FASTCOPY_PIECE));
typedef __UINT32_TYPE__ fastcopy_piece4 __attribute__((FASTCOPY_PIECE));
typedef __UINT64_TYPE__ fastcopy_piece8 __attribute__((FASTCOPY_PIECE));
/* A vector register, or two others where the target has none. */
typedef __UINT64_TYPE__ fastcopy_piece16 __attribute__((__vector_size__(16), FASTCOPY_PIECE));
#undef FASTCOPY_PIECE

#define FASTCOPY_LOAD(size, i)                                                                     \
    (*FASTCOPY_CAST(const fastcopy_piece##size *, FASTCOPY_CAST(const void *, from + (i))))
#define FASTCOPY_STORE(size, i, value)                                                             \
    (*FASTCOPY_CAST(fastcopy_piece##size *, FASTCOPY_CAST(void *, to + (i))) = (value))

/* size <= n <= 2 * size */
#define FASTCOPY_BOTH_ENDS(size)                                                                   \
    do {                                                                                           \
        fastcopy_piece##size first = FASTCOPY_LOAD(size, 0);                                       \
        fastcopy_piece##size last = FASTCOPY_LOAD(size, n - (size));                               \
        FASTCOPY_STORE(size, 0, first);                                                            \
        FASTCOPY_STORE(size, n - (size), last);                                                    \
    } while (0)

/* n is a constant, so that one of these paths is left, and at most FASTCOPY_INLINE_LIMIT. */
FASTCOPY_INLINE void fastcopy_inline_copy(void *dst, const void *src, size_t n) {
    char *to = FASTCOPY_CAST(char *, dst);
    const char *from = FASTCOPY_CAST(const char *, src);
    if (n > 32) {
        /* Those that are not needed are the last one once more, and not stored. */
        fastcopy_piece16 last = FASTCOPY_LOAD(16, n - 16);
        fastcopy_piece16 a = FASTCOPY_LOAD(16, 0);
        fastcopy_piece16 b = FASTCOPY_LOAD(16, 16);
        fastcopy_piece16 c = n > 48 ? FASTCOPY_LOAD(16, 32) : last;
        fastcopy_piece16 d = n > 64 ? FASTCOPY_LOAD(16, 48) : last;
        fastcopy_piece16 e = n > 80 ? FASTCOPY_LOAD(16, 64) : last;
        fastcopy_piece16 f = n > 96 ? FASTCOPY_LOAD(16, 80) : last;
        fastcopy_piece16 g = n > 112 ? FASTCOPY_LOAD(16, 96) : last;
        FASTCOPY_STORE(16, 0, a);
        FASTCOPY_STORE(16, 16, b);
        if (n > 48)
            FASTCOPY_STORE(16, 32, c);
        if (n > 64)
            FASTCOPY_STORE(16, 48, d);
        if (n > 80)
            FASTCOPY_STORE(16, 64, e);
        if (n > 96)
            FASTCOPY_STORE(16, 80, f);
        if (n > 112)
            FASTCOPY_STORE(16, 96, g);
        FASTCOPY_STORE(16, n - 16, last);
    } else if (n >= 16) {
        FASTCOPY_BOTH_ENDS(16);
    } else if (n >= 8) {
        FASTCOPY_BOTH_ENDS(8);
    } else if (n >= 4) {
        FASTCOPY_BOTH_ENDS(4);
    } else if (n >= 2) {
        FASTCOPY_BOTH_ENDS(2);
    } else if (n == 1) {
        FASTCOPY_STORE(1, 0, FASTCOPY_LOAD(1, 0));
    }
}

#define FASTCOPY_IS_SMALL(n) (__builtin_constant_p(n) && (n) <= FASTCOPY_INLINE_LIMIT)

FASTCOPY_INLINE void *fastcopy_inline_memcpy(void *dst, const void *src, size_t n) {
    if (!FASTCOPY_IS_SMALL(n))
        return fastcopy_memcpy(dst, src, n);
    fastcopy_inline_copy(dst, src, n);
    return dst;
}

FASTCOPY_INLINE void *fastcopy_inline_memmove(void *dst, const void *src, size_t n) {
    if (!FASTCOPY_IS_SMALL(n))
        return fastcopy_memmove(dst, src, n);
    fastcopy_inline_copy(dst, src, n);
    return dst;
}

FASTCOPY_INLINE void *fastcopy_inline_mempcpy(void *dst, const void *src, size_t n) {
    if (!FASTCOPY_IS_SMALL(n))
        return fastcopy_mempcpy(dst, src, n);
    fastcopy_inline_copy(dst, src, n);
    return FASTCOPY_CAST(char *, dst) + n;
}

#ifdef __cplusplus
}
#endif

#undef FASTCOPY_INLINE_LIMIT
#undef FASTCOPY_CAST
#undef FASTCOPY_INLINE
#undef FASTCOPY_LOAD
#undef FASTCOPY_STORE
#undef FASTCOPY_BOTH_ENDS
#undef FASTCOPY_IS_SMALL

/* Any number of arguments: the commas of templates and compound literals are none of ours. */
#define fastcopy_memcpy(...) fastcopy_inline_memcpy(__VA_ARGS__)
#define fastcopy_memmove(...) fastcopy_inline_memmove(__VA_ARGS__)
#define fastcopy_mempcpy(...) fastcopy_inline_mempcpy(__VA_ARGS__)

#endif /* FASTCOPY_INLINE_H */
