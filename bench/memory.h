/* SPDX-License-Identifier: MIT */
#ifndef FC_MEMORY_H
#define FC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* calloc that ends the program with a message where there is no memory. */
void *fc_allocate(size_t count, size_t size);

/* Whether so much may be taken: half of what the machine has. */
bool fc_memory_fits(uint64_t size);

/*
 * Page-aligned memory of its own, each page written: an untouched page would be the zero page,
 * which stays in the cache however large the buffer is. Small pages unless huge is set: what a
 * program gets depends on the system's settings, and figures must not. NULL (with errno) if there
 * is not enough.
 */
void *fc_memory_map(size_t size, bool huge);
/* With bytes that tell where they are from. */
void fc_memory_fill(unsigned char *memory, size_t size);
void fc_memory_unmap(void *memory, size_t size);

#endif
