/* SPDX-License-Identifier: MIT */
/* Calls memcpy as old programs do (they may let the buffers overlap) and as new ones do. */
#include <string.h>

void *old_memcpy(void *dst, const void *src, size_t n);
__asm__(".symver old_memcpy, memcpy@GLIBC_2.2.5");
void *new_memcpy(void *dst, const void *src, size_t n);
__asm__(".symver new_memcpy, memcpy@GLIBC_2.14");

int main(void) {
    char text[] = "abcdefghijklmnopqrstuvwxyz";
    old_memcpy(text + 1, text, 20);
    new_memcpy(text + 22, "wxyz", 4);
    return strcmp(text, "aabcdefghijklmnopqrstvwxyz") != 0;
}
