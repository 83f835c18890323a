/* SPDX-License-Identifier: MIT */
/*
 * align: two routines by size and misalignment, in cycles, with the speedup: the layout in which
 * SSE and AVX copies were compared with rep movs in 2011.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "timer.h"

static const uint64_t all_sizes[] = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 0},
                      brief_sizes[] = {64, 1024, 8192, 0};

/* None, odd, a word, a vector of 16, of 32, and the end of a line. */
static const size_t offsets[] = {0, 1, 8, 16, 32, 63};
enum { OFFSETS = sizeof offsets / sizeof *offsets, PAGE = 4096 };

/* The contenders: the baseline, itself again, and the one that this mode is about. */
enum { BASELINE, AGAIN, ROUTINE, CONTENDERS };

static int by_speedup(const void *a, const void *b) {
    double x = (*(const struct fc_cell *const *)a)->results[ROUTINE].ratio,
           y = (*(const struct fc_cell *const *)b)->results[ROUTINE].ratio;
    return (x < y) - (x > y);
}

static void print_cell(const struct fc_cell *cell) {
    char key[64];
    snprintf(key, sizeof key, "%.20s(%.20s)", cell->group, cell->label);
    printf("%-10s %7.0f %7.0f %4sx%c", key, fc_timer_ticks(cell->results[BASELINE].times.median),
           fc_timer_ticks(cell->results[ROUTINE].times.median),
           fc_number(cell->results[ROUTINE].ratio).text, cell->results[ROUTINE].verdict);
}

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    enum { ACROSS = 3 };
    const struct fc_cell **cells = fc_allocate(experiment->count, sizeof *cells);
    size_t count = 0;
    double worst_noise = 0;
    for (size_t i = 0; i < experiment->count; i++) {
        if (experiment->cells[i].runs == 0)
            continue;
        cells[count++] = &experiment->cells[i];
        if (experiment->cells[i].noise > worst_noise)
            worst_noise = experiment->cells[i].noise;
    }
    if (options->sort)
        qsort(cells, count, sizeof *cells, by_speedup);
    const char *baseline = experiment->contenders.list[BASELINE].label,
               *routine = experiment->contenders.list[ROUTINE].label;
    printf("size(source/destination misalignment), cycles of %s, cycles of %s, speedup%s\n"
           "Cycles: ticks of %s at %.3f GHz, a fixed rate, whatever the core's clock. A/A at most "
           "%.1f %%; + faster,\n- slower, = the same but for noise.\n\n",
           baseline, routine, options->sort ? ", by speedup, down the columns" : "",
           fc_timer_name(), fc_timer_ticks(1), 100 * worst_noise);
    size_t rows = (count + ACROSS - 1) / ACROSS;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = row; i < count; i += rows) {
            if (i != row)
                fputs(" | ", stdout);
            print_cell(cells[i]);
        }
        putchar('\n');
    }
    free(cells);
}

static int run(const struct fc_bench_options *options) {
    const uint64_t *sizes = options->sizes != NULL ? options->sizes
                            : options->brief       ? brief_sizes
                                                   : all_sizes;
    uint64_t largest = 0;
    size_t count = 0;
    for (; sizes[count] != 0; count++)
        largest = sizes[count] > largest ? sizes[count] : largest;
    struct fc_buffers buffers = fc_buffers_map(options, largest);
    size_t cells = count * OFFSETS * OFFSETS;
    struct fc_experiment experiment = {
        .mode = "align",
        .group_name = "size",
        .label_name = "misalignment",
        .body = fc_op_sets(options->op) ? fc_body_set : fc_body_copy,
        .contenders = fc_contenders_gather(options),
        .cells = fc_allocate(cells, sizeof *experiment.cells),
        .rounds = 61, /* many and short: one disturbance must not paint a cell */
        .slice = 30000,
        .time_unit = "ns",
        .print_text = print_text,
        .plot = FC_PLOT_HEAT,
    };
    struct fc_contenders *contenders = &experiment.contenders;
    if (contenders->count <= ROUTINE)
        fc_usage_error(&fc_command_bench, "align: nothing to compare %s with",
                       contenders->list[BASELINE].label);
    /* Where libc is not the baseline it comes next, but is not what was asked for. */
    if (contenders->count > CONTENDERS && strcmp(contenders->list[ROUTINE].label, "libc") == 0)
        contenders->list[ROUTINE] = contenders->list[ROUTINE + 1];
    contenders->count = CONTENDERS;
    fc_contenders_verify(contenders, options->op, buffers.dst, buffers.src, (size_t)largest);

    struct fc_call *calls = fc_allocate(cells, sizeof *calls);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < OFFSETS; s++)
            for (size_t d = 0; d < OFFSETS; d++) {
                struct fc_cell *cell = &experiment.cells[experiment.count];
                struct fc_call *call = &calls[experiment.count++];
                *call = (struct fc_call){buffers.dst + offsets[d], buffers.src + offsets[s],
                                         (size_t)sizes[i]};
                snprintf(cell->group, sizeof cell->group, "%llu", (unsigned long long)sizes[i]);
                snprintf(cell->label, sizeof cell->label, "%zu/%zu", offsets[s], offsets[d]);
                cell->work = call;
                cell->bytes = sizes[i];
            }
    char title[128], plot_text[96];
    const char *routine = contenders->list[ROUTINE].label,
               *baseline = contenders->list[BASELINE].label;
    snprintf(title, sizeof title, "%s by size and misalignment: %s against %s",
             fc_op_name(options->op), routine, baseline);
    snprintf(plot_text, sizeof plot_text, "speed of %s as a multiple of %s", routine, baseline);
    experiment.title = title;
    experiment.plot_text = plot_text;
    int status = fc_experiment_run(&experiment, options);
    free(contenders->list);
    free(experiment.cells);
    free(calls);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_align = {
    .name = "align",
    .run = run,
    .help = "two routines by size and misalignment, in cycles, with the speedup",
    .takes = "sizes skew sort plot",
};
