/* SPDX-License-Identifier: MIT */
/*
 * Detection on ppc64, in the load path: the auxiliary vector, and one dcbz on memory of our own. No
 * system call, no file. getauxval is libc's: a resolver asks only when this object was relocated
 * (entry_ifunc.c), and nothing that was relocated before it binds to it.
 */
#include "cpu_decode.h"

#include <stdio.h>

#include "auxv.h"

uint64_t fc_dcbz_size;

/*
 * Not believed from AT_DCACHEBSIZE: qemu's 970 says 128 and zeroes 32, as a 970 may be set to do.
 * On the stack: no other thread can be at the same buffer. Blocks are 32, 64 and 128 bytes; with
 * the buffer aligned to twice the greatest that is believed nothing else is hit up to 1024.
 */
static uint64_t measure_dcbz(void) {
    enum { SIZE = 1024 };
    _Alignas(SIZE) unsigned char buffer[SIZE];
    volatile unsigned char *bytes = buffer;
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = 0xff;
    __asm__ volatile("dcbz 0, %0" : : "r"(buffer + SIZE / 2) : "memory");
    return fc_dcbz_block(buffer, SIZE);
}

void fc_cpu_detect(struct fc_cpu *cpu) {
    struct fc_cpu_words words;
    words.hwcap = fc_auxv(AT_HWCAP);
    words.hwcap2 = fc_auxv(AT_HWCAP2);
    words.platform = (const char *)fc_auxv(AT_PLATFORM);
    words.dcbz = measure_dcbz();
    __atomic_store_n(&fc_dcbz_size, words.dcbz, __ATOMIC_RELAXED);
    fc_cpu_decode(cpu, &words);
    cpu->reader = FC_READER_OWN;
}

void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size) {
    (void)cpu;
    const char *platform = (const char *)fc_auxv(AT_PLATFORM);
    snprintf(text, size,
             "AT_PLATFORM: %s; AT_HWCAP: 0x%lx, 0x%lx; dcbz: %u bytes, AT_DCACHEBSIZE: %lu",
             platform != NULL ? platform : "none", fc_auxv(AT_HWCAP), fc_auxv(AT_HWCAP2),
             (unsigned)__atomic_load_n(&fc_dcbz_size, __ATOMIC_RELAXED), fc_auxv(AT_DCACHEBSIZE));
}
