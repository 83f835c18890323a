/* SPDX-License-Identifier: MIT */
/* reader: a trace in memory, checked: the file may come from anywhere. */
#ifndef FC_TRACE_READER_H
#define FC_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"

struct fc_trace {
    struct fc_trace_header header;
    struct fc_trace_record *records; /* in the order of the calls, unfinished ones left out */
    size_t count, unfinished;
};

/* Why a file could not be read; empty: it was. */
struct fc_trace_error {
    char text[128];
};

/* Free with free(trace->records). */
struct fc_trace_error fc_trace_read(const char *path, struct fc_trace *trace);

/* Where the buffers overlap, dst is this many bytes behind src (or, if negative, before it); 0. */
static inline int32_t fc_trace_overlap(const struct fc_trace_record *record) {
    uint64_t apart =
        record->distance < 0 ? -(uint64_t)record->distance : (uint64_t)record->distance;
    return apart < record->size ? record->distance : 0;
}

#endif
