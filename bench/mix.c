/* SPDX-License-Identifier: MIT */
#include "mix.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "memory.h"

/* ---- distributions -------------------------------------------------------------------------- */

/* Room for one more than count: it doubles at every power of two. */
static void *with_room(void *array, size_t count, size_t size) {
    if ((count & (count - 1)) != 0)
        return array;
    array = realloc(array, (count > 0 ? 2 * count : 1) * size);
    if (array == NULL) {
        perror("fastcopy");
        exit(FC_EXIT_FAILED);
    }
    return array;
}

static void add(struct fc_weights *weights, uint64_t value, double weight) {
    double before = weights->count > 0 ? weights->sums[weights->count - 1] : 0;
    weights->values = with_room(weights->values, weights->count, sizeof *weights->values);
    weights->sums = with_room(weights->sums, weights->count, sizeof *weights->sums);
    weights->values[weights->count] = value;
    weights->sums[weights->count++] = before + weight;
}

static void release(struct fc_weights *weights) {
    free(weights->values);
    free(weights->sums);
}

/* The value below which this part of the weight lies; part is from 0 to below 1. */
static uint64_t quantile(const struct fc_weights *weights, double part) {
    double wanted = part * weights->sums[weights->count - 1];
    size_t low = 0, high = weights->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (weights->sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return weights->values[low];
}

static struct fc_weights uniform(uint64_t max) {
    struct fc_weights weights = {0};
    for (uint64_t size = 0; size <= max; size++)
        add(&weights, size, 1);
    return weights;
}

/* Each doubling is as likely as the next. */
static struct fc_weights log_uniform(uint64_t max) {
    struct fc_weights weights = {0};
    for (uint64_t size = 1; size <= max; size++)
        add(&weights, size, log1p(1 / (double)size));
    return weights;
}

static struct fc_weights kernel_build(void) {
    static const struct {
        uint64_t size;
        double count;
    } rows[] = {
#include "kernel_build.inc"
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct fc_weights weights = {0};
    for (size_t i = 0; i < ROWS; i++)
        add(&weights, rows[i].size, rows[i].count);
    return weights;
}

struct fc_mix fc_mix_builtin(unsigned number) {
    switch (number) {
    case 0:
        return (struct fc_mix){.name = "0-64", .sizes = uniform(64)};
    case 1:
        return (struct fc_mix){.name = "0-128", .sizes = uniform(128)};
    case 2:
        return (struct fc_mix){.name = "0-512", .sizes = uniform(512)};
    case 3:
        return (struct fc_mix){.name = "log 1-4K", .sizes = log_uniform(4096)};
    default:
        return (struct fc_mix){.name = "kernel-build", .sizes = kernel_build()};
    }
}

void fc_mix_free(struct fc_mix *mix) {
    release(&mix->sizes);
    release(&mix->alignments);
}

/* ---- files ---------------------------------------------------------------------------------- */

struct reader {
    const char *file;
    size_t line; /* counted from 1 */
};

static _Noreturn void reject(const struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void reject(const struct reader *reader, const char *format, ...) {
    char reason[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fc_usage_error(&fc_command_bench, "%s:%zu: %s", reader->file, reader->line, reason);
}

/* `value` separator `weight`, up to `end`; moves *text behind it. True if there must be more. */
static bool read_pair(const struct reader *reader, char **text, char separator, char end,
                      struct fc_weights *weights) {
    char *start = *text, *after;
    size_t length = strcspn(start, end == ',' ? "," : "");
    errno = 0;
    unsigned long long value = strtoull(start, &after, 10);
    bool good = *start >= '0' && *start <= '9' && *after == separator && errno == 0;
    /* Digits first: strtod would also take blanks, signs, "inf" and "nan". */
    good = good && (after[1] == '.' || (after[1] >= '0' && after[1] <= '9'));
    double weight = good ? strtod(after + 1, &after) : 0;
    if (!good || (*after != '\0' && *after != end) || !isfinite(weight))
        reject(reader, "not size%cweight: '%.*s'", separator, (int)(length < 40 ? length : 40),
               *text);
    if (value > UINT32_MAX)
        reject(reader, "%llu bytes are too many", value);
    add(weights, value, weight);
    bool more = *after != '\0';
    *text = after + more;
    return more;
}

/* A line `value:probability,...`. */
static struct fc_weights read_line(const struct reader *reader, char *line) {
    struct fc_weights weights = {0};
    while (read_pair(reader, &line, ':', ',', &weights))
        ;
    return weights;
}

static void check_sum(const struct reader *reader, const struct fc_weights *weights) {
    if (weights->count == 0 || !(weights->sums[weights->count - 1] > 0))
        reject(reader, "no size occurs");
}

static void check_alignments(const struct reader *reader, const struct fc_weights *alignments) {
    check_sum(reader, alignments);
    for (size_t i = 0; i < alignments->count; i++) {
        uint64_t value = alignments->values[i];
        if (value == 0 || (value & (value - 1)) != 0 || value > FC_DRAW_OFFSETS)
            reject(reader, "%llu is no alignment", (unsigned long long)value);
    }
}

/* The next line without its end; false after the last. */
static bool next_line(struct reader *reader, FILE *file, char **line, size_t *room) {
    ssize_t length = getline(line, room, file);
    if (length < 0)
        return false;
    reader->line++;
    while (length > 0 && ((*line)[length - 1] == '\n' || (*line)[length - 1] == '\r'))
        length--;
    (*line)[length] = '\0';
    for (ssize_t i = 0; i < length; i++) /* what is wrong with it is going to be printed */
        if ((*line)[i] < ' ' || (*line)[i] > '~')
            reject(reader, "not text");
    return true;
}

static void read_fleetbench(struct reader *reader, FILE *file, char **line, size_t *room,
                            struct fc_mix *mix) {
    mix->sizes = read_line(reader, *line);
    check_sum(reader, &mix->sizes);
    struct fc_weights overlap = {0};
    for (; next_line(reader, file, line, room) && **line != '\0';) {
        if (reader->line > 3)
            reject(reader, "more than sizes, overlap and alignments");
        *(reader->line == 2 ? &overlap : &mix->alignments) = read_line(reader, *line);
        if (reader->line == 3)
            check_alignments(reader, &mix->alignments);
    }
    release(&overlap);
}

/* Lines `size,count`; one of names may stand above. */
static void read_csv(struct reader *reader, FILE *file, char **line, size_t *room,
                     struct fc_mix *mix) {
    if (strcmp(*line, "size,count") == 0 && !next_line(reader, file, line, room))
        **line = '\0';
    for (bool more = **line != '\0'; more; more = next_line(reader, file, line, room)) {
        char *rest = *line;
        read_pair(reader, &rest, ',', '\0', &mix->sizes);
    }
    check_sum(reader, &mix->sizes);
}

/* The file's name without folders and extension. */
static void name_after(const char *file, char name[24]) {
    const char *slash = strrchr(file, '/');
    snprintf(name, 24, "%s", slash != NULL ? slash + 1 : file);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name)
        *dot = '\0';
    for (char *c = name; *c != '\0'; c++) /* it becomes a field of CSV output */
        if (*c == ',' || *c == '"' || (unsigned char)*c < ' ')
            *c = '_';
}

struct fc_mix fc_mix_read(const char *path) {
    struct fc_mix mix = {.name = ""};
    struct reader reader = {path, 0};
    char *line = NULL;
    size_t room = 0;
    errno = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL || !next_line(&reader, file, &line, &room))
        fc_usage_error(&fc_command_bench, "--sizes: %s: %s", path,
                       errno != 0 ? strerror(errno) : "there is nothing in it");
    if (strchr(line, ':') != NULL)
        read_fleetbench(&reader, file, &line, &room, &mix);
    else
        read_csv(&reader, file, &line, &room, &mix);
    free(line);
    fclose(file);
    name_after(path, mix.name);
    return mix;
}

/* ---- sequences ------------------------------------------------------------------------------ */

/* From 0 to below 1: the 53 bits that a double holds. */
static double fraction(uint64_t *random) {
    return (double)(fc_random(random) >> 11) * 0x1p-53;
}

/*
 * An alignment is the largest power of two that divides an address; the last one of a distribution
 * stands for itself and all above.
 */
static uint16_t draw_offset(const struct fc_weights *alignments, uint64_t *random) {
    uint64_t offset = fc_random(random) % FC_DRAW_OFFSETS;
    if (alignments->count > 0) {
        uint64_t alignment = quantile(alignments, fraction(random));
        offset &= ~(alignment - 1);
        if (alignment != alignments->values[alignments->count - 1])
            offset |= alignment;
    }
    return (uint16_t)(offset % FC_DRAW_OFFSETS);
}

void fc_mix_draw(const struct fc_mix *mix, struct fc_draw *draws, size_t count, size_t period,
                 uint64_t *random) {
    for (size_t i = 0; i < period; i++) {
        double part = ((double)i + fraction(random)) / (double)period;
        struct fc_draw draw = {(uint32_t)quantile(&mix->sizes, part),
                               draw_offset(&mix->alignments, random),
                               draw_offset(&mix->alignments, random)};
        /* Shuffled as it grows: to any of the places so far, what was there to the end. */
        size_t place = fc_random(random) % (i + 1);
        draws[i] = draws[place];
        draws[place] = draw;
    }
    for (size_t i = period; i < count; i++)
        draws[i] = draws[i - period];
}
