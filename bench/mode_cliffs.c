/* SPDX-License-Identifier: MIT */
/*
 * cliffs: places where a copy is suddenly slow. A few thousand cells are measured quickly: sizes,
 * alignments, (dst - src) mod 4096, distances, overlaps, and calls that end at a page's edge with
 * another kind of page behind it. The worst are measured again, with care, and only those are
 * judged.
 */
#include "cliffs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory.h"

enum {
    PAGE = 4096,
    WORST = 50,
    ROOM = 1 << 20, /* on each side of the source, and for each distant destination */
    FAR = 64 << 20  /* further than any cache's size is a power of two for */
};
#define ALIKE (UINT64_C(1) << 32) /* distances that some cores mistake for 0 */

static const size_t all_sizes[] = {16,   32,   64,   100,   256,   600,
                                   1024, 2048, 4096, 16384, 65536, 262144},
                    brief_sizes[] = {32, 256, 4096, 65536};

/* Of the source, in a page. */
static const size_t alignments[] = {0, 7, 48};

/* (dst - src) mod 4096. */
static const size_t deltas[] = {0,   1,   8,   15,  16,   31,   32,   33,   63,   64,   65,   96,
                                128, 192, 256, 512, 1024, 2048, 3072, 3968, 4032, 4064, 4080, 4095};

/* Bytes between source and destination where they overlap, either way. */
static const size_t overlaps[] = {0,  1,  2,  4,   8,   15,  16,   17,   31,   32,  33,
                                  63, 64, 65, 127, 128, 256, 1024, 4095, 4096, 4097};

static const size_t edge_sizes[] = {0,  1,  2,  3,  4,  7,  8,  12,  15,  16, 24,
                                    31, 32, 33, 48, 63, 64, 96, 127, 128, 200};

/* Bytes between the buffer's end and the page's. */
static const size_t gaps[] = {0, 1, 16, 40};

/* What follows the page. */
enum behind { MAPPED, UNMAPPED, UNTOUCHED, READ_ONLY, BEHINDS };
static const char *const behind_names[] = {"mapped", "unmapped", "untouched", "read-only"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- memory --------------------------------------------------------------------------------- */

struct places {
    unsigned char
        *reserved; /* ROOM, the source, ROOM; at FAR and ALIKE from the source ROOM each */
    size_t size;
    unsigned char *src;
    bool alike;
    unsigned char *edges[BEHINDS]; /* the end of a page that is used */
};

static void *map_or_die(size_t size, int protection) {
    void *memory = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("fastcopy bench: cliffs");
        exit(FC_EXIT_FAILED);
    }
    return memory;
}

static void use(unsigned char *memory, size_t size) {
    if (mprotect(memory, size, PROT_READ | PROT_WRITE) != 0) {
        perror("fastcopy bench: cliffs");
        exit(FC_EXIT_FAILED);
    }
#ifdef MADV_NOHUGEPAGE
    madvise(memory, size, MADV_NOHUGEPAGE);
#endif
    memset(memory, 0x33, size);
}

static struct places map_places(void) {
    struct places places = {.size = ROOM + ALIKE + ROOM, .alike = true};
    void *reserved =
        mmap(NULL, places.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) {
        fputs("fastcopy bench: no address space for distances of 4 GiB: skipped\n", stderr);
        places.size = ROOM + FAR + ROOM;
        places.alike = false;
        reserved = map_or_die(places.size, PROT_NONE);
    }
    places.reserved = reserved;
    places.src = places.reserved + ROOM;
    use(places.reserved, 2 * ROOM);
    use(places.src + FAR, ROOM);
    if (places.alike)
        use(places.src + ALIKE, ROOM);
    for (size_t i = 0; i < BEHINDS; i++) {
        unsigned char *page = map_or_die(2 * PAGE, PROT_READ | PROT_WRITE);
        memset(page, 0x33, i == MAPPED || i == READ_ONLY ? 2 * PAGE : PAGE);
        if (i == UNMAPPED || i == READ_ONLY)
            mprotect(page + PAGE, PAGE, i == UNMAPPED ? PROT_NONE : PROT_READ);
        places.edges[i] = page + PAGE;
    }
    return places;
}

