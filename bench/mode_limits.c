/* SPDX-License-Identifier: MIT */
/*
 * limits: the ceilings that a copy cannot break through: the plainest loops (loops.h) on buffers
 * that fit each level of the caches. Copies count the bytes copied, not those read and written.
 */
#include "limit_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dispatch.h"
#include "info.h"
#include "loops.h"
#include "memory.h"

static FC_BODY void body(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct fc_call call = *(const struct fc_call *)work;
    fc_loop_function *loop = fc_loops()->loops[*(const enum fc_loop *)contender->data];
    while (calls-- > 0)
        loop(call.dst, call.src, call.n);
}

/* ---- levels --------------------------------------------------------------------------------- */

struct level {
    const char *name;
    uint64_t size; /* of the cache; UINT64_MAX: memory */
    size_t n;      /* of each of the two buffers */
};

/* Down to what the loops can take. */
static size_t whole(uint64_t n) {
    return (size_t)n / 4096 * 4096;
}

static size_t find_levels(struct level levels[FC_LIMIT_LEVELS]) {
    const struct fc_cache *caches = fc_dispatch_state()->policy.cache;
    size_t count = 0, span = fc_memory_span();
    uint64_t below = 0;
    for (size_t i = 0; i < FC_CACHE_LEVELS; i++) {
        uint64_t size = caches[i].size;
        /* Both buffers together fill half of it, or, if that is less, four times the level below:
         * of a large cache the machine may own a small part. */
        uint64_t n = below > 0 && 2 * below < size / 4 ? 2 * below : size / 4;
        if (size == 0 || whole(n) == 0 || 2 * n <= below)
            continue;
        levels[count++] = (struct level){fc_info_levels[i], size, whole(n)};
        below = size;
    }
    while (!fc_memory_fits(3 * (uint64_t)span))
        span /= 2;
    levels[count++] = (struct level){"memory", UINT64_MAX, whole(span)};
    return count;
}

/* ---- the experiment ------------------------------------------------------------------------- */

struct bench {
    struct fc_experiment experiment;
    struct level levels[FC_LIMIT_LEVELS];
    struct fc_call calls[FC_LIMIT_LEVELS];
    struct fc_cell cells[FC_LIMIT_LEVELS];
    struct fc_buffers buffers;
    char title[96];
};

static const enum fc_loop kinds[] = {
#define FC_LOOP(name, label) FC_LOOP_##name,
    FC_LOOP_LIST
#undef FC_LOOP
};

static struct fc_contenders gather(void) {
    static const char *const labels[] = {
#define FC_LOOP(name, label) label,
        FC_LOOP_LIST
#undef FC_LOOP
    };
    struct fc_contenders contenders = {NULL, 0};
    for (size_t i = 0; i < FC_LOOPS; i++) {
        if (fc_loops()->loops[i] == NULL)
            continue;
        fc_contenders_add(&contenders, labels[i], NULL)->data = &kinds[i];
        if (contenders.count == 1)
            fc_contenders_add(&contenders, "A/A", NULL)->data = &kinds[i];
    }
    return contenders;
}

static void prepare(struct bench *bench, const struct fc_bench_options *options) {
    size_t count = find_levels(bench->levels);
    bench->buffers = fc_buffers_map(options, bench->levels[count - 1].n);
    for (size_t i = 0; i < count; i++) {
        const struct level *level = &bench->levels[i];
        struct fc_cell *cell = &bench->cells[i];
        /* Aligned, whatever the skew. */
        unsigned char *dst = bench->buffers.dst - options->skew % 64;
        bench->calls[i] = (struct fc_call){dst, bench->buffers.src, level->n};
        snprintf(cell->group, sizeof cell->group, "by level");
        snprintf(cell->label, sizeof cell->label, "%s %s", level->name,
                 fc_size_text(level->n).text);
        cell->work = &bench->calls[i];
        cell->bytes = level->n;
        cell->as_speed = true;
    }
    snprintf(bench->title, sizeof bench->title,
             "The limits of this machine: loops of %u-byte vectors on buffers of each level",
             fc_loops()->width);
    bench->experiment = (struct fc_experiment){
        .mode = "limits",
        .title = bench->title,
        .group_name = "limits",
        .label_name = "buffers",
        .body = body,
        .contenders = gather(),
        .cells = bench->cells,
        .count = count,
        .rounds = options->brief ? 3 : 7,
        .slice = 1000000,
        .time_unit = "ns",
    };
}

static void release(struct bench *bench) {
    free(bench->experiment.contenders.list);
    fc_buffers_unmap(&bench->buffers);
}

static int run(const struct fc_bench_options *options) {
    struct bench bench = {.title = ""};
    prepare(&bench, options);
    int status = fc_experiment_run(&bench.experiment, options);
    release(&bench);
    return status;
}

const struct fc_bench_mode fc_mode_limits = {
    .name = "limits",
    .run = run,
    .help = "what this machine can load, store and copy at most, by level",
};

/* ---- for other modes ------------------------------------------------------------------------ */

struct fc_limits fc_limits_measure(const struct fc_bench_options *options) {
    struct fc_bench_options once = *options;
    once.runs = 1;
    once.rounds = 5;
    once.plot = NULL;
    struct bench bench = {.title = ""};
    prepare(&bench, &once);
    fc_experiment_measure(&bench.experiment, &once);
    struct fc_limits limits = {.count = bench.experiment.count};
    for (size_t i = 0; i < limits.count; i++) {
        const struct fc_cell *cell = &bench.cells[i];
        struct fc_limit *limit = &limits.levels[i];
        limit->up_to = bench.levels[i].size;
        for (size_t k = 0; k < bench.experiment.contenders.count && cell->runs > 0; k++) {
            double speed = (double)cell->bytes / cell->results[k].times.min;
            switch (*(const enum fc_loop *)bench.experiment.contenders.list[k].data) {
            case FC_LOOP_store:
            case FC_LOOP_stream:
            case FC_LOOP_rep_store:
                limit->store = fmax(limit->store, speed);
                break;
            case FC_LOOP_copy:
            case FC_LOOP_stream_copy:
            case FC_LOOP_rep_copy:
                limit->copy = fmax(limit->copy, speed);
                break;
            default:
                break;
            }
        }
    }
    fc_experiment_release(&bench.experiment);
    release(&bench);
    return limits;
}

double fc_limits_of(const struct fc_limits *limits, unsigned op, uint64_t n) {
    if (limits->count == 0)
        return 0;
    bool set = fc_op_sets(op);
    size_t level = 0;
    while (level + 1 < limits->count && (set ? n : 2 * n) > limits->levels[level].up_to)
        level++;
    return set ? limits->levels[level].store : limits->levels[level].copy;
}
