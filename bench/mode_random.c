/* SPDX-License-Identifier: MIT */
/*
 * random: sizes and addresses that the processor cannot foresee, which is what a fixed size in a
 * loop hides. Each row is one pass through a sequence of calls that was drawn beforehand:
 *
 * unpredictable  so long that no predictor remembers it
 * repeating      a few calls again and again, in an array as long as the other: what differs
 *                between the two is prediction, nothing else
 * in order       calls that a program made, as recorded; then those of one size class alone
 *
 * Every contender makes the same calls. Sources and destinations start in one page each, so that
 * all but the largest copies stay in the first cache.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory.h"
#include "mix.h"
#include "order.h"

enum {
    LENGTH = 1 << 16, /* of the sequences: some 200 000 branches that depend on a size */
    PERIOD = 16,
    ROUNDS = 15,
    BRIEF_ROUNDS = 5
};

/* ---- rows ----------------------------------------------------------------------------------- */

struct table {
    struct fc_cell *cells;
    struct fc_sequence *sequences; /* of each cell that is raced */
    size_t count;
    uint32_t largest;
};

static void add_row(struct table *table, const char *group, const char *label,
                    const struct fc_draw *draws, size_t length) {
    struct fc_cell *cell = &table->cells[table->count];
    uint64_t bytes = 0;
    for (size_t i = 0; i < length; i++) {
        bytes += draws[i].size;
        table->largest = draws[i].size > table->largest ? draws[i].size : table->largest;
    }
    table->sequences[table->count] = (struct fc_sequence){.draws = draws, .end = draws + length};
    snprintf(cell->group, sizeof cell->group, "%s", group);
    snprintf(cell->label, sizeof cell->label, "%s", label);
    cell->work = &table->sequences[table->count++];
    cell->calls = length;
    cell->bytes = (bytes + length / 2) / length; /* the mean */
}

static void add_mean(struct table *table, const char *group, size_t rows) {
    struct fc_cell *cell = &table->cells[table->count++];
    snprintf(cell->group, sizeof cell->group, "%s", group);
    snprintf(cell->label, sizeof cell->label, "mean");
    cell->mean_of = rows;
}

static void add_group(struct table *table, const char *group, const struct fc_mix *mixes,
                      size_t count, size_t period, struct fc_draw *draws, uint64_t *random) {
    for (size_t i = 0; i < count; i++) {
        fc_mix_draw(&mixes[i], &draws[i * LENGTH], LENGTH, period, random);
        add_row(table, group, mixes[i].name, &draws[i * LENGTH], LENGTH);
    }
    if (count > 1)
        add_mean(table, group, count);
}

/* The recorded calls of operations that have the same kernels as the one that is raced. */
static struct fc_draw *read_order(const struct fc_bench_options *options, size_t *count) {
    struct fc_order order = fc_order_read(options->order);
    struct fc_draw *draws = fc_allocate(order.count, sizeof *draws);
    *count = 0;
    for (size_t i = 0; i < order.count; i++) {
        const struct fc_order_call *call = &order.calls[i];
        if (call->op >= FC_OP_COUNT || fc_op_family(call->op) != fc_op_family(options->op))
            continue;
        if (call->size > UINT32_MAX)
            fc_usage_error(&fc_command_bench, "--order: %s: %llu bytes at once are too many",
                           options->order, (unsigned long long)call->size);
        draws[(*count)++] = (struct fc_draw){(uint32_t)call->size, call->src % FC_DRAW_OFFSETS,
                                             call->dst % FC_DRAW_OFFSETS};
    }
    free(order.calls);
    if (*count == 0)
        fc_usage_error(&fc_command_bench, "--order: %s has no call of %s", options->order,
                       fc_family_name(fc_op_family(options->op)));
    return draws;
}

/* Upper bounds of the size classes; those are what a sweep is for a recording. */
static const uint32_t classes[] = {16, 64, 256, 1024, 4096, 16384, 65536, UINT32_MAX};
enum { CLASSES = sizeof classes / sizeof *classes };

