/* SPDX-License-Identifier: MIT */
/*
 * One copy, to be traced: guest LIBRARY SYMBOL SIZE SOURCE-OFFSET DESTINATION-OFFSET. Prints,
 * before it copies, the address of the function's code, as /proc/self/maps has it. Big-endian
 * ELFv1.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef void *copy_function(void *, const void *, size_t);

int main(int argc, char **argv) {
    if (argc != 6)
        return 2;
    size_t n = strtoul(argv[3], NULL, 10), room = (n + 16383) / 4096 * 4096;
    void *library = dlopen(argv[1], RTLD_NOW);
    void *symbol = library != NULL ? dlsym(library, argv[2]) : NULL;
    char *memory = mmap(NULL, 2 * room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (symbol == NULL || memory == MAP_FAILED) {
        fprintf(stderr, "guest: no %s in %s\n", argv[2], argv[1]);
        return 1;
    }
    copy_function *volatile copy = (copy_function *)symbol;
    printf("%lx\n", *(unsigned long *)symbol); /* a descriptor's first word */
    fflush(stdout);
    copy(memory + room + atoi(argv[5]), memory + atoi(argv[4]), n);
    return 0;
}
