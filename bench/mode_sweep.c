/* SPDX-License-Identifier: MIT */
/*
 * sweep: the same call again and again, by size. It shows what a kernel can do where every branch
 * is predicted and the data is where the size lets it be; it hides what unpredictable sizes cost.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "limit_levels.h"
#include "memory.h"

/* Offsets of source and destination; 7 and 29 share no alignment with any vector or line. */
static const struct alignment {
    const char *name;
    size_t src, dst;
} alignments[] = {{"aligned", 0, 0}, {"misaligned", 7, 29}};
enum { ALIGNMENTS = sizeof alignments / sizeof *alignments };

/* From this size on people think in GB/s. */
enum { SPEED_FROM = 4096 };

/* Sizes of the sweep, ending with 0. */
static size_t choose_sizes(const struct fc_bench_options *options, uint64_t sizes[65]) {
    size_t count = 0;
    if (options->sizes != NULL)
        for (; count < 64 && options->sizes[count] != 0; count++)
            sizes[count] = options->sizes[count];
    else
        for (uint64_t size = 16; size <= UINT64_C(1) << 40 && count < 64; size *= 4)
            if (size >= options->min && size <= options->max)
                sizes[count++] = size;
    return count;
}

static int run(const struct fc_bench_options *options) {
    if (options->order != NULL) {
        if (options->sizes != NULL)
            fc_usage_error(&fc_command_bench, "--order has sizes of its own: not with --sizes");
        return fc_replay(options, "sweep");
    }
    uint64_t sizes[65], largest = 0;
    size_t count = choose_sizes(options, sizes);
    if (count == 0)
        fc_usage_error(&fc_command_bench, "no size from --min to --max");
    for (size_t i = 0; i < count; i++)
        largest = sizes[i] > largest ? sizes[i] : largest;

    struct fc_buffers buffers = fc_buffers_map(options, largest);
    struct fc_limits limits = {.count = 0};
    if (options->of_limit)
        limits = fc_limits_measure(options);
    bool set = fc_op_sets(options->op);
    struct fc_experiment experiment = {
        .mode = "sweep",
        .group_name = "alignment",
        .label_name = "size",
        .body = set ? fc_body_set : fc_body_copy,
        .contenders = fc_contenders_gather(options),
        .cells = fc_allocate(count * ALIGNMENTS, sizeof *experiment.cells),
        .rounds = 31,
        .slice = 200000,
        .time_unit = "ns",
        .plot = FC_PLOT_LINES,
    };
    struct fc_call *calls = fc_allocate(count * ALIGNMENTS, sizeof *calls);
    for (size_t a = 0; a < ALIGNMENTS; a++)
        for (size_t i = 0; i < count; i++) {
            struct fc_call *call = &calls[experiment.count];
            struct fc_cell *cell = &experiment.cells[experiment.count++];
            unsigned char *src = buffers.src + alignments[a].src;
            unsigned char *dst = buffers.dst + alignments[a].dst;
            *call = (struct fc_call){dst, src, sizes[i]};
            snprintf(cell->group, sizeof cell->group, "%s", alignments[a].name);
            snprintf(cell->label, sizeof cell->label, "%s", fc_size_text(sizes[i]).text);
            cell->work = call;
            cell->bytes = sizes[i];
            cell->as_speed = sizes[i] >= SPEED_FROM;
            if (cell->as_speed) /* a short copy's time is not that of moving bytes */
                cell->limit = fc_limits_of(&limits, options->op, sizes[i]);
            fc_contenders_verify(&experiment.contenders, options->op, dst, src, sizes[i]);
        }
    char title[128];
    snprintf(title, sizeof title, "%s by size: the same call repeated", fc_op_name(options->op));
    experiment.title = title;

    uint64_t random = options->seed;
    const struct fc_race empty = {
        .body = experiment.body, .work = &calls[0], .slice = experiment.slice, .random = &random};
    const struct fc_contender nothing = {.function = fc_empty_function(options->op)};
    if (nothing.function != NULL)
        experiment.empty_call = fc_race_probe(&empty, &nothing);
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    free(experiment.cells);
    free(calls);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_sweep = {
    .name = "sweep",
    .run = run,
    .help = "speed by size, aligned and misaligned, against a baseline",
    .takes = "sizes min max skew of-limit plot order",
};
