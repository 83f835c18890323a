/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"
#include "timer.h"

/* ---- how long it takes ---------------------------------------------------------------------- */

struct progress {
    bool shown;
    uint64_t start;   /* fc_timer_clock() */
    double predicted; /* seconds, of all cells */
    double done;      /* seconds as predicted, of the cells that are finished */
};

/* What a cell costs, in predicted seconds. */
static double predict(const struct fc_experiment *experiment, const struct fc_race *race) {
    double call = fc_race_probe(race, &experiment->contenders.list[0]);
    double slice = call > race->slice ? call : race->slice;
    return 1e-9 * race->rounds * (double)experiment->contenders.count * (slice + call);
}

static void show(const struct progress *progress) {
    if (!progress->shown)
        return;
    enum { WIDTH = 40 };
    double part = progress->predicted > 0 ? progress->done / progress->predicted : 0;
    double elapsed = 1e-9 * (double)(fc_timer_clock() - progress->start);
    double left = part > 0.05 ? elapsed / part * (1 - part) : progress->predicted;
    int filled = (int)(part * WIDTH);
    fprintf(stderr, "\r[%.*s%*s] %3.0f %%, about %.0f s left ", filled,
            "########################################", WIDTH - filled, "", 100 * part, left);
}

static void hide(const struct progress *progress) {
    if (progress->shown)
        fprintf(stderr, "\r%79s\r", "");
}

/* ---- results -------------------------------------------------------------------------------- */

/* The A/A difference is one draw, and small by chance now and then: nothing below this counts. */
#define NOISE_MIN 0.01

static void compare(const struct fc_experiment *experiment, struct fc_cell *cell) {
    struct fc_result *results = cell->results;
    cell->noise = fabs(results[1].times.median / results[0].times.median - 1);
    double noise = fmax(cell->noise, NOISE_MIN);
    for (size_t i = 0; i < experiment->contenders.count; i++) {
        unsigned reference = experiment->contenders.list[i].reference;
        double ratio = results[reference].times.median / results[i].times.median;
        results[i].ratio = ratio;
        results[i].verdict = ratio > 1 + noise ? '+' : ratio < 1 - noise ? '-' : '=';
    }
}

/* Medians over the runs; the extremes are those of all runs. */
static void combine(const struct fc_experiment *experiment, struct fc_cell *cell,
                    const struct fc_times *times) {
    size_t count = experiment->contenders.count;
    double *medians = fc_allocate(cell->runs, sizeof *medians);
    for (size_t i = 0; i < count; i++) {
        struct fc_times *result = &cell->results[i].times;
        *result = times[i];
        for (size_t run = 0; run < cell->runs; run++) {
            const struct fc_times *one = &times[run * count + i];
            medians[run] = one->median;
            result->min = fmin(result->min, one->min);
            result->max = fmax(result->max, one->max);
        }
        result->median = fc_median(medians, cell->runs);
        if (cell->calls > 1) {
            result->median /= (double)cell->calls;
            result->min /= (double)cell->calls;
            result->max /= (double)cell->calls;
        }
    }
    free(medians);
    compare(experiment, cell);
}

/* The geometric mean: with it, the ratio of means is the mean of ratios. */
static void average(const struct fc_experiment *experiment, struct fc_cell *mean) {
    const struct fc_cell *cells = mean - mean->mean_of;
    double part = 1 / (double)mean->mean_of;
    mean->runs = cells[0].runs;
    for (size_t i = 1; i < mean->mean_of; i++)
        mean->runs = cells[i].runs < mean->runs ? cells[i].runs : mean->runs;
    if (mean->runs == 0)
        return;
    for (size_t k = 0; k < experiment->contenders.count; k++) {
        struct fc_times *times = &mean->results[k].times;
        *times = (struct fc_times){1, 1, 1};
        for (size_t i = 0; i < mean->mean_of; i++) {
            times->median *= pow(cells[i].results[k].times.median, part);
            times->min *= pow(cells[i].results[k].times.min, part);
            times->max *= pow(cells[i].results[k].times.max, part);
        }
    }
    compare(experiment, mean);
}

static void enter(struct fc_race *race, const struct fc_experiment *experiment,
                  const struct fc_cell *cell) {
    race->body = cell->body != NULL ? cell->body : experiment->body;
    race->work = cell->work;
}

int fc_experiment_measure(struct fc_experiment *experiment,
                          const struct fc_bench_options *options) {
    size_t contenders = experiment->contenders.count;
    struct fc_times *times =
        fc_allocate(experiment->count * options->runs * contenders, sizeof *times);
    double *predicted = fc_allocate(experiment->count, sizeof *predicted);
    struct progress progress = {.shown = isatty(2) != 0, .start = fc_timer_clock()};
    uint64_t random = options->seed;
    if (options->rounds > 0)
        experiment->rounds = options->rounds;
    struct fc_race race = {
        .rounds = experiment->rounds, .slice = experiment->slice, .random = &random};

    for (size_t i = 0; i < experiment->count && !fc_interrupted; i++) {
        if (experiment->cells[i].mean_of > 0)
            continue;
        enter(&race, experiment, &experiment->cells[i]);
        predicted[i] = predict(experiment, &race);
        progress.predicted += options->runs * predicted[i];
    }
    for (unsigned run = 0; run < options->runs && !fc_interrupted; run++)
        for (size_t i = 0; i < experiment->count && !fc_interrupted; i++) {
            struct fc_cell *cell = &experiment->cells[i];
            if (cell->mean_of > 0)
                continue;
            show(&progress);
            enter(&race, experiment, cell);
            cell->runs += fc_race_run(&race, experiment->contenders.list, contenders,
                                      &times[(i * options->runs + run) * contenders]);
            progress.done += predicted[i];
        }
    hide(&progress);
    for (size_t i = 0; i < experiment->count; i++) {
        struct fc_cell *cell = &experiment->cells[i];
        cell->results = fc_allocate(contenders, sizeof *cell->results);
        if (cell->mean_of > 0)
            average(experiment, cell);
        else if (cell->runs > 0)
            combine(experiment, cell, &times[i * options->runs * contenders]);
    }
    free(predicted);
    free(times);
    return fc_interrupted ? FC_EXIT_INTERRUPTED : FC_EXIT_OK;
}

void fc_experiment_release(struct fc_experiment *experiment) {
    for (size_t i = 0; i < experiment->count; i++) {
        free(experiment->cells[i].results);
        experiment->cells[i].results = NULL;
    }
}

int fc_experiment_run(struct fc_experiment *experiment, const struct fc_bench_options *options) {
    int status = fc_experiment_measure(experiment, options);
    fc_output(experiment, options);
    fc_experiment_release(experiment);
    return status;
}