static void unmap_places(const struct places *places) {
    for (size_t i = 0; i < BEHINDS; i++)
        munmap(places->edges[i] - PAGE, 2 * PAGE);
    munmap(places->reserved, places->size);
}

/* ---- cells ---------------------------------------------------------------------------------- */

struct plan {
    struct fc_cell *cells;
    struct fc_spot *spots;
    size_t count;
    const size_t *sizes;
    size_t size_count;
};

static struct fc_cell *add(struct plan *plan, const char *panel, void *dst, const void *src,
                           size_t n) {
    struct fc_spot *spot = &plan->spots[plan->count];
    struct fc_cell *cell = &plan->cells[plan->count++];
    *spot = (struct fc_spot){.call = {dst, src, n}};
    cell->panel = panel;
    cell->work = spot;
    cell->bytes = n;
    return cell;
}

/* The destination at a distance of each delta more than some whole pages; negative: below. */
static void add_deltas(struct plan *plan, const char *panel, const struct places *places,
                       int64_t distance) {
    for (size_t s = 0; s < plan->size_count; s++)
        for (size_t a = 0; a < COUNT(alignments); a++)
            for (size_t d = 0; d < COUNT(deltas); d++) {
                size_t n = plan->sizes[s];
                unsigned char *src = places->src + alignments[a], *dst = src + distance + deltas[d];
                /* As near as it can be without overlapping. */
                if (distance >= 0 && distance < PAGE)
                    dst += (n - 1) / PAGE * PAGE + (deltas[d] < n ? PAGE : 0);
                else if (distance < 0)
                    dst -= (n - 1) / PAGE * PAGE + PAGE;
                struct fc_cell *cell = add(plan, panel, dst, src, n);
                snprintf(cell->group, sizeof cell->group, "%s %.6s +%u", panel,
                         fc_size_text(n).text, (unsigned)alignments[a]);
                snprintf(cell->label, sizeof cell->label, "%zu", deltas[d]);
            }
}

static void add_overlaps(struct plan *plan, const struct places *places) {
    for (size_t s = 0; s < plan->size_count; s++)
        for (size_t i = 2 * COUNT(overlaps); i-- > 1;) {
            bool below = i >= COUNT(overlaps);
            size_t n = plan->sizes[s],
                   distance = overlaps[below ? i - COUNT(overlaps) : COUNT(overlaps) - 1 - i];
            if (distance >= n || (below && distance == 0))
                continue;
            unsigned char *dst = below ? places->src - distance : places->src + distance;
            struct fc_cell *cell = add(plan, "overlap", dst, places->src, n);
            snprintf(cell->group, sizeof cell->group, "overlap %.6s", fc_size_text(n).text);
            snprintf(cell->label, sizeof cell->label, "%s%zu", below ? "-" : "+", distance);
        }
}

/* Neighbours are those before a mapped page, or most of a row would be its own measure. */
static void add_edges(struct plan *plan, const struct places *places, bool store) {
    const char *panel = store ? "store edge" : "load edge";
    for (size_t s = 0; s < COUNT(edge_sizes); s++)
        for (size_t g = 0; g < COUNT(gaps); g++)
            for (size_t b = 0; b < BEHINDS; b++) {
                size_t n = edge_sizes[s];
                unsigned char *edge = places->edges[b] - gaps[g] - n;
                struct fc_cell *cell = add(plan, panel, store ? edge : places->src + 2048,
                                           store ? places->src : edge, n);
                plan->spots[plan->count - 1].odd = b != MAPPED;
                snprintf(cell->group, sizeof cell->group, "%s %zu", panel, n);
                snprintf(cell->label, sizeof cell->label, "%s -%zu", behind_names[b], gaps[g]);
            }
}

