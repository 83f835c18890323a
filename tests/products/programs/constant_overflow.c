/* SPDX-License-Identifier: MIT */
/* Copies one byte more than there is, or with an argument just that; for a sanitizer to see. */
#include <stdlib.h>

#include <fastcopy/fastcopy.h>

int main(int argc, char **argv) {
    (void)argv;
    char to[64] = {0};
    char *volatile from = (char *)calloc(1, argc > 1 ? 24 : 23); /* no compiler knows its content */
    fastcopy_memcpy(to, from, 24);
    free(from);
    return to[argc];
}
