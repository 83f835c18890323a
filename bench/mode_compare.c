/* SPDX-License-Identifier: MIT */
/*
 * compare: two files that `fastcopy bench --json` wrote, cell by cell.
 *
 * What counts is more than the noise: the A/A difference of either run, and by how much the
 * baseline moved from one to the other, for it is the same code in both. (Between different
 * machines it is not the noise that moves it.) And medians and fastest rounds must agree.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#ifdef FC_WITH_JANSSON

/* One contender in one cell. The keys belong to the document. */
enum { MODE, OPERATION, GROUP, LABEL, CONTENDER, KEYS };
struct figure {
    const char *keys[KEYS];
    const char *baseline;
    double ns, ns_min, baseline_ns, noise;
};

struct document {
    json_t *json;
    const char *brand;
    struct figure *figures; /* sorted by their keys */
    size_t count;
};

static int by_keys(const void *a, const void *b) {
    const struct figure *x = a, *y = b;
    for (size_t i = 0; i < KEYS; i++) {
        int order = strcmp(x->keys[i], y->keys[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

static void append(struct document *document, const struct figure *figure) {
    if ((document->count & (document->count - 1)) == 0) {
        size_t room = document->count > 0 ? 2 * document->count : 1;
        struct figure *grown = realloc(document->figures, room * sizeof *grown);
        if (grown == NULL) {
            perror("fastcopy bench");
            exit(FC_EXIT_FAILED);
        }
        document->figures = grown;
    }
    document->figures[document->count++] = *figure;
}

/* False where the cell is not as the schema has it. */
static bool read_cell(struct document *document, json_t *cell, const struct figure *of_experiment) {
    struct figure figure = *of_experiment;
    json_t *results, *result;
    size_t k;
    if (json_unpack(cell, "{ss ss sF so}", "group", &figure.keys[GROUP], "label",
                    &figure.keys[LABEL], "aa_difference", &figure.noise, "results",
                    &results) != 0 ||
        json_unpack(results, "[{ss sF}]", "contender", &figure.baseline, "ns",
                    &figure.baseline_ns) != 0)
        return false;
    json_array_foreach(results, k, result) {
        if (json_unpack(result, "{ss sF sF}", "contender", &figure.keys[CONTENDER], "ns",
                        &figure.ns, "ns_min", &figure.ns_min) != 0 ||
            !(figure.ns > 0) || !(figure.ns_min > 0))
            return false;
        if (k >= 2) /* after the baseline, and the baseline again */
            append(document, &figure);
    }
    return true;
}

static bool read_experiment(struct document *document, json_t *experiment) {
    struct figure figure = {.ns = 0};
    json_t *cells, *cell;
    size_t i;
    if (json_object_get(experiment, "failed") != NULL) /* a mode of a report */
        return true;
    if (json_unpack(experiment, "{ss ss so}", "mode", &figure.keys[MODE], "operation",
                    &figure.keys[OPERATION], "cells", &cells) != 0 ||
        !json_is_array(cells))
        return false;
    json_array_foreach(cells, i, cell) {
        if (!read_cell(document, cell, &figure))
            return false;
    }
    return true;
}

static struct document read_document(const char *file) {
    struct document document = {.json = NULL};
    const struct fc_command *command = &fc_command_bench;
    json_error_t error;
    json_t *experiments, *experiment;
    size_t i;
    int schema;
    document.json = json_load_file(file, 0, &error);
    if (document.json == NULL && error.line < 1)
        fc_usage_error(command, "compare: %s", error.text);
    if (document.json == NULL)
        fc_usage_error(command, "compare: %s: line %d: %s", file, error.line, error.text);
    if (json_unpack(document.json, "{si so s{s{ss}}}", "schema", &schema, "experiments",
                    &experiments, "machine", "cpu", "brand", &document.brand) != 0 ||
        !json_is_array(experiments))
        fc_usage_error(command, "compare: %s: not what fastcopy bench --json writes", file);
    if (schema != FC_BENCH_SCHEMA)
        fc_usage_error(command, "compare: %s: its schema is %d, not %d", file, schema,
                       FC_BENCH_SCHEMA);
    json_array_foreach(experiments, i, experiment) {
        if (!read_experiment(&document, experiment))
            fc_usage_error(command, "compare: %s: experiment %zu is not as the schema has it", file,
                           i + 1);
    }
    qsort(document.figures, document.count, sizeof *document.figures, by_keys);
    return document;
}

static void release(struct document *document) {
    free(document->figures);
    json_decref(document->json);
}

/* ---- comparing ------------------------------------------------------------------------------ */

struct change {
    const struct figure *before, *after;
    double ratio, noise; /* above 1: faster than before */
    char verdict;
};

static struct change compare(const struct figure *before, const struct figure *after,
                             bool same_machine) {
    const double smallest = 0.01; /* as in one run: the A/A difference may be small by chance */
    struct change change = {before, after, before->ns / after->ns,
                            fmax(smallest, fmax(before->noise, after->noise)), '='};
    if (same_machine && strcmp(before->baseline, after->baseline) == 0)
        change.noise = fmax(change.noise, fabs(after->baseline_ns / before->baseline_ns - 1));
    /* A change of the code moves the fastest round too; a busy machine often does not. */
    double of_fastest = before->ns_min / after->ns_min;
    if (fmax(change.ratio, of_fastest) < 1 / (1 + change.noise))
        change.verdict = '-';
    else if (fmin(change.ratio, of_fastest) > 1 + change.noise)
        change.verdict = '+';
    return change;
}

static int by_ratio(const void *a, const void *b) {
    double x = ((const struct change *)a)->ratio, y = ((const struct change *)b)->ratio;
    return (x > y) - (x < y);
}

static void print_csv(const struct change *changes, size_t count) {
    puts("mode,operation,group,label,contender,ns_before,ns_after,ratio,noise,verdict");
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < KEYS; k++)
            printf("%s,", changes[i].before->keys[k]);
        printf("%.4f,%.4f,%.4f,%.4f,%c\n", changes[i].before->ns, changes[i].after->ns,
               changes[i].ratio, changes[i].noise, changes[i].verdict);
    }
}

static void print_text(const struct change *changes, size_t count, bool same_machine) {
    size_t same = 0;
    puts(
        "Speed of the second file as a multiple of the first's, the worst first. Noise: the larger "
        "A/A\ndifference, and what the baseline moved. What is within it, or not true of the "
        "fastest rounds "
        "too,\nis only counted.\n");
    if (!same_machine)
        puts("They are of different machines: only A/A counts as noise.\n");
    printf("ratio  %6s %10s %10s  mode, operation, cell, routine\n", "noise", "ns before",
           "ns after");
    for (size_t i = 0; i < count; i++) {
        const struct change *change = &changes[i];
        const char *const *keys = change->before->keys;
        if (change->verdict == '=')
            same++;
        else
            printf("%5s%c %5.1f%% %10s %10s  %s %s %s %s %s\n", fc_number(change->ratio).text,
                   change->verdict, 100 * change->noise, fc_number(change->before->ns).text,
                   fc_number(change->after->ns).text, keys[MODE], keys[OPERATION], keys[GROUP],
                   keys[LABEL], keys[CONTENDER]);
    }
    printf("\n%zu of %zu are the same but for noise.\n", same, count);
}

static int run(const struct fc_bench_options *options) {
    const char *files[] = {options->arguments[0], options->arguments[1]};
    if (options->format == FC_FORMAT_JSON)
        fc_usage_error(&fc_command_bench, "compare writes text or CSV");
    struct document before = read_document(files[0]), after = read_document(files[1]);
    bool same_machine = strcmp(before.brand, after.brand) == 0;
    struct change *changes = fc_allocate(before.count, sizeof *changes);
    size_t count = 0;
    for (size_t i = 0; i < before.count; i++) {
        const struct figure *found = after.count == 0
                                         ? NULL
                                         : bsearch(&before.figures[i], after.figures, after.count,
                                                   sizeof *after.figures, by_keys);
        if (found != NULL)
            changes[count++] = compare(&before.figures[i], found, same_machine);
    }
    if (count == 0)
        fc_usage_error(&fc_command_bench, "compare: %s and %s have no cell in common", files[0],
                       files[1]);
    qsort(changes, count, sizeof *changes, by_ratio);
    if (options->format == FC_FORMAT_CSV)
        print_csv(changes, count);
    else
        print_text(changes, count, same_machine);
    if (count < before.count || count < after.count)
        fprintf(stderr,
                "fastcopy bench: compare: %zu figures are only in the first, %zu only in the "
                "second\n",
                before.count - count, after.count - count);
    bool failed = false;
    for (size_t i = 0; i < count; i++)
        failed = failed || (changes[i].verdict == '-' && changes[i].ratio < options->fail_below);
    free(changes);
    release(&before);
    release(&after);
    return failed ? FC_EXIT_FAILED : FC_EXIT_OK;
}

#else

static int run(const struct fc_bench_options *options) {
    (void)options;
    fc_usage_error(&fc_command_bench, "compare: " FC_NO_JSON);
}

#endif

const struct fc_bench_mode fc_mode_compare = {
    .name = "compare",
    .run = run,
    .help = "two files that --json wrote, A.json B.json: what became slower or faster",
    .arguments = 2,
    .takes = "fail-below",
};
