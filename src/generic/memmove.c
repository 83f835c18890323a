/* SPDX-License-Identifier: MIT */
/*
 * memcpy, memmove, mempcpy and memcpy_nt in portable C: the fallback on every architecture.
 *
 * Needs nothing: either endianness, any word size, no unaligned access.
 *
 * Bytes until the destination is aligned, then whole words, then bytes.
 *   source aligned too    four words a turn
 *   source misaligned     the same with aligned source words, of which neighbours are shifted and
 *                         merged; below two words bytes
 *
 * Upwards unless the destination begins inside the source; then downwards. A turn loads before it
 * stores, and its stores never reach beyond what was loaded: any overlap is safe.
 *
 * Misaligned: the source begins (upwards) or ends (downwards) k bytes into an aligned word,
 * 0 < k < WORD_SIZE. The rest of that word may lie outside the source, so our part of it is
 * collected byte by byte, and the loop ends where the next whole word would leave the source.
 */
#include "word.h"

#include <fastcopy/variants.h>

#include "kernels.h"

#define TURN (4 * WORD_SIZE)

static inline size_t misalignment(const unsigned char *p) {
    return (uintptr_t)p % WORD_SIZE;
}

/* ---- upwards -------------------------------------------------------------------------------- */

static void bytes_up(unsigned char *dst, const unsigned char *src, size_t n) {
    for (size_t i = 0; i < n; i++)
        store_byte(dst + i, load_byte(src + i));
}

/* Copies whole words, both sides aligned; returns the number of bytes copied. */
static size_t words_up(unsigned char *dst, const unsigned char *src, size_t n) {
    size_t i = 0;
    for (; n - i >= TURN; i += TURN) {
        word a = load_word(src + i);
        word b = load_word(src + i + WORD_SIZE);
        word c = load_word(src + i + 2 * WORD_SIZE);
        word d = load_word(src + i + 3 * WORD_SIZE);
        store_word(dst + i, a);
        store_word(dst + i + WORD_SIZE, b);
        store_word(dst + i + 2 * WORD_SIZE, c);
        store_word(dst + i + 3 * WORD_SIZE, d);
    }
    for (; n - i >= WORD_SIZE; i += WORD_SIZE)
        store_word(dst + i, load_word(src + i));
    return i;
}

/* The same with src k bytes into an aligned word; n is at least 2 * WORD_SIZE. */
static size_t merge_up(unsigned char *dst, const unsigned char *src, size_t n, size_t k) {
    size_t part = WORD_SIZE - k;
    word low = load_part(src, k, WORD_SIZE);
    const unsigned char *next = src + part;
    size_t i = 0;
    for (; n - i >= part + TURN; i += TURN) {
        word a = load_word(next + i);
        word b = load_word(next + i + WORD_SIZE);
        word c = load_word(next + i + 2 * WORD_SIZE);
        word d = load_word(next + i + 3 * WORD_SIZE);
        store_word(dst + i, merge_words(low, a, k));
        store_word(dst + i + WORD_SIZE, merge_words(a, b, k));
        store_word(dst + i + 2 * WORD_SIZE, merge_words(b, c, k));
        store_word(dst + i + 3 * WORD_SIZE, merge_words(c, d, k));
        low = d;
    }
    for (; n - i >= part + WORD_SIZE; i += WORD_SIZE) {
        word a = load_word(next + i);
        store_word(dst + i, merge_words(low, a, k));
        low = a;
    }
    return i;
}

static void copy_up(unsigned char *dst, const unsigned char *src, size_t n) {
    size_t i = 0;
    if (n >= WORD_SIZE) {
        i = -(uintptr_t)dst % WORD_SIZE;
        bytes_up(dst, src, i);
        size_t k = misalignment(src + i);
        if (k == 0)
            i += words_up(dst + i, src + i, n - i);
        else if (n - i >= 2 * WORD_SIZE)
            i += merge_up(dst + i, src + i, n - i, k);
    }
    bytes_up(dst + i, src + i, n - i);
}

