/* SPDX-License-Identifier: MIT */
/*
 * format: what a file of recorded calls holds. docs/TRACE.md describes it for those who read it
 * with other means; whatever changes here changes FC_TRACE_VERSION.
 */
#ifndef FC_TRACE_FORMAT_H
#define FC_TRACE_FORMAT_H

#include <stdint.h>

/* Names the file to programs that run under libfastcopy_trace.so. */
#define FC_TRACE_ENV "FASTCOPY_TRACE"

#define FC_TRACE_MAGIC "fctrace\n"
#define FC_TRACE_VERSION 1
#define FC_TRACE_BYTE_ORDER UINT32_C(0x01020304)
#define FC_TRACE_ADDRESS_BITS 12

/* Numbers that the file keeps, whatever enum fc_op does. */
enum fc_trace_op {
    FC_TRACE_unfinished, /* claimed, but the process ended before it was written */
    FC_TRACE_memcpy,
    FC_TRACE_memmove,
    FC_TRACE_mempcpy,
    FC_TRACE_memset,
    FC_TRACE_OP_COUNT
};

struct fc_trace_header {
    char magic[8];
    uint32_t byte_order;
    uint32_t version;
    uint32_t header_size, record_size;
    uint32_t address_bits; /* how many low bits of an address a record keeps */
    uint32_t threads;      /* how many took a number */
    uint64_t capacity;     /* records that there is room for */
    uint64_t calls;        /* more than capacity: the rest was dropped */
    uint64_t early;        /* calls that came before the recorder was ready, in no record */
    uint64_t zero;
};

struct fc_trace_record {
    uint64_t size;
    uint32_t caller;   /* hash of the return address */
    int32_t distance;  /* dst - src, or the limit that it is beyond; 0 for memset */
    uint16_t dst, src; /* low bits of the addresses; src is 0 for memset */
    uint16_t thread;   /* from 0; UINT16_MAX stands for all beyond it, too */
    uint8_t op;        /* enum fc_trace_op, written last */
    uint8_t zero;
};

_Static_assert(sizeof(struct fc_trace_header) == 64 && sizeof(struct fc_trace_record) == 24,
               "the same on every machine");

/* A header for a file with room for this many records. */
struct fc_trace_header fc_trace_header(uint64_t capacity);

static inline uint64_t fc_trace_file_size(uint64_t records) {
    return sizeof(struct fc_trace_header) + records * sizeof(struct fc_trace_record);
}

/* How many records a file of this size has room for. */
static inline uint64_t fc_trace_room(uint64_t file_size) {
    return (file_size - sizeof(struct fc_trace_header)) / sizeof(struct fc_trace_record);
}

/* How many records were claimed. */
static inline uint64_t fc_trace_count(const struct fc_trace_header *header) {
    return header->calls < header->capacity ? header->calls : header->capacity;
}

/* NULL, or what is wrong with the header of a file of this size. */
const char *fc_trace_check(const struct fc_trace_header *header, uint64_t file_size);

#endif
