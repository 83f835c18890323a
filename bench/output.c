/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dispatch.h"
#include "timer.h"

enum { COLUMNS = 100 };

/* More noise than this, and a row is marked: it is to be measured again. */
#define NOISE_BAD 0.05

/* ---- text ----------------------------------------------------------------------------------- */

struct fc_number fc_number(double value) {
    struct fc_number number;
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(number.text, sizeof number.text, "%.*f", decimals, value);
    return number;
}

static double scaled(const struct fc_experiment *experiment, double nanoseconds) {
    return strcmp(experiment->time_unit, "us") == 0 ? nanoseconds / 1000 : nanoseconds;
}

static struct fc_number value(const struct fc_experiment *experiment, const struct fc_cell *cell,
                              const struct fc_result *result) {
    return fc_number(cell->as_speed ? (double)cell->bytes / result->times.median
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
        printf("An empty call takes about %.2f ns; no figure can be much below it.\n",
               experiment->empty_call);
    if (fc_bench_variants_are_near())
        puts("No " FC_SHARED_LIBRARY
             " here: the kernels are in this command, where calls are cheaper.");
    const char *baseline = experiment->contenders.list[0].label;
    printf(
        "A/A: by how much two measurements of %s differ: the noise. !: more than %.0f %%, measure "
        "again.\n",
        baseline, 100 * NOISE_BAD);
    if (!experiment->as_difference && experiment->print_text == NULL)
        printf("Beside each figure: how many times as fast as %s; + faster, - slower, = the same "
               "but for\n"
               "noise (A/A, at least 1 %%). *: the library's choice.\n",
               baseline);
    if (options->of_limit)
        puts("%: of what this machine can do at this level of its caches, as `limits` measures "
             "it.");
}

/* How wide the first column is. */
static int label_width(const struct fc_experiment *experiment) {
    size_t width = 6;
    for (size_t i = 0; i < experiment->count; i++)
        width =
            strlen(experiment->cells[i].label) > width ? strlen(experiment->cells[i].label) : width;
    return (int)width;
}

/* The figure's share of what the machine can do; blank where that is not known. */
static void print_share(const struct fc_cell *cell, const struct fc_result *result) {
    if (cell->limit > 0)
        printf(" %3.0f%%", 100 * (double)cell->bytes / result->times.median / cell->limit);
    else
        printf("     ");
}

static void print_row(const struct fc_experiment *experiment, const struct fc_cell *cell,
                      size_t first, size_t last, bool of_limit) {
    const struct fc_result *results = cell->results;
    printf("%-*s %6s", label_width(experiment), cell->label,
           value(experiment, cell, &results[0]).text);
    if (of_limit)
        print_share(cell, &results[0]);
    printf(" %5.1f%%%c", 100 * cell->noise, cell->noise > NOISE_BAD ? '!' : ' ');
    for (size_t i = first; i < last; i++) {
        printf(" %4s", value(experiment, cell, &results[i]).text);
        if (experiment->as_difference) {
            unsigned reference = experiment->contenders.list[i].reference;
            printf("%+6.2f",
                   scaled(experiment, results[i].times.median - results[reference].times.median));
        } else
            printf(" %4s%c", fc_number(results[i].ratio).text, results[i].verdict);
        if (of_limit)
            print_share(cell, &results[i]);
    }
    putchar('\n');
}

static void print_block(const struct fc_experiment *experiment, size_t first, size_t last,
                        bool of_limit) {
    const struct fc_contender *contenders = experiment->contenders.list;
    int share = of_limit ? 5 : 0;
    printf("\n%-*s %6s%*s %6s ", label_width(experiment), experiment->label_name,
           contenders[0].label, share, "", contenders[1].label);
    for (size_t i = first; i < last; i++)
        printf(" %9s%c%*s", contenders[i].label, contenders[i].selected ? '*' : ' ', share, "");
    putchar('\n');
    const struct fc_cell *before = NULL;
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        if (cell->runs == 0)
            continue;
        if (before == NULL || strcmp(before->group, cell->group) != 0 ||
            before->as_speed != cell->as_speed)
            printf("%s, %s\n", cell->group, cell->as_speed ? "GB/s" : experiment->time_unit);
        print_row(experiment, cell, first, last, of_limit);
        before = cell;
    }
}