/* The calls of each class, in their order, in `apart`, which has room for all. */
static void add_order(struct table *table, const struct fc_draw *ordered, size_t count,
                      struct fc_draw *apart) {
    add_row(table, "in order", "recorded", ordered, count);
    for (size_t i = 0; i < CLASSES; i++) {
        uint32_t above = i > 0 ? classes[i - 1] : 0;
        size_t length = 0;
        for (size_t k = 0; k < count; k++)
            if (ordered[k].size <= classes[i] && (ordered[k].size > above || i == 0))
                apart[length++] = ordered[k];
        char label[48];
        snprintf(label, sizeof label, "to %s",
                 i + 1 < CLASSES ? fc_size_text(classes[i]).text : "4G");
        if (length > 0)
            add_row(table, "in order", label, apart, length);
        apart += length;
    }
}

/* ---- the mode ------------------------------------------------------------------------------- */

int fc_replay(const struct fc_bench_options *options, const char *mode) {
    /* Files, or a recording, or the built-in ones. */
    bool builtin = options->size_file_count == 0 && options->order == NULL;
    size_t count = builtin ? FC_MIXES : options->size_file_count;
    uint64_t random = options->seed;
    struct fc_mix *mixes = fc_allocate(count, sizeof *mixes);
    for (size_t i = 0; i < count; i++)
        mixes[i] = builtin ? fc_mix_builtin((unsigned)i) : fc_mix_read(options->size_files[i]);

    size_t rows = 2 * (count + 1) + 1 + CLASSES;
    struct table table = {.cells = fc_allocate(rows, sizeof *table.cells),
                          .sequences = fc_allocate(rows, sizeof *table.sequences)};
    struct fc_draw *draws = fc_allocate(2 * count * LENGTH, sizeof *draws), *ordered = NULL,
                   *apart = NULL;
    add_group(&table, "unpredictable", mixes, count, LENGTH, draws, &random);
    add_group(&table, "repeating", mixes, count, PERIOD, draws + count * LENGTH, &random);
    if (options->order != NULL) {
        size_t length;
        ordered = read_order(options, &length);
        apart = fc_allocate(length, sizeof *apart);
        add_order(&table, ordered, length, apart);
    }

    struct fc_buffers buffers = fc_buffers_map(options, table.largest + (uint64_t)FC_DRAW_OFFSETS);
    for (size_t i = 0; i < table.count; i++) {
        table.sequences[i].dst = buffers.dst - options->skew; /* offsets are those in a page */
        table.sequences[i].src = buffers.src;
    }
    char title[96];
    snprintf(title, sizeof title, "%s of unpredictable sizes and alignments: ns per call",
             fc_op_name(options->op));
    struct fc_experiment experiment = {
        .mode = mode,
        .title = title,
        .group_name = "sequence",
        .label_name = "sizes",
        .body = fc_op_sets(options->op) ? fc_body_sequence_set : fc_body_sequence,
        .contenders = fc_contenders_gather(options),
        .cells = table.cells,
        .count = table.count,
        .rounds = options->brief ? BRIEF_ROUNDS : ROUNDS,
        .slice = 200000,
        .time_unit = "ns",
    };
    fc_contenders_verify(&experiment.contenders, options->op, buffers.dst, buffers.src,
                         table.largest);
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    fc_buffers_unmap(&buffers);
    free(apart);
    free(ordered);
    free(draws);
    free(table.sequences);
    free(table.cells);
    for (size_t i = 0; i < count; i++)
        fc_mix_free(&mixes[i]);
    free(mixes);
    return status;
}

static int run(const struct fc_bench_options *options) {
    return fc_replay(options, "random");
}

const struct fc_bench_mode fc_mode_random = {
    .name = "random",
    .run = run,
    .help = "unpredictable sizes and alignments, by distribution",
    .takes = "sizes order",
    .size_files = true,
};
