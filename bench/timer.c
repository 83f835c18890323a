/* SPDX-License-Identifier: MIT */
#include "timer.h"

int fc_timer_has_counter;
static double nanoseconds_per_tick = 1;

#if defined(__x86_64__)
struct leaf {
    unsigned eax, edx;
};

static struct leaf cpuid(unsigned number) {
    struct leaf leaf;
    __asm__ volatile("cpuid" : "=a"(leaf.eax), "=d"(leaf.edx) : "0"(number) : "ebx", "ecx");
    return leaf;
}
#endif

/* Does the counter run at one rate, whatever the clock of the core and its sleep states? */
static int counter_is_constant(void) {
#if defined(__x86_64__)
    /* CPUID 80000007: EDX bit 8, the invariant TSC. */
    unsigned highest = cpuid(0x80000000).eax;
    return highest >= 0x80000007 && (cpuid(0x80000007).edx >> 8 & 1) != 0;
#elif defined(FC_TIMER_COUNTER)
    return 1; /* the architecture says so */
#else
    return 0;
#endif
}

void fc_timer_init(void) {
    fc_timer_has_counter = counter_is_constant();
    if (!fc_timer_has_counter)
        return;
    uint64_t start = fc_timer_clock(), first = fc_timer_now(), end;
    do
        end = fc_timer_clock();
    while (end - start < 20000000);
    nanoseconds_per_tick = (double)(end - start) / (double)(fc_timer_now() - first);
}

const char *fc_timer_name(void) {
#ifdef FC_TIMER_COUNTER
    if (fc_timer_has_counter)
        return FC_TIMER_COUNTER;
#endif
    return "clock_gettime";
}

double fc_timer_nanoseconds(uint64_t ticks) {
    return (double)ticks * nanoseconds_per_tick;
}

double fc_timer_ticks(double nanoseconds) {
    return nanoseconds / nanoseconds_per_tick;
}
