/* SPDX-License-Identifier: MIT */
/* What a call on x86_64 must preserve, and offenders: see abi.h. */
#include "abi_x86_64.h"

#include "abi.h"

struct abi_call {
    fastcopy_function *function;
    uint64_t arguments[3];
    uint64_t have_avx, have_avx512, have_xinuse;
    uint64_t poison[ABI_SAVED_COUNT], saved[ABI_SAVED_COUNT];
    uint64_t result;
    int64_t rsp_moved;
    uint64_t rflags;
    uint32_t mxcsr_in, mxcsr_out;
    uint16_t x87_cw_in, x87_cw_out;
    uint16_t x87_tag, unused;
    uint64_t xinuse;
    uint8_t ymm[ABI_YMM_SIZE], zmm[ABI_ZMM_SIZE];
    uint64_t below[ABI_BELOW_SIZE / 8];
};

#define SAME_OFFSET(field, offset)                                                                 \
    _Static_assert(offsetof(struct abi_call, field) == (offset),                                   \
                   #field " differs from the assembly's")
SAME_OFFSET(function, ABI_FUNCTION);
SAME_OFFSET(arguments, ABI_ARGUMENTS);
SAME_OFFSET(have_avx, ABI_HAVE_AVX);
SAME_OFFSET(have_avx512, ABI_HAVE_AVX512);
SAME_OFFSET(have_xinuse, ABI_HAVE_XINUSE);
SAME_OFFSET(poison, ABI_POISON);
SAME_OFFSET(saved, ABI_SAVED);
SAME_OFFSET(result, ABI_RESULT);
SAME_OFFSET(rsp_moved, ABI_RSP_MOVED);
SAME_OFFSET(rflags, ABI_RFLAGS);
SAME_OFFSET(mxcsr_in, ABI_MXCSR);
SAME_OFFSET(x87_cw_in, ABI_X87_CW);
SAME_OFFSET(x87_tag, ABI_X87_TAG);
SAME_OFFSET(xinuse, ABI_XINUSE);
SAME_OFFSET(ymm, ABI_YMM);
SAME_OFFSET(zmm, ABI_ZMM);
SAME_OFFSET(below, ABI_BELOW);
_Static_assert(sizeof(struct abi_call) == ABI_SIZE, "size differs from the assembly's");

HIDDEN void abi_call(struct abi_call *call);

#define RFLAGS_DF (1u << 10)

/* XINUSE: state components that are not in their initial state. */
#define XINUSE_YMM (1u << 2)
#define XINUSE_ZMM_UPPER (1u << 6) /* of zmm0 to zmm15 */

/* One bit per rule. */
#define FOR_EACH_RULE(X)                                                                           \
    X(RBX, "rbx not preserved")                                                                    \
    X(RBP, "rbp not preserved")                                                                    \
    X(R12, "r12 not preserved")                                                                    \
    X(R13, "r13 not preserved")                                                                    \
    X(R14, "r14 not preserved")                                                                    \
    X(R15, "r15 not preserved")                                                                    \
    X(RSP, "rsp not preserved")                                                                    \
    X(DIRECTION, "direction flag set")                                                             \
    X(MXCSR, "MXCSR changed")                                                                      \
    X(X87_CONTROL, "x87 control word changed")                                                     \
    X(X87_TAG, "x87 registers in use (MMX without emms)")                                          \
    X(UPPER, "upper halves of ymm0-15 or zmm0-15 left dirty")                                      \
    X(BELOW, "written below the red zone")

enum rule_bit {
#define X(id, text) BIT_##id,
    FOR_EACH_RULE(X)
#undef X
        RULE_COUNT
};

enum {
#define X(id, text) BROKE_##id = 1 << BIT_##id,
    FOR_EACH_RULE(X)
#undef X
};

const char *const abi_rule_text[] = {
#define X(id, text) text,
    FOR_EACH_RULE(X)
#undef X
};

static bool any_set(const uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != 0)
            return true;
    return false;
}

