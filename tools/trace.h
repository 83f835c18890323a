/* SPDX-License-Identifier: MIT */
#ifndef FC_TRACE_H
#define FC_TRACE_H

#include "trace/reader.h"

/* What `fastcopy trace --show` prints: a summary, or size,count lines. */
void fc_trace_summary(const struct fc_trace *trace);
void fc_trace_sizes(const struct fc_trace *trace);

#endif
