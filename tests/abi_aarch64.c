/* SPDX-License-Identifier: MIT */
/* What a call on AArch64 must preserve [AAPCS64], and offenders: see abi.h. */
#include "abi_aarch64.h"

#include "abi.h"

struct abi_call {
    fastcopy_function *function;
    uint64_t arguments[3];
    uint64_t poison[ABI_GENERAL_COUNT + ABI_VECTOR_COUNT];
    uint64_t saved[ABI_GENERAL_COUNT + ABI_VECTOR_COUNT];
    int64_t sp_moved;
    uint64_t fpcr_in, fpcr_out;
    uint64_t fpsr_in, fpsr_out;
    uint64_t below[ABI_BELOW_SIZE / 8];
};

#define SAME_OFFSET(field, offset)                                                                 \
    _Static_assert(offsetof(struct abi_call, field) == (offset),                                   \
                   #field " differs from the assembly's")
SAME_OFFSET(function, ABI_FUNCTION);
SAME_OFFSET(arguments, ABI_ARGUMENTS);
SAME_OFFSET(poison, ABI_POISON);
SAME_OFFSET(saved, ABI_SAVED);
SAME_OFFSET(sp_moved, ABI_SP_MOVED);
SAME_OFFSET(fpcr_in, ABI_FPCR);
SAME_OFFSET(fpsr_in, ABI_FPSR);
SAME_OFFSET(below, ABI_BELOW);
_Static_assert(sizeof(struct abi_call) == ABI_SIZE, "size differs from the assembly's");

HIDDEN void abi_call(struct abi_call *call);

/* As abi_aarch64.S writes them down. */
#define FOR_EACH_REGISTER(X)                                                                       \
    X(x18)                                                                                         \
    X(x19)                                                                                         \
    X(x20)                                                                                         \
    X(x21)                                                                                         \
    X(x22)                                                                                         \
    X(x23)                                                                                         \
    X(x24)                                                                                         \
    X(x25)                                                                                         \
    X(x26)                                                                                         \
    X(x27)                                                                                         \
    X(x28)                                                                                         \
    X(x29)                                                                                         \
    X(d8)                                                                                          \
    X(d9)                                                                                          \
    X(d10)                                                                                         \
    X(d11)                                                                                         \
    X(d12)                                                                                         \
    X(d13)                                                                                         \
    X(d14)                                                                                         \
    X(d15)

/* One bit per rule. */
enum rule_bit {
#define X(name) BIT_##name,
    FOR_EACH_REGISTER(X)
#undef X
        BIT_sp,
    BIT_fpcr,
    BIT_fpsr,
    BIT_below,
    RULE_COUNT
};
#define BROKE(rule) (1u << BIT_##rule)

const char *const abi_rule_text[] = {
#define X(name) #name " not preserved",
    FOR_EACH_REGISTER(X)
#undef X
        "sp not preserved",
    "FPCR changed",
    "FPSR changed",
    "written below the stack pointer",
};

const unsigned abi_rule_count = RULE_COUNT;

/* It has a frame, and x18 is a scratch register to it on Linux. */
const unsigned abi_compiled_rules = BROKE(below) | BROKE(x18);

void abi_prepare(void) {
}

unsigned abi_watch(fastcopy_function *function, void *dst, uint64_t second, size_t n) {
    static struct abi_call call;
    call.function = function;
    call.arguments[0] = (uint64_t)(uintptr_t)dst;
    call.arguments[1] = second;
    call.arguments[2] = n;
    for (size_t i = 0; i < COUNT(call.poison); i++)
        call.poison[i] = support_random();
    call.fpcr_in = UINT64_C(3) << 22; /* rounds to zero */
    call.fpsr_in = 1 << 4;            /* inexact */
    abi_call(&call);

    unsigned broken = 0;
    for (unsigned i = 0; i < COUNT(call.saved); i++)
        if (call.saved[i] != call.poison[i])
            broken |= 1u << (BIT_x18 + i);
    if (call.sp_moved != 0)
        broken |= BROKE(sp);
    if (call.fpcr_out != call.fpcr_in)
        broken |= BROKE(fpcr);
    if (call.fpsr_out != call.fpsr_in)
        broken |= BROKE(fpsr);
    for (size_t i = 0; i < COUNT(call.below); i++)
        if (call.below[i] != ABI_BELOW_POISON)
            broken |= BROKE(below);
    return broken;
}

#define X(name) HIDDEN fastcopy_function abi_bad_##name;
FOR_EACH_REGISTER(X)
#undef X
HIDDEN fastcopy_function abi_good_upper, abi_bad_sp, abi_bad_fpcr, abi_bad_fpsr, abi_bad_below_near,
    abi_bad_below_far;

const struct abi_offender abi_offenders[] = {
    {abi_good, 0, 0},
    {abi_good_upper, 0, FC_CAP_ASIMD},
#define X(name) {abi_bad_##name, BROKE(name), 0},
    FOR_EACH_REGISTER(X)
#undef X
        {abi_bad_sp, BROKE(sp), 0},
    {abi_bad_fpcr, BROKE(fpcr), 0},
    {abi_bad_fpsr, BROKE(fpsr), 0},
    {abi_bad_below_near, BROKE(below), 0},
    {abi_bad_below_far, BROKE(below), 0},
};

const size_t abi_offender_count = COUNT(abi_offenders);
