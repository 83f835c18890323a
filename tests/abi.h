/* SPDX-License-Identifier: MIT */
/*
 * The architecture's part of test_abi.c: what a call must leave as it was, and kernels that do not.
 * In abi_ARCH.c; the calls themselves, and the offenders, in abi_ARCH.S.
 */
#ifndef FC_ABI_H
#define FC_ABI_H

#include "support.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* Calls it with everything that it must preserve set to known values. Returns one bit per broken
 * rule. */
unsigned abi_watch(fastcopy_function *function, void *dst, uint64_t second, size_t n);

extern const char *const abi_rule_text[];
extern const unsigned abi_rule_count;

/* Rules that compiled code may break. */
extern const unsigned abi_compiled_rules;

/* Before the first test. */
void abi_prepare(void);

struct abi_offender {
    fastcopy_function *function;
    unsigned broken; /* rules */
    uint64_t needs;  /* capabilities */
};
extern const struct abi_offender abi_offenders[];
extern const size_t abi_offender_count;

/* A copy, upwards, without offence, and one that keeps data where a signal handler's stack will be.
 */
HIDDEN fastcopy_function abi_good, abi_bad_scratch;

static inline bool abi_have(uint64_t caps) {
    return (fc_dispatch_state()->cpu.caps & caps) != 0;
}

#endif
