/* SPDX-License-Identifier: MIT */
/* mix: how often a program copies how much; and sequences of calls that follow it. */
#ifndef FC_MIX_H
#define FC_MIX_H

#include <stddef.h>
#include <stdint.h>

/* A distribution: values, and the sum of the weights up to and with each. */
struct fc_weights {
    size_t count;
    uint64_t *values;
    double *sums;
};

struct fc_mix {
    char name[24];
    struct fc_weights sizes;
    struct fc_weights alignments; /* of both pointers; count 0: any address */
};

/* The built-in ones: uniform ones, all sizes of the same order as likely, a kernel build's. */
enum { FC_MIXES = 5 };
struct fc_mix fc_mix_builtin(unsigned number);

/*
 * Reads `size,count` lines, or Fleetbench's form: `size:probability,...`, then two lines of the
 * same form, whether the buffers overlap (not used), and alignments. Ends the program with one line
 * and status 2 where it is neither.
 */
struct fc_mix fc_mix_read(const char *file);

void fc_mix_free(struct fc_mix *mix);

/* A call; offsets from the start of each buffer. Eight bytes: the sequence takes cache from what is
 * measured. */
struct fc_draw {
    uint32_t size;
    uint16_t src, dst;
};

enum { FC_DRAW_OFFSETS = 4096 }; /* offsets are below */

/*
 * Draws `period` calls, and repeats them until there are `count`. One size comes from each of
 * `period` equal parts of the distribution, in random order: so each seed, and a short period too,
 * gives the distribution as well as the period can.
 */
void fc_mix_draw(const struct fc_mix *mix, struct fc_draw *draws, size_t count, size_t period,
                 uint64_t *random);

#endif
