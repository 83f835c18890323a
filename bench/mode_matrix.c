/* SPDX-License-Identifier: MIT */
/*
 * matrix: the classic three cases, by size and alignment, one row a routine, in MB/s: the layout in
 * which the memcpy of the Cell was reported in 2008.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const struct place {
    const char *name;
    bool dst_moves, src_moves;
} places[] = {{"memory to memory", true, true},
              {"cache to memory", true, false},
              {"cache to cache", false, false}};
enum { PLACES = sizeof places / sizeof *places };

static const uint64_t classic_sizes[] = {16 << 20, 300 << 10, 64 << 10, 16 << 10, 4096, 2048,
                                         1024,     512,       384,      256,      150,  128,
                                         100,      64,        32,       16,       0};
static const uint64_t brief_sizes[] = {16 << 20, 64 << 10, 4096, 512, 64, 0};

/* Page offsets of source and destination. */
static const struct alignment {
    size_t src, dst;
} alignments[] = {{0, 0}, {0, 4092}, {7, 0}, {0, 7}, {17, 11}};
enum { ALIGNMENTS = sizeof alignments / sizeof *alignments };

enum {
    PAGE = 4096,
    LINE =
        128 /* the longest of any CPU here: pointers move by whole ones, so that alignment stays */
};

static void print_block(const struct fc_experiment *experiment, const struct fc_cell *cells,
                        size_t count) {
    printf("\n%-24s", cells[0].group);
    for (size_t i = 0; i < count; i++)
        printf(" %6s", cells[i].label);
    putchar('\n');
    for (size_t k = 0; k < experiment->contenders.count; k++) {
        const struct fc_contender *contender = &experiment->contenders.list[k];
        printf("%23s%c", contender->label, contender->selected ? '*' : ' ');
        for (size_t i = 0; i < count && cells[i].runs > 0; i++)
            printf(" %6.0f", 1000 * (double)cells[i].bytes / cells[i].results[k].times.median);
        putchar('\n');
    }
}

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    (void)options;
    printf("MB/s (10^6 bytes copied). *: the library's choice. 7-0: source at 7, destination at 0 "
           "of a page.\n");
    for (size_t i = 0, count; i < experiment->count && experiment->cells[i].runs > 0; i += count) {
        const struct fc_cell *first = &experiment->cells[i];
        count = 1;
        while (i + count < experiment->count && strcmp(first[count].group, first->group) == 0)
            count++;
        print_block(experiment, first, count);
    }
}

/* Where the next call of a cell goes. One turn serves all cells: they run one at a time. */
static struct fc_walk walk(const struct place *place, const struct fc_call *call, size_t span) {
    static uint64_t turn;
    size_t step = (call->n + LINE - 1) / LINE * LINE;
    bool moves = place->dst_moves || place->src_moves;
    return (struct fc_walk){
        .call = *call,
        .dst_step = place->dst_moves ? step : 0,
        .src_step = place->src_moves ? step : 0,
        .turns = moves ? span / step : 1,
        .turn = &turn,
    };
}

static int run(const struct fc_bench_options *options) {
    fc_require_copy(options, "matrix");
    const uint64_t *sizes = options->sizes != NULL ? options->sizes
                            : options->brief       ? brief_sizes
                                                   : classic_sizes;
    size_t count = 0, span = fc_memory_span();
    for (; sizes[count] != 0; count++)
        span = sizes[count] > span ? (size_t)sizes[count] : span;
    span = (span + LINE - 1) / LINE * LINE;
    size_t half = (span / PAGE + 3) * PAGE;
    unsigned char *memory = span <= SIZE_MAX / 4 ? fc_memory_map(2 * half, options->huge) : NULL;
    if (memory == NULL)
        fc_usage_error(&fc_command_bench, "two buffers of %s do not fit into memory",
                       fc_size_text(span).text);

    struct fc_experiment experiment = {
        .mode = "matrix",
        .group_name = "case and alignment",
        .label_name = "size",
        .body = fc_body_walk,
        .contenders = fc_contenders_gather(options),
        .cells = fc_allocate(PLACES * ALIGNMENTS * count, sizeof *experiment.cells),
        .rounds = 15,
        .slice = 200000,
        .time_unit = "ns",
        .print_text = print_text,
    };
    fc_contenders_verify(&experiment.contenders, options->op, memory + half, memory, PAGE);
    struct fc_walk *walks = fc_allocate(PLACES * ALIGNMENTS * count, sizeof *walks);
    for (size_t p = 0; p < PLACES; p++)
        for (size_t a = 0; a < ALIGNMENTS; a++)
            for (size_t i = 0; i < count; i++) {
                struct fc_cell *cell = &experiment.cells[experiment.count];
                const struct fc_call call = {memory + half + alignments[a].dst,
                                             memory + alignments[a].src, (size_t)sizes[i]};
                walks[experiment.count] = walk(&places[p], &call, span);
                snprintf(cell->group, sizeof cell->group, "%s %zu-%zu", places[p].name,
                         alignments[a].src, alignments[a].dst);
                snprintf(cell->label, sizeof cell->label, "%s", fc_size_text(sizes[i]).text);
                cell->work = &walks[experiment.count++];
                cell->bytes = sizes[i];
                cell->as_speed = true;
            }
    char title[160];
    snprintf(title, sizeof title,
             "%s from memory to memory (both pointers move through %s), cache to memory (the "
             "destination moves)\nand cache to cache (neither moves)",
             fc_op_name(options->op), fc_size_text(span).text);
    experiment.title = title;
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    free(experiment.cells);
    free(walks);
    fc_memory_unmap(memory, 2 * half);
    return status;
}

const struct fc_bench_mode fc_mode_matrix = {
    .name = "matrix",
    .run = run,
    .help = "the classic three cases by size and alignment, a row for each routine",
    .takes = "sizes",
};
