/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static __attribute__((format(printf, 1, 2))) struct fc_trace_error error(const char *format, ...) {
    struct fc_trace_error result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result.text, sizeof result.text, format, arguments);
    va_end(arguments);
    return result;
}

/* NULL, or what no recorder would have written. */
static const char *check_record(const struct fc_trace_record *record,
                                const struct fc_trace_header *header) {
    const uint32_t low = (UINT32_C(1) << header->address_bits) - 1;
    if (record->op >= FC_TRACE_OP_COUNT)
        return "no such operation";
    if (record->zero != 0)
        return "not of this version";
    if (record->dst > low || record->src > low)
        return "more address bits than the header says";
    if (record->thread >= header->threads)
        return "a thread that took no number";
    if (record->op == FC_TRACE_memset)
        return record->src != 0 || record->distance != 0 ? "a memset with a source" : NULL;
    bool clamped = record->distance == INT32_MAX || record->distance == INT32_MIN;
    uint32_t distance = (uint32_t)record->dst - record->src;
    if (!clamped && ((distance ^ (uint32_t)record->distance) & low) != 0)
        return "addresses that are not at their distance";
    return NULL;
}

static struct fc_trace_error check_records(struct fc_trace *trace, size_t claimed) {
    for (size_t i = 0; i < claimed; i++) {
        const struct fc_trace_record *record = &trace->records[i];
        if (record->op == FC_TRACE_unfinished) {
            trace->unfinished++;
            continue;
        }
        const char *reason = check_record(record, &trace->header);
        if (reason != NULL)
            return error("record %zu: %s", i, reason);
        trace->records[trace->count++] = *record;
    }
    return (struct fc_trace_error){""};
}

static bool read_whole(int file, void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = read(file, (char *)data + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static struct fc_trace_error read_file(int file, struct fc_trace *trace) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return error("%s", strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error("not a regular file");
    /* A shorter file leaves zeroes, and is refused for its size. */
    if (!read_whole(file, &trace->header, sizeof trace->header) &&
        status.st_size >= (off_t)sizeof trace->header)
        return error("cannot be read");
    const char *reason = fc_trace_check(&trace->header, (uint64_t)status.st_size);
    if (reason != NULL)
        return error("%s", reason);
    size_t claimed = (size_t)fc_trace_count(&trace->header);
    trace->records = calloc(claimed + 1, sizeof *trace->records);
    if (trace->records == NULL)
        return error("%s", strerror(ENOMEM));
    if (!read_whole(file, trace->records, claimed * sizeof *trace->records))
        return error("cannot be read");
    return check_records(trace, claimed);
}

struct fc_trace_error fc_trace_read(const char *path, struct fc_trace *trace) {
    *trace = (struct fc_trace){.count = 0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return error("%s", strerror(errno));
    struct fc_trace_error result = read_file(file, trace);
    close(file);
    if (result.text[0] != '\0') {
        free(trace->records);
        trace->records = NULL;
    }
    return result;
}
