/* SPDX-License-Identifier: MIT */
/*
 * faults: what it costs to survive a bad address. Without a fault, try_memcpy against memcpy of the
 * same library; with one, half way through, signals against system calls.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const uint64_t sizes[] = {1,     8,     16,     31,     32,     64,     100,  128,
                                 256,   512,   1000,   1024,   2048,   4096,   8192, 16384,
                                 32768, 65536, 131072, 262144, 524288, 1048576};
static const uint64_t brief_sizes[] = {16, 64, 256, 4096, 65536};
enum {
    SIZES = sizeof sizes / sizeof *sizes,
    BRIEF_SIZES = sizeof brief_sizes / sizeof *brief_sizes
};
enum { PAGE = 4096 };

/* In this library, loaded apart: its handler is in force from then on, and what this command is
 * without. */
static bool install(void) {
    union {
        fastcopy_function *function;
        int (*install)(void);
    } of = {fc_product_function(FC_SHARED_LIBRARY, "fastcopy_fault_install")};
    return of.function != NULL && of.install() == 0 && fastcopy_fault_install() == 0;
}

static void add(struct fc_contenders *contenders, const char *label, const char *name) {
    fastcopy_function *function = fc_product_function(FC_SHARED_LIBRARY, name);
    if (function != NULL)
        fc_contenders_add(contenders, label, function);
}

static int without_faults(const struct fc_bench_options *options) {
    const uint64_t *list = options->brief ? brief_sizes : sizes;
    size_t count = options->brief ? BRIEF_SIZES : SIZES;
    struct fc_buffers buffers = fc_buffers_map(options, sizes[SIZES - 1]);
    struct fc_call calls[SIZES];
    struct fc_cell cells[SIZES] = {0};
    for (size_t i = 0; i < count; i++) {
        calls[i] = (struct fc_call){buffers.dst, buffers.src, list[i]};
        snprintf(cells[i].group, sizeof cells[i].group, "no fault");
        snprintf(cells[i].label, sizeof cells[i].label, "%s", fc_size_text(list[i]).text);
        cells[i].work = &calls[i];
        cells[i].bytes = list[i];
    }
    struct fc_contenders contenders = {NULL, 0};
    add(&contenders, "memcpy", "fastcopy_memcpy");
    add(&contenders, "A/A", "fastcopy_memcpy");
    add(&contenders, "try_memcpy", "fastcopy_try_memcpy");
    add(&contenders, "nosig", "fastcopy_try_memcpy_nosig");
    /* Where memcpy goes through the pointer, too. */
    unsigned reference = (unsigned)contenders.count;
    fc_contenders_add(&contenders, ".a memcpy", (fastcopy_function *)(uintptr_t)fastcopy_memcpy);
    fc_contenders_add(&contenders, ".a try_memcpy",
                      (fastcopy_function *)(uintptr_t)fastcopy_try_memcpy)
        ->reference = reference;
    struct fc_experiment experiment = {
        .mode = "faults",
        .title = "Copies that survive bad addresses, without a fault, against memcpy (the static "
                 "library's: against its memcpy)",
        .group_name = "calls",
        .label_name = "size",
        .body = fc_body_copy,
        .contenders = contenders,
        .cells = cells,
        .count = count,
        .rounds = 51,
        .slice = 100000,
        .time_unit = "ns",
    };
    int status = fc_experiment_run(&experiment, options);
    free(contenders.list);
    fc_buffers_unmap(&buffers);
    return status;
}

static int with_faults(const struct fc_bench_options *options) {
    static unsigned char dst[PAGE];
    unsigned char *pages =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0) {
        perror("fastcopy bench: mmap");
        return FC_EXIT_FAILED;
    }
    static const uint64_t fault_sizes[] = {16, 256, 4096};
    enum { COUNT = sizeof fault_sizes / sizeof *fault_sizes };
    struct fc_call calls[COUNT];
    struct fc_cell cells[COUNT] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        calls[i] = (struct fc_call){dst, pages + PAGE - fault_sizes[i] / 2, fault_sizes[i]};
        snprintf(cells[i].group, sizeof cells[i].group, "the second half is bad");
        snprintf(cells[i].label, sizeof cells[i].label, "%s", fc_size_text(fault_sizes[i]).text);
        cells[i].work = &calls[i];
    }
    struct fc_contenders contenders = {NULL, 0};
    add(&contenders, "signals", "fastcopy_try_memcpy");
    add(&contenders, "A/A", "fastcopy_try_memcpy");
    add(&contenders, "system calls", "fastcopy_try_memcpy_nosig");
    struct fc_experiment experiment = {
        .mode = "faults",
        .title = "A fault, survived by signals (one or two) and by system calls",
        .group_name = "calls",
        .label_name = "size",
        .body = fc_body_copy,
        .contenders = contenders,
        .cells = cells,
        .count = COUNT,
        .rounds = 51,
        .slice = 100000,
        .time_unit = "ns",
    };
    int status = fc_experiment_run(&experiment, options);
    free(contenders.list);
    munmap(pages, 2 * PAGE);
    return status;
}

static int run(const struct fc_bench_options *options) {
    if (!install()) {
        fprintf(stderr, "fastcopy bench: faults: libfastcopy.so is needed, and its handler\n");
        return FC_EXIT_FAILED;
    }
    int status = without_faults(options);
    return status != 0 ? status : with_faults(options);
}

const struct fc_bench_mode fc_mode_faults = {
    .name = "faults",
    .run = run,
    .help = "what surviving a bad address costs, without a fault and with one",
};
