/* SPDX-License-Identifier: MIT */
/*
 * consumer: what a copy costs the one who comes after it. A copy that streams past the caches may
 * look fast alone, and then the reader waits for memory; one that fills the caches may drive out
 * what the program works with. Of all kernels, streaming ones too:
 *
 * copy alone          the copy, again and again
 * copy + read dst     the same, and all of dst is read
 * copy + read other   the same, and another buffer is read that had fitted into the second cache
 *
 * What the reader pays is a row's difference from the copy alone.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "dispatch.h"
#include "loops.h"
#include "memory.h"

static const uint64_t all_sizes[] = {64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 0};
static const uint64_t brief_sizes[] = {64 << 10, 4 << 20, 0};

struct work {
    struct fc_call copy;
    const void *read; /* NULL: nothing */
    size_t size;
};

static FC_BODY void body(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct work *this = work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    fc_loop_function *read = fc_loops()->loops[FC_LOOP_load];
    while (calls-- > 0) {
        function(this->copy.dst, this->copy.src, this->copy.n);
        if (this->read != NULL)
            read(NULL, this->read, this->size);
    }
}

/* Copies that stream belong here whatever the operation is. */
static void add_streaming(struct fc_contenders *contenders) {
    size_t count;
    const fastcopy_variant *kernel = fc_bench_variants("memcpy_nt", &count);
    for (; count-- > 0; kernel++) {
        char label[24];
        snprintf(label, sizeof label, "nt %s", kernel->name);
        if (kernel->selected)
            fc_contenders_add(contenders, label, kernel->entry);
    }
}

static int run(const struct fc_bench_options *options) {
    static const char *const groups[] = {"copy alone", "copy + read dst", "copy + read other"};
    enum { GROUPS = 3, READABLE = 256 /* a loop's turn */ };
    fc_require_copy(options, "consumer");
    const uint64_t *sizes = options->sizes != NULL ? options->sizes
                            : options->brief       ? brief_sizes
                                                   : all_sizes;
    uint64_t largest = 0, other_size = options->other;
    size_t count = 0;
    for (; sizes[count] != 0; count++)
        largest = sizes[count] > largest ? sizes[count] : largest;
    if (other_size == 0)
        other_size = fc_dispatch_state()->policy.cache[FC_L2].size / 2;
    if (other_size < READABLE)
        other_size = 256 << 10; /* no second cache is known of */

    struct fc_buffers buffers = fc_buffers_map(options, largest);
    void *other = fc_memory_map(other_size, options->huge);
    if (other == NULL)
        fc_usage_error(&fc_command_bench, "--other: a buffer of %s does not fit into memory",
                       fc_size_text(other_size).text);
    struct work *works = fc_allocate(GROUPS * count, sizeof *works);
    char title[128];
    snprintf(title, sizeof title, "A copy, and reading after it; the other buffer has %s",
             fc_size_text(other_size).text);
    struct fc_experiment experiment = {
        .mode = "consumer",
        .title = title,
        .group_name = "then",
        .label_name = "size",
        .body = body,
        .contenders = fc_contenders_gather(options),
        .cells = fc_allocate(GROUPS * count, sizeof *experiment.cells),
        .count = GROUPS * count,
        .rounds = 11,
        .slice = 200000,
        .time_unit = "us",
    };
    if (options->op != FC_OP_memcpy_nt)
        add_streaming(&experiment.contenders);
    for (size_t i = 0; i < GROUPS * count; i++) {
        size_t group = i / count, n = sizes[i % count];
        struct fc_cell *cell = &experiment.cells[i];
        unsigned char *dst = buffers.dst - options->skew % 64; /* aligned, to be read by vectors */
        works[i].copy = (struct fc_call){dst, buffers.src, n};
        works[i].read = group == 0 ? NULL : group == 1 ? dst : other;
        works[i].size = (group == 1 ? n : other_size) / READABLE * READABLE;
        snprintf(cell->group, sizeof cell->group, "%s", groups[group]);
        snprintf(cell->label, sizeof cell->label, "%s", fc_size_text(n).text);
        cell->work = &works[i];
        cell->bytes = n;
    }
    fc_contenders_verify(&experiment.contenders, options->op, buffers.dst, buffers.src, sizes[0]);
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    free(experiment.cells);
    free(works);
    fc_memory_unmap(other, other_size);
    fc_buffers_unmap(&buffers);
    return status;
}

const struct fc_bench_mode fc_mode_consumer = {
    .name = "consumer",
    .run = run,
    .help = "a copy, and what it costs to read its destination or another buffer after it",
    .takes = "sizes skew other",
};
