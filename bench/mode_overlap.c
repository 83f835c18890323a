/* SPDX-License-Identifier: MIT */
/*
 * overlap: memmove within one buffer, by direction and distance. Forward: to lower addresses, where
 * copying from the start is right; backward: to higher ones, where it must be from the end. At a
 * distance shorter than a vector, loads read what was just stored.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

static const uint64_t all_sizes[] = {64, 1024, 16384, 1 << 20, 0};
static const uint64_t brief_sizes[] = {1024, 0};
enum { HALF = 0, SPEED_FROM = 4096 };
static const uint64_t distances[] = {1, 8, 16, 63, 64, 256, 4096, HALF};
enum { DISTANCES = sizeof distances / sizeof *distances };

static int run(const struct fc_bench_options *given) {
    struct fc_bench_options options = *given;
    if (options.op == FC_OP_memcpy) /* the default, which need not allow overlap */
        options.op = FC_OP_memmove;
    if (fc_op_family(options.op) != FC_FAMILY_memmove)
        fc_usage_error(&fc_command_bench, "overlap: %s is not made for it", fc_op_name(options.op));
    const uint64_t *sizes = options.sizes != NULL ? options.sizes
                            : options.brief       ? brief_sizes
                                                  : all_sizes;
    uint64_t largest = 0;
    size_t count = 0;
    for (; sizes[count] != 0; count++)
        largest = sizes[count] > largest ? sizes[count] : largest;

    struct fc_buffers buffers = fc_buffers_map(&options, largest); /* used as one */
    struct fc_call *calls = fc_allocate(2 * count * DISTANCES, sizeof *calls);
    struct fc_experiment experiment = {
        .mode = "overlap",
        .title = "memmove within one buffer, by distance between source and destination",
        .group_name = "direction",
        .label_name = "apart",
        .body = fc_body_copy,
        .contenders = fc_contenders_gather(&options),
        .cells = fc_allocate(2 * count * DISTANCES, sizeof *experiment.cells),
        .rounds = 15,
        .slice = 100000,
        .time_unit = "ns",
    };
    for (size_t i = 0; i < 2 * count * DISTANCES; i++) {
        uint64_t n = sizes[i / DISTANCES / 2], apart = distances[i % DISTANCES];
        bool backward = i / DISTANCES % 2 != 0;
        if (apart == n / 2 || apart >= n) /* half of the size comes last; too far */
            continue;
        if (apart == HALF)
            apart = n / 2;
        unsigned char *low = buffers.memory, *high = low + apart;
        unsigned char *dst = backward ? high : low, *src = backward ? low : high;
        struct fc_call *call = &calls[experiment.count];
        struct fc_cell *cell = &experiment.cells[experiment.count++];
        *call = (struct fc_call){dst, src, n};
        snprintf(cell->group, sizeof cell->group, "%s %s", fc_size_text(n).text,
                 backward ? "backward" : "forward");
        snprintf(cell->label, sizeof cell->label, "%s", fc_size_text(apart).text);
        cell->work = call;
        cell->bytes = n;
        cell->as_speed = n >= SPEED_FROM;
        fc_contenders_verify(&experiment.contenders, options.op, dst, src, n);
    }
    int status = fc_experiment_run(&experiment, &options);
    free(experiment.contenders.list);
    free(experiment.cells);
    free(calls);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_overlap = {
    .name = "overlap",
    .run = run,
    .help = "memmove within one buffer, by direction and distance",
    .takes = "sizes",
};