static struct plan make_plan(const struct fc_bench_options *options, const struct places *places) {
    struct plan plan = {.sizes = options->brief ? brief_sizes : all_sizes,
                        .size_count = options->brief ? COUNT(brief_sizes) : COUNT(all_sizes)};
    size_t limit = plan.size_count * (4 * COUNT(alignments) * COUNT(deltas) + 2 * COUNT(overlaps)) +
                   2 * COUNT(edge_sizes) * COUNT(gaps) * BEHINDS;
    plan.cells = fc_allocate(limit, sizeof *plan.cells);
    plan.spots = fc_allocate(limit, sizeof *plan.spots);
    add_deltas(&plan, "below", places, -1);
    add_deltas(&plan, "above", places, 0);
    add_deltas(&plan, "far", places, FAR);
    if (places->alike)
        add_deltas(&plan, "4 GiB", places, (int64_t)ALIKE);
    if (options->op == FC_OP_memmove)
        add_overlaps(&plan, places);
    add_edges(&plan, places, false);
    add_edges(&plan, places, true);
    return plan;
}

/* ---- output --------------------------------------------------------------------------------- */

struct verdict {
    struct fc_cliff *worst;
    size_t count, cliffs;
    unsigned careful_rounds;
};

static void print_text(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options) {
    (void)options;
    const struct verdict *verdict = experiment->context;
    const struct fc_contender *contenders = experiment->contenders.list;
    printf(
        "%zu cells; the worst %zu rows' worst cells again in %u rounds. A cliff (!): over 2 times "
        "slower than\nthe median of its neighbours (the row's others; at an edge: those before a "
        "mapped page), or below 0.9\nof %s and beyond the noise (A/A). Rows: where dst is, size, "
        "alignment of src. Place: dst - src modulo\n4096, the distance of an overlap, or the "
        "page behind and the bytes up to it. Cells: of the row, as bad\nas a cliff at the first "
        "look.\n\n",
        experiment->count, verdict->count, verdict->careful_rounds, contenders[0].label);
    printf("  %-16s %-13s %5s %-14s %8s %10s %5s %8s %5s %6s\n", "row", "place", "cells", "routine",
           "ns", "neighbours", "times", contenders[0].label, "ratio", "A/A");
    for (size_t i = 0; i < verdict->count; i++) {
        const struct fc_cliff *cliff = &verdict->worst[i];
        const struct fc_cell *cell = &experiment->cells[cliff->cell];
        if (cell->runs == 0)
            continue;
        const struct fc_result *result = &cell->results[cliff->contender];
        printf("%c %-16s %-13s %5zu %-14s %8s %10s %5s %8s %5s %5.1f%%\n",
               cliff->badness > 1 ? '!' : ' ', cell->group, cell->label, cliff->company,
               contenders[cliff->contender].label, fc_number(result->times.median).text,
               fc_number(cliff->neighbours).text,
               fc_number(result->times.median / cliff->neighbours).text,
               fc_number(cell->results[0].times.median).text, fc_number(result->ratio).text,
               100 * cell->noise);
    }
    printf("\n%zu of them are cliffs.\n", verdict->cliffs);
}

/* What the heat map shows: below 1 is slower than the neighbours. */
static double plot_value(const struct fc_experiment *experiment, const struct fc_cell *cell) {
    struct fc_cliff cliff = fc_cliff_judge(experiment, (size_t)(cell - experiment->cells));
    return cliff.neighbours / cell->results[cliff.contender].times.median;
}

/* ---- measurement ---------------------------------------------------------------------------- */

