/* SPDX-License-Identifier: MIT */
/*
 * blocks: data on its way through a pipe, by block size, as `dd bs=...` moves it: each block is
 * written into a ring buffer, piece by piece where it is larger than the ring, and read out again.
 * No system calls: only the copies that they would do.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* What a pipe holds on Linux. */
enum { RING = 64 << 10 };

struct pipe {
    unsigned char *in, *out; /* the writer's block, the reader's */
    unsigned char *ring;
    size_t block;
};

/* How much fits in one piece at this place in the ring. */
static size_t piece(size_t place, size_t left) {
    size_t room = RING - place % RING;
    return left < room ? left : room;
}

/* As much as the ring takes goes in, then all of it comes out, until the block is through. */
static __attribute__((noinline, aligned(64))) void body(const struct fc_contender *contender,
                                                        const void *work, uint64_t calls) {
    const struct pipe pipe = *(const struct pipe *)work;
    fc_copy_function *copy = (fc_copy_function *)contender->function;
    size_t written = 0, read = 0; /* since the first block; they go round the ring */
    for (; calls > 0; calls--)
        for (size_t in = 0, out = 0; out < pipe.block;) {
            while (in < pipe.block && written - read < RING) {
                size_t room = RING - (written - read), left = pipe.block - in;
                size_t n = piece(written, left < room ? left : room);
                copy(pipe.ring + written % RING, pipe.in + in, n);
                written += n;
                in += n;
            }
            while (read < written) {
                size_t n = piece(read, written - read);
                copy(pipe.out + out, pipe.ring + read % RING, n);
                read += n;
                out += n;
            }
        }
}

/* Are the copies what a pipe would do? */
static void verify(const struct fc_experiment *experiment, const struct pipe *pipe) {
    for (size_t i = 0; i < experiment->contenders.count; i++) {
        memset(pipe->out, 0xa5, pipe->block);
        body(&experiment->contenders.list[i], pipe, 3);
        if (memcmp(pipe->in, pipe->out, pipe->block) != 0)
            fc_usage_error(&fc_command_bench, "%s is wrong: a block came out changed",
                           experiment->contenders.list[i].label);
    }
}

static int run(const struct fc_bench_options *options) {
    static const uint64_t all_sizes[] = {4 << 10,   8 << 10,   16 << 10,  32 << 10, 64 << 10,
                                         128 << 10, 256 << 10, 512 << 10, 1 << 20,  0},
                          brief_sizes[] = {4 << 10, 64 << 10, 1 << 20, 0};
    fc_require_copy(options, "blocks");
    const uint64_t *sizes = options->sizes != NULL ? options->sizes
                            : options->brief       ? brief_sizes
                                                   : all_sizes;
    uint64_t largest = 0;
    size_t count = 0;
    for (; sizes[count] != 0; count++)
        largest = sizes[count] > largest ? sizes[count] : largest;
    struct fc_buffers buffers = fc_buffers_map(options, largest);
    unsigned char *ring = fc_memory_map(RING, options->huge);
    if (ring == NULL)
        fc_usage_error(&fc_command_bench, "no memory for a ring buffer");
    struct fc_experiment experiment = {
        .mode = "blocks",
        .group_name = "way",
        .label_name = "block",
        .body = body,
        .contenders = fc_contenders_gather(options),
        .cells = fc_allocate(count, sizeof *experiment.cells),
        .count = count,
        .rounds = 31,
        .slice = 500000,
        .time_unit = "us",
    };
    struct pipe *pipes = fc_allocate(count, sizeof *pipes);
    for (size_t i = 0; i < count; i++) {
        struct fc_cell *cell = &experiment.cells[i];
        pipes[i] = (struct pipe){buffers.src, buffers.dst, ring, (size_t)sizes[i]};
        snprintf(cell->group, sizeof cell->group, "ring");
        snprintf(cell->label, sizeof cell->label, "%s", fc_size_text(sizes[i]).text);
        cell->work = &pipes[i];
        cell->bytes = sizes[i];
        cell->as_speed = true;
        verify(&experiment, &pipes[i]);
    }
    char title[128];
    snprintf(title, sizeof title,
             "%s through a pipe's ring buffer of %s, by block: into it and out of it, counted once",
             fc_op_name(options->op), fc_size_text(RING).text);
    experiment.title = title;
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    free(experiment.cells);
    free(pipes);
    fc_memory_unmap(ring, RING);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_blocks = {
    .name = "blocks",
    .run = run,
    .help = "blocks of 4K to 1M through a pipe's buffer, as dd copies them",
    .takes = "sizes skew",
};
