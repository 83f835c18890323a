/* SPDX-License-Identifier: MIT */
/* A trace file of any content: refused with a reason, or what comes out is what a recorder writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("trace", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    CHECK(pwrite(file, data, size, 0) == (ssize_t)size && ftruncate(file, (off_t)size) == 0);

    struct fc_trace trace;
    struct fc_trace_error error = fc_trace_read(path, &trace);
    CHECK((error.text[0] == '\0') == (trace.records != NULL));
    if (trace.records == NULL)
        return 0;
    CHECK(trace.count + trace.unfinished == fc_trace_count(&trace.header));
    CHECK(fc_trace_file_size(trace.count + trace.unfinished) <= size);
    for (size_t i = 0; i < trace.count; i++) {
        const struct fc_trace_record *record = &trace.records[i];
        CHECK(record->op > FC_TRACE_unfinished && record->op < FC_TRACE_OP_COUNT);
        CHECK(record->thread < trace.header.threads);
        CHECK(fc_trace_overlap(record) == 0 || record->size > 0);
    }
    free(trace.records);
    return 0;
}
