/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "mix.h"

#include "dispatch.h"

FC_BODY void fc_body_copy(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct fc_call call = *(const struct fc_call *)work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    while (calls-- > 0)
        function(call.dst, call.src, call.n);
}

FC_BODY void fc_body_set(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct fc_call call = *(const struct fc_call *)work;
    fc_set_function *function = (fc_set_function *)contender->function;
    while (calls-- > 0)
        function(call.dst, FC_FILL, call.n);
}

static inline __attribute__((always_inline)) void use(const unsigned char *dst, size_t n) {
    enum { LINE = 64 }; /* where lines are longer, each is read more than once */
    for (size_t i = 0; i < n; i += LINE)
        (void)*(const volatile unsigned char *)(dst + i);
}

static inline __attribute__((always_inline)) void walk(const struct fc_contender *contender,
                                                       const void *work, uint64_t calls, bool set) {
    const struct fc_walk walk = *(const struct fc_walk *)work;
    fc_copy_function *copy = (fc_copy_function *)contender->function;
    fc_set_function *fill = (fc_set_function *)contender->function;
    uint64_t turn = *walk.turn % walk.turns;
    for (; calls > 0; calls--) {
        unsigned char *dst = (unsigned char *)walk.call.dst + turn * walk.dst_step;
        if (set)
            fill(dst, 0, walk.call.n);
        else
            copy(dst, (const unsigned char *)walk.call.src + turn * walk.src_step, walk.call.n);
        use(dst, walk.use);
        turn = turn + 1 < walk.turns ? turn + 1 : 0;
    }
    *walk.turn = turn;
}

FC_BODY void fc_body_walk(const struct fc_contender *contender, const void *work, uint64_t calls) {
    walk(contender, work, calls, false);
}

FC_BODY void fc_body_walk_clear(const struct fc_contender *contender, const void *work,
                                uint64_t calls) {
    walk(contender, work, calls, true);
}

size_t fc_memory_span(void) {
    /* Not less, because a hypervisor may hide most of the cache; not more, to end within a minute.
     */
    enum { SMALLEST = 64 << 20, LARGEST = 512 << 20 };
    uint64_t cache = fc_dispatch_state()->policy.cache[FC_CACHE_LEVELS - 1].size;
    return cache < SMALLEST ? SMALLEST : cache > LARGEST ? LARGEST : (size_t)cache;
}

FC_BODY void fc_body_sequence(const struct fc_contender *contender, const void *work,
                              uint64_t passes) {
    const struct fc_sequence sequence = *(const struct fc_sequence *)work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    while (passes-- > 0)
        for (const struct fc_draw *draw = sequence.draws; draw < sequence.end; draw++)
            function(sequence.dst + draw->dst, sequence.src + draw->src, draw->size);
}

FC_BODY void fc_body_sequence_set(const struct fc_contender *contender, const void *work,
                                  uint64_t passes) {
    const struct fc_sequence sequence = *(const struct fc_sequence *)work;
    fc_set_function *function = (fc_set_function *)contender->function;
    while (passes-- > 0)
        for (const struct fc_draw *draw = sequence.draws; draw < sequence.end; draw++)
            function(sequence.dst + draw->dst, FC_FILL, draw->size);
}

/*
 * Nothing of a turn can start before the turn before it has ended: the word that was read back is
 * part of both addresses and of the word written next. Were only the data passed on, the addresses
 * of all turns would be known ahead, and what loads elsewhere in the kernels wait for would be
 * hidden. The mask is 0, which neither compiler nor processor knows.
 */
FC_BODY void fc_body_chain(const struct fc_contender *contender, const void *work, uint64_t turns) {
    const struct fc_chain chain = *(const struct fc_chain *)work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    uint64_t value = 0;
    while (turns-- > 0) {
        unsigned char *src = chain.src + (value & chain.mask);
        unsigned char *dst = chain.dst + (value & chain.mask);
        *(volatile uint64_t *)(src + chain.at) = value + 1;
        function(dst, src, chain.n);
        value = *(volatile uint64_t *)(dst + chain.at);
    }
}

/* The data alone links one copy to the next: each loads the bytes that the one before stored. */
FC_BODY void fc_body_ping(const struct fc_contender *contender, const void *work, uint64_t turns) {
    const struct fc_chain chain = *(const struct fc_chain *)work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    while (turns-- > 0) {
        function(chain.dst, chain.src, chain.n);
        function(chain.src, chain.dst, chain.n);
    }
}
