/* SPDX-License-Identifier: MIT */
/*
 * latency: how long a copy keeps the one waiting who needs its result. Loops of independent copies
 * hide that: the processor works on many of them at once. A load that reads what a store just wrote
 * gets it from the store buffer if that one store covers it whole, in a few cycles; if not, it
 * waits until the stores are in the cache.
 *
 * chain  write 8 bytes, copy n, read the 8 back: at the start of the copied bytes, or at their end,
 *        for a kernel may write the two in different ways
 * ping   copy n there and back: each copy reads what the one before wrote
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* Multiples of 8, so that the words at both ends are aligned. */
static const uint64_t sizes[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

static int run(const struct fc_bench_options *options) {
    enum { KINDS = 3 };
    static const struct {
        const char *group;
        fc_body *body;
        bool at_end;
    } kinds[KINDS] = {{"chain first 8", fc_body_chain, false},
                      {"chain last 8", fc_body_chain, true},
                      {"ping", fc_body_ping, false}};
    fc_require_copy(options, "latency");
    struct fc_buffers buffers = fc_buffers_map(options, sizes[SIZES - 1]);
    struct fc_chain chains[KINDS * SIZES];
    struct fc_cell cells[KINDS * SIZES] = {0};
    for (size_t i = 0; i < KINDS * SIZES; i++) {
        size_t kind = i / SIZES, n = sizes[i % SIZES];
        chains[i] = (struct fc_chain){
            .src = buffers.src, .dst = buffers.dst, .n = n, .at = kinds[kind].at_end ? n - 8 : 0};
        snprintf(cells[i].group, sizeof cells[i].group, "%s", kinds[kind].group);
        snprintf(cells[i].label, sizeof cells[i].label, "%s", fc_size_text(n).text);
        cells[i].work = &chains[i];
        cells[i].body = kinds[kind].body;
    }
    struct fc_experiment experiment = {
        .mode = "latency",
        .title = "Chains of copies that wait for each other: time per turn",
        .group_name = "chain",
        .label_name = "size",
        .contenders = fc_contenders_gather(options),
        .cells = cells,
        .count = KINDS * SIZES,
        .rounds = options->brief ? 7 : 21,
        .slice = 100000,
        .time_unit = "ns",
    };
    fc_contenders_verify(&experiment.contenders, options->op, buffers.dst, buffers.src,
                         sizes[SIZES - 1]);
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_latency = {
    .name = "latency",
    .run = run,
    .help = "chains of copies that wait for each other: store forwarding",
};
