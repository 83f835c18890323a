/* SPDX-License-Identifier: MIT */
/*
 * Detection on AArch64, in the load path: AT_HWCAP and AT_HWCAP2, MIDR_EL1 and, where there is SVE,
 * the kernel's release. No file.
 */
#include "cpu_decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "auxv.h"

/* As a resolver was told them. */
static struct {
    bool known;
    unsigned long hwcap, hwcap2;
} told;

void fc_cpu_take_hwcaps(unsigned long hwcap, const struct fc_ifunc_argument *more) {
    const unsigned long has_more = 1ul << 62;
    if ((hwcap & has_more) == 0 || more->size < sizeof *more)
        return; /* before glibc 2.30: getauxval */
    told.hwcap = more->hwcap;
    told.hwcap2 = more->hwcap2;
    told.known = true;
}

#ifdef __linux__
/* Not libc's, which sets errno and may not be relocated yet. "" if the system call is refused. */
static void ask_release(char *release, size_t size) {
    struct utsname name;
    register long number __asm__("x8") = 160; /* uname: Linux, asm-generic/unistd.h */
    register void *argument __asm__("x0") = &name;
    register long result __asm__("x0");
    __asm__ volatile("svc 0" : "=r"(result) : "r"(number), "r"(argument) : "memory");
    for (size_t i = 0; result == 0 && i + 1 < size && name.release[i] != '\0'; i++) {
        release[i] = name.release[i];
        release[i + 1] = '\0';
    }
}
#else
static void ask_release(char *release, size_t size) {
    (void)release, (void)size;
}
#endif

void fc_cpu_detect(struct fc_cpu *cpu) {
    struct fc_cpu_words words;
    words.hwcap = told.known ? told.hwcap : fc_auxv(AT_HWCAP);
    words.hwcap2 = told.known ? told.hwcap2 : fc_auxv(AT_HWCAP2);
    words.midr = 0;
    words.release[0] = '\0';
    /* It traps to the kernel, which emulates it if it says so. One core's: others may differ. */
    if ((words.hwcap >> FC_HWCAP_CPUID & 1) != 0)
        __asm__("mrs %0, midr_el1" : "=r"(words.midr));
    if ((words.hwcap >> FC_HWCAP_SVE & 1) != 0)
        ask_release(words.release, sizeof words.release);
    fc_cpu_decode(cpu, &words);
    cpu->reader = FC_READER_OWN;
}

void fc_cpu_identity(const struct fc_cpu *cpu, char *text, size_t size) {
    char zva[32], kernel[32] = "";
    uint64_t dczid;
    __asm__("mrs %0, dczid_el0" : "=r"(dczid));
    if ((dczid & 16) != 0)
        snprintf(zva, sizeof zva, "prohibited");
    else
        snprintf(zva, sizeof zva, "%u bytes", 4u << (dczid & 15));
    if (cpu->kernel[0] != 0)
        snprintf(kernel, sizeof kernel, "; Linux %u.%u.%u", cpu->kernel[0], cpu->kernel[1],
                 cpu->kernel[2]);
    snprintf(text, size, "implementer 0x%02x, part 0x%03x, r%up%u; DC ZVA: %s%s", cpu->family,
             cpu->model, cpu->stepping >> 4, cpu->stepping & 15u, zva, kernel);
}
