/* SPDX-License-Identifier: MIT */
/* Functions that take a known number of instructions, for test.py; none of them copies. */
#include <stddef.h>

#if defined __aarch64__
#define ADD "add %0, %0, %0\n"
#define SUBTRACT_1 "subs %0, %0, 1\n"
#define IF_NOT_0 "b.ne"
#elif defined __powerpc64__
#define ADD "add %0, %0, %0\n"
#define SUBTRACT_1 "addic. %0, %0, -1\n"
#define IF_NOT_0 "bne"
#elif defined __x86_64__
#define ADD "add %0, %0\n"
#define SUBTRACT_1 "dec %0\n"
#define IF_NOT_0 "jne"
#endif

void known_8(void *dst, const void *src, size_t n);
void known_loop(void *dst, const void *src, size_t n);

void known_8(void *dst, const void *src, size_t n) {
    (void)dst, (void)src;
    __asm__ volatile(".rept 7\n" ADD ".endr" : "+r"(n));
}

/* 2 n + 1; n is not 0. */
void known_loop(void *dst, const void *src, size_t n) {
    (void)dst, (void)src;
    __asm__ volatile("1: " SUBTRACT_1 IF_NOT_0 " 1b" : "+r"(n) : : "cc");
}
