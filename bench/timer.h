/* SPDX-License-Identifier: MIT */
/*
 * timer: a monotonic clock that is cheap to read. The CPU's counter where it runs at a constant
 * rate, calibrated against CLOCK_MONOTONIC; that clock itself elsewhere.
 */
#ifndef FC_TIMER_H
#define FC_TIMER_H

#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define FC_TIMER_COUNTER "tsc"
#elif defined(__aarch64__)
#define FC_TIMER_COUNTER "cntvct_el0"
#elif defined(__powerpc64__)
#define FC_TIMER_COUNTER "timebase"
#endif

/* Chooses and calibrates (20 ms). Call it once, before the others. */
void fc_timer_init(void);

/* "tsc", ..., or "clock_gettime". */
const char *fc_timer_name(void);

double fc_timer_nanoseconds(uint64_t ticks);
double fc_timer_ticks(double nanoseconds);

extern int fc_timer_has_counter; /* set by fc_timer_init() */

static inline uint64_t fc_timer_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/*
 * Waits for the work before it, not for its stores to reach the cache: nothing but a full fence
 * would, and that is part of no real call.
 */
static inline uint64_t fc_timer_now(void) {
#if defined(__x86_64__)
    if (fc_timer_has_counter) {
        _mm_lfence();
        uint64_t ticks = __rdtsc();
        _mm_lfence();
        return ticks;
    }
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
#elif defined(__powerpc64__)
    uint64_t ticks;
    __asm__ volatile("isync\n\tmfspr %0, 268" : "=r"(ticks) : : "memory");
    return ticks;
#endif
    return fc_timer_clock();
}

#endif
