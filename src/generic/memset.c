/* SPDX-License-Identifier: MIT */
/*
 * memset in portable C: the fallback on every architecture. Bytes until the destination is aligned,
 * then eight words a turn, then bytes.
 */
#include "word.h"

#include <fastcopy/variants.h>

#include "kernels.h"

#define TURN (8 * WORD_SIZE)

static void set_bytes(unsigned char *dst, unsigned char value, size_t n) {
    for (size_t i = 0; i < n; i++)
        store_byte(dst + i, value);
}

static size_t set_words(unsigned char *dst, word value, size_t n) {
    size_t i = 0;
    for (; n - i >= TURN; i += TURN) {
        store_word(dst + i, value);
        store_word(dst + i + WORD_SIZE, value);
        store_word(dst + i + 2 * WORD_SIZE, value);
        store_word(dst + i + 3 * WORD_SIZE, value);
        store_word(dst + i + 4 * WORD_SIZE, value);
        store_word(dst + i + 5 * WORD_SIZE, value);
        store_word(dst + i + 6 * WORD_SIZE, value);
        store_word(dst + i + 7 * WORD_SIZE, value);
    }
    for (; n - i >= WORD_SIZE; i += WORD_SIZE)
        store_word(dst + i, value);
    return i;
}

void *fc_memset_generic(void *dst, int c, size_t n) {
    unsigned char *to = dst;
    unsigned char value = (unsigned char)c;
    size_t i = 0;
    if (n >= WORD_SIZE) {
        i = -(uintptr_t)to % WORD_SIZE;
        set_bytes(to, value, i);
        i += set_words(to + i, (word)-1 / 255 * value, n - i);
    }
    set_bytes(to + i, value, n - i);
    return dst;
}

extern __typeof__(fc_memset_generic) fastcopy_memset_generic
    __attribute__((alias("fc_memset_generic")));
extern __typeof__(fc_memset_generic) fc_memset_nt_generic
    __attribute__((alias("fc_memset_generic")));
extern __typeof__(fc_memset_generic) fastcopy_memset_nt_generic
    __attribute__((alias("fc_memset_generic")));