/* Once more with care; what the first look saw is replaced. */
static int measure_again(struct fc_experiment *experiment, const struct fc_bench_options *options,
                         struct verdict *verdict) {
    struct fc_experiment again = *experiment;
    again.rounds = verdict->careful_rounds;
    again.slice = 100000;
    again.count = verdict->count;
    again.cells = fc_allocate(verdict->count, sizeof *again.cells);
    for (size_t i = 0; i < verdict->count; i++) {
        again.cells[i] = experiment->cells[verdict->worst[i].cell];
        again.cells[i].runs = 0;
        again.cells[i].results = NULL;
    }
    int status = fc_experiment_measure(&again, options);
    for (size_t i = 0; i < verdict->count; i++) {
        struct fc_cell *cell = &experiment->cells[verdict->worst[i].cell];
        if (again.cells[i].runs == 0)
            continue;
        free(cell->results);
        *cell = again.cells[i];
        again.cells[i].results = NULL;
    }
    fc_experiment_release(&again);
    free(again.cells);
    return status;
}

/* The report is to be sent: of thousands of cells it has those that were judged. */
static void keep_only(struct fc_experiment *experiment, const struct verdict *verdict) {
    bool *kept = fc_allocate(experiment->count, sizeof *kept);
    for (size_t i = 0; i < verdict->count; i++)
        kept[verdict->worst[i].cell] = true;
    for (size_t i = 0; i < experiment->count; i++)
        if (!kept[i])
            experiment->cells[i].runs = 0;
    free(kept);
}

static const char *selected_kernel(unsigned op) {
    const fastcopy_variant *kernel = fc_bench_variants(fc_op_name(op), NULL);
    while (!kernel->selected)
        kernel++;
    return kernel->name;
}

static int run(const struct fc_bench_options *given) {
    struct fc_bench_options options = *given;
    if (options.op == FC_OP_memcpy)
        options.op = FC_OP_memmove; /* the same kernels, and libc's may overlap too */
    if (options.kernels == NULL)
        options.kernels = selected_kernel(options.op);
    struct places places = map_places();
    struct plan plan = make_plan(&options, &places);
    char title[128];
    snprintf(title, sizeof title, "%s: where it is suddenly slow", fc_op_name(options.op));
    struct verdict verdict = {.careful_rounds = 31};
    struct fc_experiment experiment = {
        .mode = "cliffs",
        .title = title,
        .group_name = "row",
        .label_name = "place",
        .body = fc_op_sets(options.op) ? fc_body_set : fc_body_copy,
        .contenders = fc_contenders_gather(&options),
        .cells = plan.cells,
        .count = plan.count,
        .rounds = 5,
        .slice = 20000,
        .time_unit = "ns",
        .print_text = print_text,
        .context = &verdict,
        .plot = FC_PLOT_HEAT,
        .plot_text = "speed as a multiple of the neighbours' median",
        .plot_value = plot_value,
    };
    fc_contenders_verify(&experiment.contenders, options.op, places.src + FAR, places.src, PAGE);
    int status = fc_experiment_measure(&experiment, &options);
    verdict.worst = fc_allocate(WORST, sizeof *verdict.worst);
    verdict.count = fc_cliffs_worst(&experiment, verdict.worst, WORST);
    if (status == FC_EXIT_OK)
        status = measure_again(&experiment, &options, &verdict);
    verdict.cliffs = fc_cliffs_judge(&experiment, verdict.worst, verdict.count);
    if (options.brief)
        keep_only(&experiment, &verdict);
    fc_output(&experiment, &options);
    fc_experiment_release(&experiment);
    free(verdict.worst);
    free(experiment.contenders.list);
    free(plan.cells);
    free(plan.spots);
    unmap_places(&places);
    return status == FC_EXIT_OK && options.fail && verdict.cliffs > 0 ? FC_EXIT_FAILED : status;
}

const struct fc_bench_mode fc_mode_cliffs = {
    .name = "cliffs",
    .run = run,
    .help = "where a copy is suddenly slow: 4K aliasing, overlaps, the edges of pages",
    .takes = "fail plot",
};
