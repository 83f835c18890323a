/* SPDX-License-Identifier: MIT */
/*
 * memcpy for device memory (a PCIe BAR, a memory-mapped FIFO's window), where an access that is
 * misaligned faults or is split, and one too many is an event: each access naturally aligned on
 * both sides, ascending, each byte once.
 *
 * Accesses through volatile are made as they are written: none merged, split, repeated or turned
 * into a vector's.
 */
#include <fastcopy/fastcopy.h>

#include <stdint.h>

/* The test looks at each access. */
#ifndef FC_DEVICE_MOVE
#define FC_DEVICE_MOVE(type, to, from) (*(volatile type *)(to) = *(const volatile type *)(from))
#endif

FASTCOPY_API void *fastcopy_memcpy_device(void *dst, const void *src, size_t n) {
    unsigned char *to = dst;
    const unsigned char *from = src;
    /* Where one is aligned to this, so is the other. */
    uintptr_t apart = (uintptr_t)to ^ (uintptr_t)from;
    while (n > 0) {
        size_t size = sizeof(uintptr_t);
        while (size > n || ((apart | (uintptr_t)to) & (size - 1)) != 0)
            size /= 2;
        if (size == 8)
            FC_DEVICE_MOVE(uint64_t, to, from);
        else if (size == 4)
            FC_DEVICE_MOVE(uint32_t, to, from);
        else if (size == 2)
            FC_DEVICE_MOVE(uint16_t, to, from);
        else
            FC_DEVICE_MOVE(uint8_t, to, from);
        to += size;
        from += size;
        n -= size;
    }
    return dst;
}
