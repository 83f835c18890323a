/* SPDX-License-Identifier: MIT */
/*
 * overhead: what each way to a kernel adds to a call. Small, predictable calls, where a nanosecond
 * counts; differences in time, not ratios.
 *
 * Each shared object is compared with the same kernel reached through the same object: another copy
 * of it lies at other addresses, and that alone makes a difference.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

static const uint64_t sizes[] = {4, 16, 32, 64, 256};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* The library's own entry, as a program calls it that links libfastcopy.a. */
static fastcopy_function *static_entry(unsigned op) {
    switch (op) {
#define FC_OP(op, family)                                                                          \
    case FC_OP_##op:                                                                               \
        return (fastcopy_function *)fastcopy_##op;
#include "ops.def"
#undef FC_OP
    default:
        return NULL;
    }
}

static fastcopy_function *selected_kernel(const fastcopy_variant *kernels) {
    while (!kernels->selected)
        kernels++;
    return kernels->entry;
}

/* For a function that may not be installed. */
static void add(struct fc_contenders *contenders, const char *label, fastcopy_function *function) {
    if (function != NULL)
        fc_contenders_add(contenders, label, function);
}

static struct fc_contenders gather(const struct fc_bench_options *options) {
    struct fc_contenders contenders = {NULL, 0};
    const char *op = fc_op_name(options->op);
    char entry[64];
    snprintf(entry, sizeof entry, "fastcopy_%s", op);
    fastcopy_function *kernel = selected_kernel(fc_bench_variants(op, NULL));
    fc_contenders_add(&contenders, "kernel", kernel);
    fc_contenders_add(&contenders, "A/A", kernel);
    add(&contenders, ".so entry", fc_product_function(FC_SHARED_LIBRARY, entry));
    add(&contenders, "preload", fc_product_function("libfastcopy_preload.so", op));
    add(&contenders, "empty", fc_empty_function(options->op));

    /* The static form, near the caller: against the kernel there. */
    unsigned reference = (unsigned)contenders.count;
    fc_contenders_add(&contenders, ".a kernel", selected_kernel(fastcopy_variants(op, NULL)));
    fc_contenders_add(&contenders, ".a entry", static_entry(options->op))->reference = reference;
    return contenders;
}

static int run(const struct fc_bench_options *options) {
    static unsigned char src[64] __attribute__((aligned(64))), dst[64] __attribute__((aligned(64)));
    struct fc_call calls[SIZES];
    struct fc_cell cells[SIZES] = {0};
    for (size_t i = 0; i < SIZES; i++) {
        calls[i] = (struct fc_call){dst, src, sizes[i]};
        snprintf(cells[i].group, sizeof cells[i].group, "predictable");
        snprintf(cells[i].label, sizeof cells[i].label, "%s", fc_size_text(sizes[i]).text);
        cells[i].work = &calls[i];
        cells[i].bytes = sizes[i];
    }
    struct fc_experiment experiment = {
        .mode = "overhead",
        .title = "What each way into the library adds to a call of the kernel itself (.a entry: to "
                 ".a kernel)",
        .group_name = "calls",
        .label_name = "size",
        .body = fc_op_sets(options->op) ? fc_body_set : fc_body_copy,
        .contenders = gather(options),
        .cells = cells,
        .count = SIZES,
        .rounds = 101,
        .slice = 200000,
        .as_difference = true,
        .time_unit = "ns",
    };
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    return status;
}

const struct fc_bench_mode fc_mode_overhead = {
    .name = "overhead",
    .run = run,
    .help = "what a call costs on each way into the library",
};
