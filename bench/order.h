/* SPDX-License-Identifier: MIT */
/* order: the calls that a program made, as `fastcopy trace` recorded them, in their order. */
#ifndef FC_ORDER_H
#define FC_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct fc_order_call {
    uint64_t size;
    uint16_t src, dst; /* the low 12 bits of the addresses; src is 0 where the operation has none */
    uint8_t op;        /* enum fc_op */
};

struct fc_order {
    struct fc_order_call *calls; /* malloc() */
    size_t count;
};

/* Reads a file; ends the program with one line and status 2 where it is none. */
struct fc_order fc_order_read(const char *file);

#endif
