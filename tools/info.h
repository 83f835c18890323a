/* SPDX-License-Identifier: MIT */
/* What `fastcopy info` tells, whatever its form. */
#ifndef FC_INFO_H
#define FC_INFO_H

#include "dispatch.h"

struct fc_complaint {
    char *part;         /* of FASTCOPY_TUNABLES */
    const char *reason; /* why it was ignored */
};

struct fc_info {
    const struct fc_state *state;
    /* Cache sizes from elsewhere, in bytes; 0: not told. The library itself reads no files. */
    uint64_t sysfs[FC_CACHE_LEVELS], sysconf[FC_CACHE_LEVELS];
    long page_size;
    struct fc_complaint *complaints;
    size_t complaint_count;
};

/* The same object at each call. */
const struct fc_info *fc_info_collect(void);

extern const char fc_info_version[];
extern const char *const fc_info_levels[FC_CACHE_LEVELS];
const char *fc_info_reader(const struct fc_info *info);

/* Is a kernel usable, is it selected, and why. */
struct fc_reason {
    char text[128];
};
struct fc_reason fc_info_reason(const struct fc_info *info, unsigned kernel);

/* A threshold's name, value, meaning, and where the value came from. */
struct fc_info_threshold {
    const char *name, *text, *source;
    uint64_t value;
};
struct fc_info_threshold fc_info_threshold(const struct fc_info *info, unsigned threshold);

void fc_info_print(const struct fc_info *info);

#ifdef FC_WITH_JANSSON
#include <jansson.h>
json_t *fc_info_json(const struct fc_info *info);
#endif

#endif
