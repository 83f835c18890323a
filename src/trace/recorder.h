/* SPDX-License-Identifier: MIT */
/*
 * recorder: writes down each call of libfastcopy_trace.so. preload.c calls it where that library is
 * built from it.
 */
#ifndef FC_TRACE_RECORDER_H
#define FC_TRACE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "format.h"
#include "kernels.h"

/* src is the second argument whatever it is: memset's is not looked at. */
FC_HIDDEN void fc_trace_record(enum fc_trace_op op, const void *dst, uintptr_t src, size_t n,
                               const void *caller);

#endif