/* ---- downwards: dst and src are the ends of the buffers ------------------------------------- */

static void bytes_down(unsigned char *dst, const unsigned char *src, size_t n) {
    for (size_t i = 1; i <= n; i++)
        store_byte(dst - i, load_byte(src - i));
}

static size_t words_down(unsigned char *dst, const unsigned char *src, size_t n) {
    size_t i = 0;
    for (; n - i >= TURN; i += TURN) {
        word a = load_word(src - i - WORD_SIZE);
        word b = load_word(src - i - 2 * WORD_SIZE);
        word c = load_word(src - i - 3 * WORD_SIZE);
        word d = load_word(src - i - 4 * WORD_SIZE);
        store_word(dst - i - WORD_SIZE, a);
        store_word(dst - i - 2 * WORD_SIZE, b);
        store_word(dst - i - 3 * WORD_SIZE, c);
        store_word(dst - i - 4 * WORD_SIZE, d);
    }
    for (; n - i >= WORD_SIZE; i += WORD_SIZE)
        store_word(dst - i - WORD_SIZE, load_word(src - i - WORD_SIZE));
    return i;
}

static size_t merge_down(unsigned char *dst, const unsigned char *src, size_t n, size_t k) {
    const unsigned char *next = src - k;
    word high = load_part(next, 0, k);
    size_t i = 0;
    for (; n - i >= k + TURN; i += TURN) {
        word a = load_word(next - i - WORD_SIZE);
        word b = load_word(next - i - 2 * WORD_SIZE);
        word c = load_word(next - i - 3 * WORD_SIZE);
        word d = load_word(next - i - 4 * WORD_SIZE);
        store_word(dst - i - WORD_SIZE, merge_words(a, high, k));
        store_word(dst - i - 2 * WORD_SIZE, merge_words(b, a, k));
        store_word(dst - i - 3 * WORD_SIZE, merge_words(c, b, k));
        store_word(dst - i - 4 * WORD_SIZE, merge_words(d, c, k));
        high = d;
    }
    for (; n - i >= k + WORD_SIZE; i += WORD_SIZE) {
        word a = load_word(next - i - WORD_SIZE);
        store_word(dst - i - WORD_SIZE, merge_words(a, high, k));
        high = a;
    }
    return i;
}

static void copy_down(unsigned char *dst, const unsigned char *src, size_t n) {
    size_t i = 0;
    if (n >= WORD_SIZE) {
        i = misalignment(dst);
        bytes_down(dst, src, i);
        size_t k = misalignment(src - i);
        if (k == 0)
            i += words_down(dst - i, src - i, n - i);
        else if (n - i >= 2 * WORD_SIZE)
            i += merge_down(dst - i, src - i, n - i, k);
    }
    bytes_down(dst - i, src - i, n - i);
}

/* ---- the entries ---------------------------------------------------------------------------- */

void *fc_memmove_generic(void *dst, const void *src, size_t n) {
    unsigned char *to = dst;
    const unsigned char *from = src;
    if ((uintptr_t)to - (uintptr_t)from >= n)
        copy_up(to, from, n);
    else
        copy_down(to + n, from + n, n);
    return dst;
}

void *fc_mempcpy_generic(void *dst, const void *src, size_t n) {
    return (unsigned char *)fc_memmove_generic(dst, src, n) + n;
}

#define FC_ALIAS(name, of) extern __typeof__(of) name __attribute__((alias(#of)));

FC_ALIAS(fc_memcpy_generic, fc_memmove_generic)
FC_ALIAS(fc_memcpy_nt_generic, fc_memmove_generic)
FC_ALIAS(fastcopy_memcpy_generic, fc_memmove_generic)
FC_ALIAS(fastcopy_memmove_generic, fc_memmove_generic)
FC_ALIAS(fastcopy_memcpy_nt_generic, fc_memmove_generic)
FC_ALIAS(fastcopy_mempcpy_generic, fc_mempcpy_generic)
