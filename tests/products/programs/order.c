/* SPDX-License-Identifier: MIT */
/*
 * Prints the kernel that runs memcpy, after checking that this program and its library are bound to
 * it. With an argument: only that the copies are right.
 */
#include <stdio.h>
#include <string.h>

#define FASTCOPY_NO_INLINE /* the call is what is tested */
#include <fastcopy/fastcopy.h>

int library_wrong(void);
fastcopy_function *library_memcpy(void);

int main(int argc, char **argv) {
    (void)argv;
    char text[] = "abcdefgh";
    fastcopy_memcpy(text + 1, text, 4);
    if (library_wrong() || strcmp(text, "aabcdfgh") != 0)
        return 1;
    puts(fastcopy_selected("memcpy"));
    if (argc > 1 || strcmp(fastcopy_dispatch(), "ifunc") != 0)
        return 0;
    size_t count;
    const fastcopy_variant *list = fastcopy_variants("memcpy", &count);
    for (size_t i = 0; i < count; i++)
        if (list[i].entry == library_memcpy())
            return strcmp(list[i].name, fastcopy_selected("memcpy")) != 0;
    return 1;
}
