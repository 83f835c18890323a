/* SPDX-License-Identifier: MIT */
/*
 * loops: the plainest loops there are, with the widest vectors that this CPU can run, to find what
 * the machine can do at most. dst and src are aligned to 64 bytes, and n is a multiple of 256.
 */
#ifndef FC_LOOPS_H
#define FC_LOOPS_H

#include <stddef.h>

/* FC_LOOP(name, label): the kinds. stream: past the caches; rep: the processor's own copy. */
#define FC_LOOP_LIST                                                                               \
    FC_LOOP(load, "load")                                                                          \
    FC_LOOP(store, "store")                                                                        \
    FC_LOOP(stream, "stream")                                                                      \
    FC_LOOP(rep_store, "rep stos")                                                                 \
    FC_LOOP(copy, "copy")                                                                          \
    FC_LOOP(stream_copy, "str copy")                                                               \
    FC_LOOP(rep_copy, "rep movs")

enum fc_loop {
#define FC_LOOP(name, label) FC_LOOP_##name,
    FC_LOOP_LIST
#undef FC_LOOP
        FC_LOOPS
};

typedef void fc_loop_function(void *dst, const void *src, size_t n);

struct fc_loops {
    unsigned width;                    /* bytes of a vector */
    fc_loop_function *loops[FC_LOOPS]; /* NULL: there is none on this architecture */
};

const struct fc_loops *fc_loops(void);

#endif
