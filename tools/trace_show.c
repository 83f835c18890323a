/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"

enum { TOP = 10 };

/* ---- counting ------------------------------------------------------------------------------- */

struct tally {
    uint64_t key, count;
};

struct tallies {
    struct tally *list; /* by key; NULL if there was no memory */
    size_t count;
};

typedef uint64_t key_of(const struct fc_trace_record *record);

static uint64_t size_of(const struct fc_trace_record *record) {
    return record->size;
}

static uint64_t caller_of(const struct fc_trace_record *record) {
    return record->caller;
}

static int compare(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b) {
    return compare(((const struct tally *)a)->key, ((const struct tally *)b)->key);
}

static int most_first(const void *a, const void *b) {
    int order = compare(((const struct tally *)b)->count, ((const struct tally *)a)->count);
    return order != 0 ? order : by_key(a, b);
}

/* How often each key occurs. */
static struct tallies tally(const struct fc_trace *trace, key_of *key) {
    struct tallies tallies = {calloc(trace->count + 1, sizeof *tallies.list), 0};
    if (tallies.list == NULL) {
        perror("fastcopy trace");
        exit(FC_EXIT_FAILED);
    }
    struct tally *list = tallies.list;
    for (size_t i = 0; i < trace->count; i++)
        list[i] = (struct tally){key(&trace->records[i]), 1};
    qsort(list, trace->count, sizeof *list, by_key);
    for (size_t i = 0; i < trace->count; i++)
        if (tallies.count > 0 && list[tallies.count - 1].key == list[i].key)
            list[tallies.count - 1].count++;
        else
            list[tallies.count++] = list[i];
    return tallies;
}

static double percent(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_top(const struct fc_trace *trace, key_of *key, const char *title,
                      const char *format) {
    struct tallies tallies = tally(trace, key);
    qsort(tallies.list, tallies.count, sizeof *tallies.list, most_first);
    printf("\n%s (%zu in all)\n", title, tallies.count);
    for (size_t i = 0; i < tallies.count && i < TOP; i++) {
        char name[24];
        snprintf(name, sizeof name, format, tallies.list[i].key);
        printf("  %-16s %12" PRIu64 " %6.2f%%\n", name, tallies.list[i].count,
               percent(tallies.list[i].count, trace->count));
    }
    free(tallies.list);
}

/* ---- the summary ---------------------------------------------------------------------------- */

static void print_ops(const struct fc_trace *trace) {
    static const char names[FC_TRACE_OP_COUNT][8] = {[FC_TRACE_memcpy] = "memcpy",
                                                     [FC_TRACE_memmove] = "memmove",
                                                     [FC_TRACE_mempcpy] = "mempcpy",
                                                     [FC_TRACE_memset] = "memset"};
    uint64_t calls[FC_TRACE_OP_COUNT] = {0};
    double bytes[FC_TRACE_OP_COUNT] = {0};
    for (size_t i = 0; i < trace->count; i++) {
        calls[trace->records[i].op]++;
        bytes[trace->records[i].op] += (double)trace->records[i].size;
    }
    printf("\n%-18s %12s %7s %16s\n", "operation", "calls", "", "bytes");
    for (unsigned op = FC_TRACE_unfinished + 1; op < FC_TRACE_OP_COUNT; op++)
        printf("  %-16s %12" PRIu64 " %6.2f%% %16.0f\n", names[op], calls[op],
               percent(calls[op], trace->count), bytes[op]);
}

/* Rows 0, 1, 2-3, 4-7, ... */
static void print_sizes(const struct fc_trace *trace) {
    uint64_t rows[65] = {0}, so_far = 0;
    for (size_t i = 0; i < trace->count; i++) {
        unsigned row = 0;
        for (uint64_t size = trace->records[i].size; size != 0; size >>= 1)
            row++;
        rows[row]++;
    }
    printf("\n%-18s %12s %7s %8s\n", "size", "calls", "", "up to");
    for (unsigned row = 0; row < 65; row++) {
        if (rows[row] == 0)
            continue;
        so_far += rows[row];
        char range[64];
        uint64_t first = row > 0 ? UINT64_C(1) << (row - 1) : 0;
        if (row < 2)
            snprintf(range, sizeof range, "%u", row);
        else if (row < 11)
            snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, first, 2 * first - 1);
        else
            snprintf(range, sizeof range, "%s to <%s", fc_size_text(first).text,
                     fc_size_text(2 * first).text);
        printf("  %-16s %12" PRIu64 " %6.2f%% %7.2f%%\n", range, rows[row],
               percent(rows[row], trace->count), percent(so_far, trace->count));
    }
}

static void print_row(const char *name, uint64_t count, uint64_t whole) {
    printf("  %-16s %12" PRIu64 " %6.2f%%\n", name, count, percent(count, whole));
}

static void print_addresses(const struct fc_trace *trace) {
    uint64_t copies = 0, src = 0, dst = 0, alike = 0, aliased = 0, same = 0, up = 0, down = 0;
    for (size_t i = 0; i < trace->count; i++) {
        const struct fc_trace_record *record = &trace->records[i];
        dst += record->dst % 16 == 0;
        if (record->op == FC_TRACE_memset)
            continue;
        int32_t overlap = fc_trace_overlap(record);
        copies++;
        src += record->src % 16 == 0;
        alike += (record->dst - record->src) % 16 == 0;
        /* Loads of a forward copy that look, by their low bits, like its last stores. */
        aliased += record->distance != 0 && (((uint32_t)record->dst - record->src) & 4095) < 64;
        same += record->distance == 0 && record->size > 0;
        up += overlap > 0;
        down += overlap < 0;
    }
    printf("\naddresses\n");
    print_row("dst 16-aligned", dst, trace->count);
    printf("of the copies\n");
    print_row("src 16-aligned", src, copies);
    print_row("both alike mod 16", alike, copies);
    print_row("4K aliasing", aliased, copies);
    print_row("overlap, dst > src", up, copies);
    print_row("overlap, dst < src", down, copies);
    print_row("dst = src", same, copies);
}

void fc_trace_summary(const struct fc_trace *trace) {
    const struct fc_trace_header *header = &trace->header;
    printf("%zu calls of %" PRIu32 " threads; %" PRIu64
           " more were dropped, %zu unfinished, %" PRIu64 " came too early\n",
           trace->count, header->threads, header->calls - fc_trace_count(header), trace->unfinished,
           header->early);
    print_ops(trace);
    print_sizes(trace);
    print_top(trace, size_of, "most frequent sizes", "%" PRIu64);
    print_addresses(trace);
    print_top(trace, caller_of, "most frequent call sites", "%08" PRIx64);
}

void fc_trace_sizes(const struct fc_trace *trace) {
    struct tallies sizes = tally(trace, size_of);
    puts("size,count");
    for (size_t i = 0; i < sizes.count; i++)
        printf("%" PRIu64 ",%" PRIu64 "\n", sizes.list[i].key, sizes.list[i].count);
    free(sizes.list);
}
