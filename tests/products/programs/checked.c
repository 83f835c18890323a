/* SPDX-License-Identifier: MIT */
/*
 * Compiled with -D_FORTIFY_SOURCE=2: the calls below become those of __memcpy_chk and its kin. The
 * argument names the one that overflows the buffer, or is "fits".
 */
#include <string.h>

static char room[16];
static char source[] = "0123456789abcdefg";

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    /* Out of the compiler's sight. */
    volatile size_t fits = sizeof room, overflows = sizeof room + 1;
    size_t n[4];
    static const char *const names[4] = {"memcpy", "memmove", "mempcpy", "memset"};
    for (int i = 0; i < 4; i++)
        n[i] = strcmp(which, names[i]) == 0 ? overflows : fits;

    int wrong = 0;
    wrong |= memcpy(room, source, n[0]) != room;
    wrong |= memcmp(room, "0123456789abcdef", sizeof room) != 0;
    wrong |= memmove(room, source + 1, n[1]) != room;
    wrong |= memcmp(room, "123456789abcdefg", sizeof room) != 0;
    wrong |= mempcpy(room, source, n[2]) != (void *)(room + sizeof room);
    wrong |= memcmp(room, "0123456789abcdef", sizeof room) != 0;
    wrong |= memset(room, source[0], n[3]) != room;
    wrong |= memcmp(room, "0000000000000000", sizeof room) != 0;
    return wrong;
}
