/* SPDX-License-Identifier: MIT */
/*
 * pages: what copying and clearing a page costs, hot, cold, and cold and then read, in cycles, in
 * several trials, with the first run apart: the layout in which the page copies of the Athlon were
 * reported in 2001.
 *
 * Every routine that copies or clears takes part, also those that are not for pages alone.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "timer.h"

enum { PAGE = FASTCOPY_PAGE_SIZE, TRIALS = 5, WARM_UP_PAGES = 64 };

struct kind {
    const char *name;
    unsigned op; /* of the baseline */
    fc_body *body;
    const char *ops[5]; /* operations by name: one that this build lacks has no kernels */
};

/*
 * copy_page(dst, src) is called with a third argument and clear_page(dst) with three: a function
 * that expects fewer never looks at the others, in any calling convention that this runs on.
 */
static const struct kind kinds[] = {
    {"copy", FC_OP_memcpy, fc_body_walk, {"memcpy", "memcpy_nt", "copy_page", "copy_page_nt"}},
    {"clear",
     FC_OP_memset,
     fc_body_walk_clear,
     {"memset", "memset_nt", "clear_page", "clear_page_nt"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct fc_contenders gather(const struct kind *kind,
                                   const struct fc_bench_options *options) {
    struct fc_contenders contenders = {NULL, 0};
    fastcopy_function *libc = fc_libc_function(kind->ops[0]);
    fc_contenders_add(&contenders, "libc", libc);
    fc_contenders_add(&contenders, "A/A", libc);
    for (const char *const *op = kind->ops; *op != NULL; op++) {
        size_t count = 0;
        const fastcopy_variant *kernel = fc_bench_variants(*op, &count);
        for (; count-- > 0; kernel++) {
            char label[64];
            snprintf(label, sizeof label, "%s %s", *op, kernel->name);
            if (kernel->usable && fc_kernel_wanted(options, kernel->name))
                fc_contenders_add(&contenders, label, kernel->entry)->selected = kernel->selected;
        }
    }
    return contenders;
}

/* ---- the first run -------------------------------------------------------------------------- */

/* Nanoseconds per page, before code, data and predictors have been used. */
static double *warm_up(const struct fc_experiment *experiment, const struct fc_walk *cold) {
    double *times = fc_allocate(experiment->contenders.count, sizeof *times);
    for (size_t i = 0; i < experiment->contenders.count; i++) {
        uint64_t start = fc_timer_now();
        experiment->body(&experiment->contenders.list[i], cold, WARM_UP_PAGES);
        times[i] = fc_timer_nanoseconds(fc_timer_now() - start) / WARM_UP_PAGES;
    }
    return times;
}

/* A wrong figure is worse than none. */
static void verify(const struct fc_experiment *experiment, const struct fc_walk *hot, bool clears) {
    static const unsigned char zeros[PAGE];
    for (size_t i = 0; i < experiment->contenders.count; i++) {
        const struct fc_contender *contender = &experiment->contenders.list[i];
        memset(hot->call.dst, 0xa5, PAGE);
        experiment->body(contender, hot, 1);
        if (memcmp(hot->call.dst, clears ? zeros : hot->call.src, PAGE) != 0)
            fc_usage_error(&fc_command_bench, "%s is wrong: the page is not what it should be",
                           contender->label);
    }
}

/* ---- output --------------------------------------------------------------------------------- */

/* The trials of one group of cells, their median beside them. */
static void print_trials(const struct fc_experiment *experiment, const struct fc_cell *trials,
                         const double *first) {
    printf("\n%-24s %8s ", trials->group, first != NULL ? "warm-up" : "");
    for (size_t i = 0; i < TRIALS; i++)
        printf(" %7s", trials[i].label);
    printf(" | %7s\n", "median");
    for (size_t k = 0; k < experiment->contenders.count; k++) {
        const struct fc_contender *contender = &experiment->contenders.list[k];
        double values[TRIALS];
        size_t count = 0;
        printf("%-23s%c ", contender->label, contender->selected ? '*' : ' ');
        if (first != NULL)
            printf("%8.0f ", fc_timer_ticks(first[k]));
        else
            printf("%8s ", "");
        for (; count < TRIALS && trials[count].runs > 0; count++) {
            values[count] = fc_timer_ticks(trials[count].results[k].times.median);
            printf(" %7.0f", values[count]);
        }
        if (count > 0)
            printf(" | %7.0f", fc_median(values, count));
        putchar('\n');
    }
}

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    (void)options;
    printf("Cycles per page: ticks of %s at %.3f GHz, a fixed rate, whatever the core's clock.\n"
           "*: the library's choice for its operation. Warm-up: the first %d pages of each "
           "routine, before all trials.\n",
           fc_timer_name(), fc_timer_ticks(1), WARM_UP_PAGES);
    for (size_t i = 0; i < experiment->count; i += TRIALS)
        print_trials(experiment, &experiment->cells[i], i == 0 ? experiment->context : NULL);
    putchar('\n');
}

/* ---- measurement ---------------------------------------------------------------------------- */

static int run_kind(const struct kind *kind, const struct fc_bench_options *options,
                    unsigned char *src, unsigned char *dst, size_t span) {
    uint64_t turn = 0;
    const struct fc_call page = {dst, src, PAGE};
    const struct fc_walk cold = {
        .call = page, .dst_step = PAGE, .src_step = PAGE, .turns = span / PAGE, .turn = &turn};
    const struct fc_walk hot = {.call = page, .turns = 1, .turn = &turn};
    struct fc_walk used = cold;
    used.use = PAGE;
    const struct {
        const char *name;
        const struct fc_walk *walk;
    } states[] = {{"cold", &cold}, /* first, beside the warm-up, which is as cold */
                  {"cold, then read", &used},
                  {"hot", &hot}};
    enum { CELLS = sizeof states / sizeof *states * TRIALS };
    struct fc_cell cells[CELLS] = {0};
    for (size_t i = 0; i < CELLS; i++) {
        snprintf(cells[i].group, sizeof cells[i].group, "%s page, %s", kind->name,
                 states[i / TRIALS].name);
        snprintf(cells[i].label, sizeof cells[i].label, "trial %zu", i % TRIALS + 1);
        cells[i].work = states[i / TRIALS].walk;
        cells[i].bytes = PAGE;
    }
    struct fc_experiment experiment = {
        .mode = "pages",
        .group_name = "page",
        .label_name = "trial",
        .body = kind->body,
        .contenders = gather(kind, options),
        .cells = cells,
        .count = CELLS,
        .rounds = 9,
        .slice = 100000,
        .time_unit = "ns",
        .print_text = print_text,
    };
    struct fc_bench_options with_op = *options;
    with_op.op = kind->op;
    char title[160];
    snprintf(title, sizeof title,
             "To %s a page of %d bytes: one page (hot), and page after page "
             "through %s (cold), also with a read of each line of it (then read)",
             kind->name, PAGE, fc_size_text(span).text);
    experiment.title = title;
    double *first = warm_up(&experiment, &cold);
    experiment.context = first;
    verify(&experiment, &hot, kind->body == fc_body_walk_clear);
    int status = fc_experiment_run(&experiment, &with_op);
    free(first);
    free(experiment.contenders.list);
    return status;
}

static int run(const struct fc_bench_options *options) {
    if (options->peer_count > 0 || strcmp(options->baseline, "libc") != 0)
        fc_usage_error(&fc_command_bench, "pages races this library's routines and libc's alone");
    size_t span = fc_memory_span();
    unsigned char *memory = fc_memory_map(2 * span, options->huge);
    if (memory == NULL)
        fc_usage_error(&fc_command_bench, "two buffers of %s do not fit into memory",
                       fc_size_text(span).text);
    int status = FC_EXIT_OK;
    for (size_t i = 0; i < KINDS && status == FC_EXIT_OK; i++)
        status = run_kind(&kinds[i], options, memory, memory + span, span);
    fc_memory_unmap(memory, 2 * span);
    return status;
}

const struct fc_bench_mode fc_mode_pages = {
    .name = "pages",
    .run = run,
    .help = "cycles to copy and to clear a page, hot, cold, cold and then read, in trials",
};
