/* SPDX-License-Identifier: MIT */
#include "order.h"

#include <stdlib.h>

#include "command.h"
#include "memory.h"
#include "registry.h"
#include "trace/reader.h"

struct fc_order fc_order_read(const char *file) {
    static const uint8_t ops[FC_TRACE_OP_COUNT] = {
        [FC_TRACE_memcpy] = FC_OP_memcpy,
        [FC_TRACE_memmove] = FC_OP_memmove,
        [FC_TRACE_mempcpy] = FC_OP_mempcpy,
        [FC_TRACE_memset] = FC_OP_memset,
    };
    struct fc_trace trace;
    struct fc_trace_error error = fc_trace_read(file, &trace);
    if (error.text[0] == '\0' && trace.count == 0)
        error = (struct fc_trace_error){"a trace without calls"};
    if (error.text[0] != '\0')
        fc_usage_error(&fc_command_bench, "--order: %s: %s", file, error.text);
    struct fc_order order = {fc_allocate(trace.count, sizeof *order.calls), trace.count};
    for (size_t i = 0; i < trace.count; i++) {
        const struct fc_trace_record *record = &trace.records[i];
        order.calls[i] = (struct fc_order_call){
            .size = record->size,
            .src = record->src & 4095,
            .dst = record->dst & 4095,
            .op = ops[record->op],
        };
    }
    free(trace.records);
    return order;
}
