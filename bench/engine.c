/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <stdlib.h>

#include "memory.h"
#include "timer.h"

volatile sig_atomic_t fc_interrupted;

/* splitmix64: any state is good, also 0. */
uint64_t fc_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double fc_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The first call, untimed, brings caches and predictors back from what the last contender left. */
static double measure(const struct fc_race *race, const struct fc_contender *contender,
                      uint64_t calls) {
    race->body(contender, race->work, 1);
    uint64_t start = fc_timer_now();
    race->body(contender, race->work, calls);
    return fc_timer_nanoseconds(fc_timer_now() - start);
}

/* How many calls fill a slice. Doubles as the warm-up. */
static uint64_t calibrate(const struct fc_race *race, const struct fc_contender *contender) {
    uint64_t calls = 1;
    for (;;) {
        double time = measure(race, contender, calls);
        if (time > race->slice / 2 || calls > UINT64_C(1) << 40) {
            double fitting = (double)calls * race->slice / (time > 1 ? time : 1);
            return fitting > 1 ? (uint64_t)fitting : 1;
        }
        calls *= 2;
    }
}

double fc_race_probe(const struct fc_race *race, const struct fc_contender *contender) {
    uint64_t calls = calibrate(race, contender);
    return measure(race, contender, calls) / (double)calls;
}

static void shuffle(size_t *order, size_t count, uint64_t *random) {
    for (size_t i = count; i > 1; i--) {
        size_t other = fc_random(random) % i, last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
}

bool fc_race_run(const struct fc_race *race, const struct fc_contender *contenders, size_t count,
                 struct fc_times *times) {
    size_t *order = fc_allocate(count, sizeof *order);
    uint64_t *calls = fc_allocate(count, sizeof *calls);
    double *samples = fc_allocate(count * race->rounds, sizeof *samples);

    for (size_t i = 0; i < count; i++) {
        order[i] = i;
        calls[i] = calibrate(race, &contenders[i]);
    }
    for (size_t round = 0; round < race->rounds && !fc_interrupted; round++) {
        shuffle(order, count, race->random);
        for (size_t i = 0; i < count; i++) {
            size_t k = order[i];
            samples[k * race->rounds + round] =
                measure(race, &contenders[k], calls[k]) / (double)calls[k];
        }
    }
    for (size_t k = 0; k < count; k++) {
        double *sample = &samples[k * race->rounds];
        times[k].median = fc_median(sample, race->rounds);
        times[k].min = sample[0];
        times[k].max = sample[race->rounds - 1];
    }
    free(samples);
    free(calls);
    free(order);
    return !fc_interrupted;
}
