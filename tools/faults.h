/* SPDX-License-Identifier: MIT */
/*
 * faults: does a copy that survives bad addresses tell the truth? Each call is compared with what a
 * byte-by-byte loop would have done up to the first byte that cannot be read or written: the count,
 * the bytes copied, and all others.
 *
 * Every pair of distances 0 to 63 of source and destination from a bad page, in turn with each size
 * (0 to 300, around powers of two, whole pages); bad pages that are protected, read-only, unmapped
 * or beyond the end of a file (SIGBUS); faults near the end of longer copies; overlap; addresses
 * that are no user's, or where address + size wraps around; a file that shrinks during a copy.
 */
#ifndef FC_FAULTS_H
#define FC_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef size_t fc_try_copy(void *dst, const void *src, size_t n);
typedef size_t fc_try_set(void *dst, int c, size_t n);

struct fc_faults {
    /* In the child that makes the calls: what they need, and the function; NULL: it says why on
     * stderr. */
    fc_try_copy *(*prepare)(const void *argument);
    const void *argument;
    fc_try_set *set; /* instead of a copy, if not NULL */
    bool ours;       /* its faults are for fastcopy_fault_handle(), two signals a call at most */
    bool past_count; /* memory that goes away during a call may be copied beyond the count */
    uint64_t seed, cases;
};

struct fc_faults_verdict {
    bool ok;
    uint64_t cases;
    uint64_t faults; /* of these, calls in which signals came, if they are ours */
    char reason[520];
};

/* Runs in a child process, so that the function may crash or hang. */
struct fc_faults_verdict fc_check_faults(const struct fc_faults *faults);

#endif
