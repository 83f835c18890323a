/* SPDX-License-Identifier: MIT */
/*
 * How the portable kernels touch memory: bytes and aligned words, each by one relaxed atomic
 * access.
 *
 * Atomic for two reasons. The compiler may neither split nor fuse such accesses: that is the
 * promise of FC_TRAIT_ATOMIC8. And it may not take a loop of them for memcpy or memset and call
 * that, which would be us: no flag is needed, at any optimisation level, under LTO either. They
 * cost what plain accesses cost.
 */
#ifndef FC_WORD_H
#define FC_WORD_H

#include <stddef.h>
#include <stdint.h>

typedef uintptr_t __attribute__((may_alias)) word;

#define WORD_SIZE sizeof(word)
#define WORD_BITS (8 * WORD_SIZE)

static inline unsigned char load_byte(const unsigned char *p) {
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline void store_byte(unsigned char *p, unsigned char value) {
    __atomic_store_n(p, value, __ATOMIC_RELAXED);
}

/* p is aligned. */
static inline word load_word(const unsigned char *p) {
    return __atomic_load_n((const word *)(const void *)p, __ATOMIC_RELAXED);
}

static inline void store_word(unsigned char *p, word value) {
    __atomic_store_n((word *)(void *)p, value, __ATOMIC_RELAXED);
}

/* Moves the bytes of a word towards its lower or higher address; zeros come in. bits < WORD_BITS.
 */
static inline word towards_low(word value, size_t bits) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? value >> bits : value << bits;
}

static inline word towards_high(word value, size_t bits) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? value << bits : value >> bits;
}

/* The word that begins k bytes into `low` and ends in `high`, its neighbour; 0 < k < WORD_SIZE. */
static inline word merge_words(word low, word high, size_t k) {
    return towards_low(low, 8 * k) | towards_high(high, WORD_BITS - 8 * k);
}

/* The bytes from..to of a word, zeros elsewhere; p is where byte number `from` is. */
static inline word load_part(const unsigned char *p, size_t from, size_t to) {
    word value = 0;
    for (size_t i = from; i < to; i++) {
        size_t place = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : WORD_SIZE - 1 - i;
        value |= (word)load_byte(p + i - from) << 8 * place;
    }
    return value;
}

#endif
