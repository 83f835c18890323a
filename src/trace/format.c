/* SPDX-License-Identifier: MIT */
#include "format.h"

#include <stddef.h>

struct fc_trace_header fc_trace_header(uint64_t capacity) {
    return (struct fc_trace_header){
        .magic = FC_TRACE_MAGIC,
        .byte_order = FC_TRACE_BYTE_ORDER,
        .version = FC_TRACE_VERSION,
        .header_size = sizeof(struct fc_trace_header),
        .record_size = sizeof(struct fc_trace_record),
        .address_bits = FC_TRACE_ADDRESS_BITS,
        .capacity = capacity,
    };
}

const char *fc_trace_check(const struct fc_trace_header *header, uint64_t file_size) {
    if (file_size < sizeof *header)
        return "too short for a trace";
    /* Not memcmp: the recorder's own library may not call for what it replaces. */
    for (unsigned i = 0; i < sizeof header->magic; i++)
        if (header->magic[i] != FC_TRACE_MAGIC[i])
            return "not a trace";
    if (header->byte_order != FC_TRACE_BYTE_ORDER)
        return "a trace from a machine of the other byte order";
    if (header->version != FC_TRACE_VERSION)
        return "a trace of another version of the format";
    if (header->header_size != sizeof *header)
        return "a trace with a wrong header size";
    if (header->record_size != sizeof(struct fc_trace_record))
        return "a trace with a wrong record size";
    if (header->address_bits < 1 || header->address_bits > 16)
        return "a trace with a wrong number of address bits";
    if (header->zero != 0)
        return "a trace with a header that is not of its version";
    if (fc_trace_count(header) > fc_trace_room(file_size))
        return "a trace that was cut off: its header counts more records than it holds";
    return NULL;
}