static unsigned broken_rules(const struct abi_call *call) {
    unsigned broken = 0;
    for (unsigned i = 0; i < ABI_SAVED_COUNT; i++)
        if (call->saved[i] != call->poison[i])
            broken |= 1u << (BIT_RBX + i);
    if (call->rsp_moved != 0)
        broken |= BROKE_RSP;
    if ((call->rflags & RFLAGS_DF) != 0)
        broken |= BROKE_DIRECTION;
    if (call->mxcsr_out != call->mxcsr_in)
        broken |= BROKE_MXCSR;
    if (call->x87_cw_out != call->x87_cw_in)
        broken |= BROKE_X87_CONTROL;
    if (call->x87_tag != 0xffff)
        broken |= BROKE_X87_TAG;
    if ((call->xinuse & (XINUSE_YMM | XINUSE_ZMM_UPPER)) != 0 ||
        any_set(call->ymm, sizeof call->ymm) || any_set(call->zmm, sizeof call->zmm))
        broken |= BROKE_UPPER;
    for (size_t i = 0; i < COUNT(call->below); i++)
        if (call->below[i] != ABI_BELOW_POISON)
            broken |= BROKE_BELOW;
    return broken;
}

const unsigned abi_rule_count = RULE_COUNT;

/* It moves rsp and has a red zone of its own below that. */
const unsigned abi_compiled_rules = BROKE_BELOW;

static bool have_xinuse;

unsigned abi_watch(fastcopy_function *function, void *dst, uint64_t second, size_t n) {
    static struct abi_call call;
    call.function = function;
    call.arguments[0] = (uint64_t)(uintptr_t)dst;
    call.arguments[1] = second;
    call.arguments[2] = n;
    call.have_avx = abi_have(FC_CAP_AVX);
    call.have_avx512 = abi_have(FC_CAP_AVX512F);
    call.have_xinuse = have_xinuse;
    for (unsigned i = 0; i < ABI_SAVED_COUNT; i++)
        call.poison[i] = support_random();
    call.mxcsr_in = 0x7fa0;  /* all masked; rounds to zero; inexact flag set */
    call.x87_cw_in = 0x0c7f; /* all masked; rounds to zero; single precision */
    abi_call(&call);
    return broken_rules(&call);
}

HIDDEN fastcopy_function abi_bad_rbx, abi_bad_rbp, abi_bad_r12, abi_bad_r13, abi_bad_r14,
    abi_bad_r15, abi_bad_rsp, abi_bad_direction, abi_bad_mxcsr, abi_bad_x87_control, abi_bad_mmx,
    abi_bad_below_near, abi_bad_below_far, abi_bad_ymm, abi_bad_zmm;

const struct abi_offender abi_offenders[] = {
    {abi_good, 0, 0},
    {abi_bad_rbx, BROKE_RBX, 0},
    {abi_bad_rbp, BROKE_RBP, 0},
    {abi_bad_r12, BROKE_R12, 0},
    {abi_bad_r13, BROKE_R13, 0},
    {abi_bad_r14, BROKE_R14, 0},
    {abi_bad_r15, BROKE_R15, 0},
    {abi_bad_rsp, BROKE_RSP, 0},
    {abi_bad_direction, BROKE_DIRECTION, 0},
    {abi_bad_mxcsr, BROKE_MXCSR, 0},
    {abi_bad_x87_control, BROKE_X87_CONTROL, 0},
    {abi_bad_mmx, BROKE_X87_TAG, 0},
    {abi_bad_below_near, BROKE_BELOW, 0},
    {abi_bad_below_far, BROKE_BELOW, 0},
    {abi_bad_ymm, BROKE_UPPER, FC_CAP_AVX},
    {abi_bad_zmm, BROKE_UPPER, FC_CAP_AVX512F},
};

const size_t abi_offender_count = COUNT(abi_offenders);

/*
 * May xgetbv speak for the vector state? Not every CPU has it, and some, like some hypervisors and
 * emulators, call all of it in use always.
 */
void abi_prepare(void) {
    /* Leaf 0xd, subleaf 1: bit 2 of eax says that xgetbv knows XINUSE. AVX implies that leaf. */
    uint32_t eax = 0xd, ecx = 1;
    __asm__("cpuid" : "+a"(eax), "+c"(ecx) : : "ebx", "edx");
    if (!abi_have(FC_CAP_AVX) || (eax >> 2 & 1) == 0) {
        print_message("no XINUSE: dirty upper halves are seen by their contents only\n");
        return;
    }
    have_xinuse = true;
    static unsigned char buffer[2][64];
    if (abi_watch(abi_good, buffer[0], (uint64_t)(uintptr_t)buffer[1], sizeof buffer[0]) != 0) {
        print_message("XINUSE is imprecise: dirty upper halves are seen by their contents only\n");
        have_xinuse = false;
    }
}
