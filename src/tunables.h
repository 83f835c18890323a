/* SPDX-License-Identifier: MIT */
/*
 * tunables: FASTCOPY_TUNABLES=key=value[:key=value]...
 *
 * - memcpy=NAME, memset=NAME, memcpy_nt=NAME (any operation will do as the key): run this kernel
 * - THRESHOLD=SIZE: see thresholds.def; 0 means never; K, M and G are 2^10, 2^20 and 2^30
 * - cached_memory=1: on ppc64, no copy goes to cache-inhibited memory (see its policy.c)
 * - verbose=1: say on stderr what was chosen and why
 *
 * Unknown or malformed parts are ignored. The parser calls nothing, writes nothing but its result
 * and needs no relocation: it runs inside IFUNC resolvers.
 */
#ifndef FC_TUNABLES_H
#define FC_TUNABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "policy.h"

#define FC_TUNABLES_ENV "FASTCOPY_TUNABLES"

/* Smaller thresholds than this have no meaning: below it the kernels look at none. */
#define FC_THRESHOLD_MIN 256

enum fc_threshold_id {
#define FC_THRESHOLD(name, text) FC_THRESHOLD_##name,
#include "thresholds.def"
#undef FC_THRESHOLD
    FC_THRESHOLD_COUNT
};

struct fc_tunables {
    int forced[FC_FAMILY_COUNT]; /* enum fc_kernel_id, or -1 */
    bool threshold_set[FC_THRESHOLD_COUNT];
    uint64_t threshold[FC_THRESHOLD_COUNT];
    bool verbose;
    bool cached_memory;
};

/* Called for each part that is ignored: its text (not terminated) and the reason. */
typedef void fc_tunables_complaint(const char *part, size_t length, const char *reason);

/* text may be NULL. cpu decides which kernels are usable. complain may be NULL. */
void fc_tunables_parse(const char *text, const struct fc_cpu *cpu, struct fc_tunables *tunables,
                       fc_tunables_complaint *complain);

/* Replaces the thresholds that were set. */
void fc_tunables_apply(const struct fc_tunables *tunables, struct fc_thresholds *thresholds);

#endif
