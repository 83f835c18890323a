/* SPDX-License-Identifier: MIT */
/*
 * verify: does a kernel do what its operation promises? Every size to 1024 and more around the
 * points where kernels change their method, all alignments, overlap at small distances and near
 * 4096, both ends of both buffers against inaccessible pages, the bytes around the destination, the
 * result.
 */
#ifndef FC_VERIFY_H
#define FC_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include <fastcopy/fastcopy.h>

struct fc_verify {
    unsigned op;                 /* enum fc_op */
    fastcopy_function *function; /* of that operation */
    uint64_t seed;
    double seconds; /* of random calls, after the systematic ones */
};

struct fc_verdict {
    bool ok;
    uint64_t calls;
    char reason[256]; /* the call that failed, and how */
};

/*
 * Runs in a child process, so that a kernel may crash or hang. Changes the thresholds of the
 * kernels in the child only.
 */
struct fc_verdict fc_verify(const struct fc_verify *verify);

#endif
