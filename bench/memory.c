/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *fc_allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        perror("fastcopy");
        exit(1);
    }
    return memory;
}

/* Half of what the machine has: more, and the rest of the system would be swapped out. */
static bool fits(size_t size) {
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page_size <= 0 || size / (size_t)page_size < (size_t)pages / 2;
}

void *fc_memory_map(size_t size, bool huge) {
    if (!fits(size)) {
        errno = ENOMEM;
        return NULL;
    }
    unsigned char *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
    madvise(memory, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)huge;
#endif
    for (size_t i = 0; i < size; i++)
        memory[i] = (unsigned char)(i * 167 + (i >> 8));
    return memory;
}

void fc_memory_unmap(void *memory, size_t size) {
    munmap(memory, size);
}
