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

/* With more than half of the memory the rest of the system would be swapped out. */
bool fc_memory_fits(uint64_t size) {
    long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
    return size <= SIZE_MAX / 2 &&
           (pages <= 0 || page_size <= 0 || size / (uint64_t)page_size < (uint64_t)pages / 2);
}

void fc_memory_fill(unsigned char *memory, size_t size) {
    for (size_t i = 0; i < size; i++)
        memory[i] = (unsigned char)(i * 167 + (i >> 8));
}

void *fc_memory_map(size_t size, bool huge) {
    if (!fc_memory_fits(size)) {
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
    fc_memory_fill(memory, size);
    return memory;
}

void fc_memory_unmap(void *memory, size_t size) {
    munmap(memory, size);
}
