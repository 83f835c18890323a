/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "timer.h"

/* Contenders that stand side by side in 100 columns. */
enum { PER_BLOCK = 7 };

/* ---- text ----------------------------------------------------------------------------------- */

struct number {
    char text[16];
};

/* Three digits are all that a measurement has. */
static struct number number(double value) {
    struct number number;
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(number.text, sizeof number.text, "%.*f", decimals, value);
    return number;
}

static double scaled(const struct fc_experiment *experiment, double nanoseconds) {
    return strcmp(experiment->time_unit, "us") == 0 ? nanoseconds / 1000 : nanoseconds;
}

static struct number value(const struct fc_experiment *experiment, const struct fc_cell *cell,
                           const struct fc_result *result) {
    return number(cell->as_speed ? (double)cell->bytes / result->times.median
                                 : scaled(experiment, result->times.median));
}

static void print_head(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    const struct fc_state *state = fc_dispatch_state();
    printf("%s\n", experiment->title);
    printf("%s, %s; ", state->cpu.brand[0] != '\0' ? state->cpu.brand : FC_ARCH_NAME,
           fc_uarch_name(state->cpu.uarch));
    if (options->pinned)
        printf("on CPU %d, ", options->cpu);
    printf("timed by %s; %u rounds", fc_timer_name(), experiment->rounds);
    if (options->runs > 1)
        printf(", medians of %u runs", options->runs);
    printf("; seed %llu\n", (unsigned long long)options->seed);
    if (experiment->empty_call > 0)
        printf("An empty call takes %.2f ns; it is part of every figure.\n",
               experiment->empty_call);
    if (fc_bench_variants_are_near())
        puts("No " FC_SHARED_LIBRARY
             " here: the kernels are in this command, where calls are cheaper.");
    const char *baseline = experiment->contenders.list[0].label;
    printf("A/A: by how much two measurements of %s differ: the noise.\n", baseline);
    if (!experiment->as_difference)
        printf("Beside each figure: how many times as fast as %s; + faster, - slower, = the same "
               "but for\n"
               "noise (A/A, at least 1 %%). *: the library's choice.\n",
               baseline);
}

static void print_row(const struct fc_experiment *experiment, const struct fc_cell *cell,
                      size_t first, size_t last) {
    const struct fc_result *results = cell->results;
    printf("%-6s %6s %5.1f%%", cell->label, value(experiment, cell, &results[0]).text,
           100 * cell->noise);
    for (size_t i = first; i < last; i++) {
        printf(" %4s", value(experiment, cell, &results[i]).text);
        if (experiment->as_difference) {
            unsigned reference = experiment->contenders.list[i].reference;
            printf("%+6.2f",
                   scaled(experiment, results[i].times.median - results[reference].times.median));
        } else
            printf(" %4s%c", number(results[i].ratio).text, results[i].verdict);
    }
    putchar('\n');
}

static void print_block(const struct fc_experiment *experiment, size_t first, size_t last) {
    const struct fc_contender *contenders = experiment->contenders.list;
    printf("\n%-6s %6s %6s", experiment->label_name, contenders[0].label, contenders[1].label);
    for (size_t i = first; i < last; i++)
        printf(" %9s%c", contenders[i].label, contenders[i].selected ? '*' : ' ');
    putchar('\n');
    const struct fc_cell *before = NULL;
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        if (cell->runs == 0)
            continue;
        if (before == NULL || strcmp(before->group, cell->group) != 0 ||
            before->as_speed != cell->as_speed)
            printf("%s, %s\n", cell->group, cell->as_speed ? "GB/s" : experiment->time_unit);
        print_row(experiment, cell, first, last);
        before = cell;
    }
}

/* Of all cells: the mean ratio, the extremes, and what is beyond the noise. */
static void print_summary(const struct fc_experiment *experiment) {
    printf("\n%-12s %5s  %-24s %-24s %s\n", "", "mean", "best", "worst", "faster / slower / cells");
    for (size_t k = 2; k < experiment->contenders.count; k++) {
        const struct fc_contender *contender = &experiment->contenders.list[k];
        const struct fc_cell *best = NULL, *worst = NULL;
        unsigned cells = 0, faster = 0, slower = 0;
        double logs = 0;
        for (size_t i = 0; i < experiment->count; i++) {
            const struct fc_cell *cell = &experiment->cells[i];
            if (cell->runs == 0)
                continue;
            const struct fc_result *result = &cell->results[k];
            cells++;
            faster += result->verdict == '+';
            slower += result->verdict == '-';
            logs += log(result->ratio);
            if (best == NULL || result->ratio > best->results[k].ratio)
                best = cell;
            if (worst == NULL || result->ratio < worst->results[k].ratio)
                worst = cell;
        }
        if (cells == 0)
            return;
        printf("%-11s%c %5.2f  %5.2f %-6s %-11s %5.2f %-6s %-11s %3u / %u / %u\n", contender->label,
               contender->selected ? '*' : ' ', exp(logs / cells), best->results[k].ratio,
               best->label, best->group, worst->results[k].ratio, worst->label, worst->group,
               faster, slower, cells);
    }
}

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    size_t count = experiment->contenders.count;
    print_head(experiment, options);
    for (size_t first = 2; first < count || first == 2; first += PER_BLOCK)
        print_block(experiment, first, first + PER_BLOCK < count ? first + PER_BLOCK : count);
    if (!experiment->as_difference)
        print_summary(experiment);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void print_csv(const struct fc_experiment *experiment) {
    printf("mode,%s,%s,bytes,contender,ns,ns_min,ns_max,gb_per_s,reference,ratio,aa_difference,"
           "verdict\n",
           experiment->group_name, experiment->label_name);
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        for (size_t k = 0; k < experiment->contenders.count && cell->runs > 0; k++) {
            const struct fc_contender *contender = &experiment->contenders.list[k];
            const struct fc_result *result = &cell->results[k];
            printf("%s,%s,%s,%llu,%s,%.4f,%.4f,%.4f,%.4f,%s,%.4f,%.4f,%c\n", experiment->mode,
                   cell->group, cell->label, (unsigned long long)cell->bytes, contender->label,
                   result->times.median, result->times.min, result->times.max,
                   (double)cell->bytes / result->times.median,
                   experiment->contenders.list[contender->reference].label, result->ratio,
                   cell->noise, result->verdict);
        }
    }
}

void fc_output(const struct fc_experiment *experiment, const struct fc_bench_options *options) {
    switch (options->format) {
    case FC_FORMAT_TEXT:
        print_text(experiment, options);
        break;
    case FC_FORMAT_CSV:
        print_csv(experiment);
        break;
    case FC_FORMAT_JSON:
#ifdef FC_WITH_JANSSON
        fc_output_json(experiment, options);
#endif
        break;
    }
}
