/* SPDX-License-Identifier: MIT */
/*
 * engine: races several implementations of the same work.
 *
 * A contender is a function (or, for what is not a function, some data). A body is the code that is
 * timed: it calls the contender a given number of times, and it is the same machine code for all of
 * them, so that only the contenders differ. In each round every contender runs once, for a slice of
 * time, in random order: what disturbs the machine for longer than a slice disturbs all of them. A
 * result is the median over the rounds.
 */
#ifndef FC_ENGINE_H
#define FC_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fastcopy/fastcopy.h>

typedef void *fc_copy_function(void *dst, const void *src, size_t n);
typedef void *fc_set_function(void *dst, int c, size_t n);

struct fc_contender {
    char label[24];
    fastcopy_function *function;
    const void *data;
    unsigned reference; /* index of the contender that it is compared with */
    bool selected;      /* the library's own choice: marked in text */
};

/* Does the work `calls` times. Never inlined, or each place of use would be measured differently.
 */
#define FC_BODY __attribute__((noinline, aligned(64)))
typedef void fc_body(const struct fc_contender *contender, const void *work, uint64_t calls);

struct fc_race {
    fc_body *body;
    const void *work;
    unsigned rounds;
    double slice;     /* nanoseconds; a slice is at least one call long */
    uint64_t *random; /* the state of fc_random() */
};

/* Nanoseconds per call. */
struct fc_times {
    double median, min, max;
};

/* False if it was interrupted; times is then incomplete. */
bool fc_race_run(const struct fc_race *race, const struct fc_contender *contenders, size_t count,
                 struct fc_times *times);

/* The cost of one call of a contender in the body, from one short slice: for predictions. */
double fc_race_probe(const struct fc_race *race, const struct fc_contender *contender);

/* Sorts values. */
double fc_median(double *values, size_t count);

/* A uniform number; any state will do as a seed. */
uint64_t fc_random(uint64_t *state);

/* Set it (from a signal handler) and the race ends after the present round. */
extern volatile sig_atomic_t fc_interrupted;

#endif
