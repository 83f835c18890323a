/* SPDX-License-Identifier: MIT */
/* Copies memory and makes no system call, or with an argument one that is not usual. */
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char buffer[4096];
    memcpy(buffer, argv[0], strlen(argv[0]) + 1);
    return argc > 1 ? getppid() < 0 : strcmp(buffer, argv[0]) != 0;
}
