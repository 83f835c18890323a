/* SPDX-License-Identifier: MIT */
/* What is a cliff: apart from the mode, so that it can be tested. */
#ifndef FC_CLIFFS_H
#define FC_CLIFFS_H

#include "bench.h"

/* The work of a cell. */
struct fc_spot {
    struct fc_call call; /* first: it is what the bodies take */
    bool odd;            /* no measure for its neighbours */
};

struct fc_cliff {
    size_t cell, contender;
    double neighbours; /* the median of the others in the cell's group that are not odd; ns */
    double badness;    /* above 1 is a cliff */
    size_t company;    /* cells of its group that are as bad as a cliff is, itself included */
};

/* How bad the cell is for the contender that it is worst for, the baseline apart. */
struct fc_cliff fc_cliff_judge(const struct fc_experiment *experiment, size_t cell);

/*
 * The worst cell of each group, the worst first; returns how many were written, at most limit. Not
 * simply the worst cells: one cliff would fill the list with its like and hide all others.
 */
size_t fc_cliffs_worst(const struct fc_experiment *experiment, struct fc_cliff *worst,
                       size_t limit);

/* Judges these again and sorts them; returns how many are cliffs. */
size_t fc_cliffs_judge(const struct fc_experiment *experiment, struct fc_cliff *cliffs,
                       size_t count);

#endif