/* "0.93 4K misaligned" */
struct place {
    char text[112];
};

static struct place place(const struct fc_cell *cell, size_t contender) {
    struct place place;
    snprintf(place.text, sizeof place.text, "%5.2f %s %s", cell->results[contender].ratio,
             cell->label, cell->group);
    return place;
}

/* Of all cells: the mean ratio, what is beyond the noise, the extremes. */
static void print_summary(const struct fc_experiment *experiment) {
    printf("\n%-12s %5s  %-23s  %-30s %s\n", "", "mean", "faster / slower / cells", "worst",
           "best");
    for (size_t k = 2; k < experiment->contenders.count; k++) {
        const struct fc_contender *contender = &experiment->contenders.list[k];
        const struct fc_cell *best = NULL, *worst = NULL;
        unsigned cells = 0, faster = 0, slower = 0;
        double logs = 0;
        for (size_t i = 0; i < experiment->count; i++) {
            const struct fc_cell *cell = &experiment->cells[i];
            if (cell->runs == 0 || cell->mean_of > 0)
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
        printf("%-11s%c %5.2f  %6u / %6u / %5u  %-30s %s\n", contender->label,
               contender->selected ? '*' : ' ', exp(logs / cells), faster, slower, cells,
               place(worst, k).text, place(best, k).text);
    }
}

static bool has_results(const struct fc_experiment *experiment) {
    for (size_t i = 0; i < experiment->count; i++)
        if (experiment->cells[i].runs > 0)
            return true;
    return false;
}

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    size_t count = experiment->contenders.count;
    print_head(experiment, options);
    if (!has_results(experiment)) {
        puts("\nInterrupted before anything was finished.");
        return;
    }
    if (experiment->print_text != NULL) {
        experiment->print_text(experiment, options);
        return;
    }
    /* As many contenders side by side as fit. */
    int width = options->of_limit ? 16 : 11;
    int room = COLUMNS - label_width(experiment) - 15 - (width - 11);
    size_t some = room > width ? (size_t)(room / width) : 1;
    for (size_t first = 2; first < count || first == 2; first += some)
        print_block(experiment, first, first + some < count ? first + some : count,
                    options->of_limit);
    if (!experiment->as_difference)
        print_summary(experiment);
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static void print_csv(const struct fc_experiment *experiment) {
    static bool headed; /* several experiments are one table */
    if (!headed)
        puts("mode,group,label,bytes,contender,ns,ns_min,ns_max,gb_per_s,reference,ratio,"
             "aa_difference,verdict,limit_gb_per_s");
    headed = true;
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        for (size_t k = 0; k < experiment->contenders.count && cell->runs > 0; k++) {
            const struct fc_contender *contender = &experiment->contenders.list[k];
            const struct fc_result *result = &cell->results[k];
            printf("%s,%s,%s,%llu,%s,%.4f,%.4f,%.4f,%.4f,%s,%.4f,%.4f,%c,%.4f\n", experiment->mode,
                   cell->group, cell->label, (unsigned long long)cell->bytes, contender->label,
                   result->times.median, result->times.min, result->times.max,
                   (double)cell->bytes / result->times.median,
                   experiment->contenders.list[contender->reference].label, result->ratio,
                   cell->noise, result->verdict, cell->limit);
        }
    }
}

#ifdef FC_WITH_JANSSON
static json_t *documented; /* the experiments so far */
#endif

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
        if (documented == NULL)
            documented = json_array();
        json_array_append_new(documented, fc_bench_json(experiment, options));
#endif
        break;
    }
    if (options->plot != NULL)
        fc_plot(experiment, options->plot);
}

void fc_output_end(const struct fc_bench_options *options) {
#ifdef FC_WITH_JANSSON
    if (documented != NULL) {
        json_t *document = fc_bench_json_document(options, documented);
        json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(document);
        documented = NULL;
    }
#else
    (void)options;
#endif
}
