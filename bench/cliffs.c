/* SPDX-License-Identifier: MIT */
#include "cliffs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Slower than the neighbours by more than this, or slower than this share of the baseline. */
static const double steep = 2, slow = 0.9;

static double neighbours(const struct fc_experiment *experiment, size_t cell, size_t contender) {
    const struct fc_cell *cells = experiment->cells;
    size_t first = cell, last = cell, count = 0;
    while (first > 0 && strcmp(cells[first - 1].group, cells[cell].group) == 0)
        first--;
    while (last < experiment->count && strcmp(cells[last].group, cells[cell].group) == 0)
        last++;
    double *times = fc_allocate(last - first, sizeof *times);
    for (size_t i = first; i < last; i++)
        if (i != cell && cells[i].runs > 0 && !((const struct fc_spot *)cells[i].work)->odd)
            times[count++] = cells[i].results[contender].times.median;
    double median = count > 0 ? fc_median(times, count) : NAN;
    free(times);
    return median;
}

struct fc_cliff fc_cliff_judge(const struct fc_experiment *experiment, size_t cell) {
    const struct fc_cell *judged = &experiment->cells[cell];
    struct fc_cliff worst = {.cell = cell};
    for (size_t k = 2; k < experiment->contenders.count && judged->runs > 0; k++) {
        const struct fc_result *result = &judged->results[k];
        struct fc_cliff cliff = {
            .cell = cell, .contender = k, .neighbours = neighbours(experiment, cell, k)};
        /* fmax passes over a NAN: a cell without neighbours is judged by the baseline alone. */
        cliff.badness = fmax(result->times.median / (steep * cliff.neighbours),
                             fmin(slow, 1 - judged->noise) / result->ratio);
        if (cliff.badness > worst.badness)
            worst = cliff;
    }
    return worst;
}

static int by_badness(const void *a, const void *b) {
    double x = ((const struct fc_cliff *)a)->badness, y = ((const struct fc_cliff *)b)->badness;
    return (x < y) - (x > y);
}

size_t fc_cliffs_worst(const struct fc_experiment *experiment, struct fc_cliff *worst,
                       size_t limit) {
    struct fc_cliff *groups = fc_allocate(experiment->count, sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; i < experiment->count; i++) {
        struct fc_cliff cliff = fc_cliff_judge(experiment, i);
        cliff.company = cliff.badness > 1;
        if (i == 0 || strcmp(experiment->cells[i - 1].group, experiment->cells[i].group) != 0) {
            groups[count++] = cliff;
            continue;
        }
        struct fc_cliff *group = &groups[count - 1];
        cliff.company += group->company;
        if (cliff.badness > group->badness)
            *group = cliff;
        group->company = cliff.company;
    }
    qsort(groups, count, sizeof *groups, by_badness);
    count = count < limit ? count : limit;
    memcpy(worst, groups, count * sizeof *worst);
    free(groups);
    return count;
}

size_t fc_cliffs_judge(const struct fc_experiment *experiment, struct fc_cliff *cliffs,
                       size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t company = cliffs[i].company;
        cliffs[i] = fc_cliff_judge(experiment, cliffs[i].cell);
        cliffs[i].company = company;
        found += cliffs[i].badness > 1;
    }
    qsort(cliffs, count, sizeof *cliffs, by_badness);
    return found;
}
