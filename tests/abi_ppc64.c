/* SPDX-License-Identifier: MIT */
/* What a call on ppc64 must preserve [64-bit ELF V1 and V2 ABI], and offenders: see abi.h. */
#include "abi_ppc64.h"

#include "abi.h"

struct abi_call {
    fastcopy_function *function;
    uint64_t arguments[3];
    uint64_t has_vectors;
    uint64_t cr_in, cr_out;
    uint32_t vrsave_in, vrsave_out, vscr_in, vscr_out;
    uint64_t unused;
    uint64_t fpscr_in, fpscr_out;
    uint64_t moved[3];
    uint64_t lr;
    uint64_t poison[ABI_KEPT_COUNT];
    uint64_t saved[ABI_KEPT_COUNT];
    uint64_t below[ABI_BELOW_SIZE / 8];
} __attribute__((aligned(16)));

#define SAME_OFFSET(field, offset)                                                                 \
    _Static_assert(offsetof(struct abi_call, field) == (offset),                                   \
                   #field " differs from the assembly's")
SAME_OFFSET(function, ABI_FUNCTION);
SAME_OFFSET(arguments, ABI_ARGUMENTS);
SAME_OFFSET(has_vectors, ABI_HAS_VECTORS);
SAME_OFFSET(cr_in, ABI_CR);
SAME_OFFSET(vrsave_in, ABI_VECTOR_STATE);
SAME_OFFSET(fpscr_in, ABI_FPSCR);
SAME_OFFSET(moved, ABI_MOVED);
SAME_OFFSET(lr, ABI_LR_SAVED);
SAME_OFFSET(poison, ABI_POISON);
SAME_OFFSET(saved, ABI_SAVED);
SAME_OFFSET(below, ABI_BELOW);
_Static_assert(sizeof(struct abi_call) == ABI_SIZE, "size differs from the assembly's");

HIDDEN void abi_call(struct abi_call *call);

#define FOR_EACH_RULE(X)                                                                           \
    X(general, "one of r14 to r31 not preserved")                                                  \
    X(floats, "one of f14 to f31 not preserved")                                                   \
    X(vectors, "one of v20 to v31 not preserved")                                                  \
    X(cr, "cr2, cr3 or cr4 not preserved")                                                         \
    X(r1, "r1 not preserved")                                                                      \
    X(r2, "r2 not preserved")                                                                      \
    X(r13, "r13 not preserved")                                                                    \
    X(vrsave, "VRSAVE changed")                                                                    \
    X(vscr, "VSCR changed")                                                                        \
    X(fpscr, "FPSCR changed")                                                                      \
    X(below, "written below the stack pointer")

enum rule_bit {
#define X(name, text) BIT_##name,
    FOR_EACH_RULE(X)
#undef X
        RULE_COUNT
};
#define BROKE(rule) (1u << BIT_##rule)

const char *const abi_rule_text[] = {
#define X(name, text) text,
    FOR_EACH_RULE(X)
#undef X
};

const unsigned abi_rule_count = RULE_COUNT;

/* It has a frame. */
const unsigned abi_compiled_rules = BROKE(below);

void abi_prepare(void) {
}

unsigned abi_watch(fastcopy_function *function, void *dst, uint64_t second, size_t n) {
    static struct abi_call call;
    call.function = function;
    call.arguments[0] = (uint64_t)(uintptr_t)dst;
    call.arguments[1] = second;
    call.arguments[2] = n;
    call.has_vectors = abi_have(FC_CAP_ALTIVEC);
    call.cr_in = support_random() & 0x00fff000; /* cr2 to cr4 */
    for (size_t i = 0; i < COUNT(call.poison); i++)
        call.poison[i] = support_random();
    abi_call(&call);

    unsigned broken = 0;
    for (unsigned i = 0; i < COUNT(call.saved); i++)
        if (call.saved[i] != call.poison[i]) {
            if (i < ABI_GENERAL_COUNT)
                broken |= BROKE(general);
            else if (i < ABI_GENERAL_COUNT + ABI_FLOAT_COUNT)
                broken |= BROKE(floats);
            else if (call.has_vectors)
                broken |= BROKE(vectors);
        }
    if ((call.cr_out & 0x00fff000) != call.cr_in)
        broken |= BROKE(cr);
    for (unsigned i = 0; i < COUNT(call.moved); i++)
        if (call.moved[i] != 0)
            broken |= 1u << (BIT_r1 + i);
    if (call.has_vectors && call.vrsave_out != call.vrsave_in)
        broken |= BROKE(vrsave);
    if (call.has_vectors && call.vscr_out != call.vscr_in)
        broken |= BROKE(vscr);
    if (call.fpscr_out != call.fpscr_in)
        broken |= BROKE(fpscr);
    for (size_t i = 0; i < COUNT(call.below); i++)
        if (call.below[i] != ABI_BELOW_POISON)
            broken |= BROKE(below);
    return broken;
}

/* As abi_ppc64.S has them: one for each register. */
#define GENERAL(X)                                                                                 \
    X(14)                                                                                          \
    X(15)                                                                                          \
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define VECTORS(X) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

#define X(number) HIDDEN fastcopy_function abi_bad_r##number, abi_bad_f##number;
GENERAL(X)
#undef X
#define X(number) HIDDEN fastcopy_function abi_bad_v##number;
VECTORS(X)
#undef X
HIDDEN fastcopy_function abi_bad_cr2, abi_bad_cr3, abi_bad_cr4, abi_bad_r1, abi_bad_r2, abi_bad_r13,
    abi_bad_vrsave, abi_bad_vscr, abi_bad_fpscr, abi_bad_below_near, abi_bad_below_far;

const struct abi_offender abi_offenders[] = {
    {abi_good, 0, 0},
#define X(number) {abi_bad_r##number, BROKE(general), 0}, {abi_bad_f##number, BROKE(floats), 0},
    GENERAL(X)
#undef X
#define X(number) {abi_bad_v##number, BROKE(vectors), FC_CAP_ALTIVEC},
        VECTORS(X)
#undef X
            {abi_bad_cr2, BROKE(cr), 0},
    {abi_bad_cr3, BROKE(cr), 0},
    {abi_bad_cr4, BROKE(cr), 0},
    {abi_bad_r1, BROKE(r1), 0},
    {abi_bad_r2, BROKE(r2), 0},
    {abi_bad_r13, BROKE(r13), 0},
    {abi_bad_vrsave, BROKE(vrsave), FC_CAP_ALTIVEC},
    {abi_bad_vscr, BROKE(vscr), FC_CAP_ALTIVEC},
    {abi_bad_fpscr, BROKE(fpscr), 0},
    {abi_bad_below_near, BROKE(below), 0},
    {abi_bad_below_far, BROKE(below), 0},
};

const size_t abi_offender_count = COUNT(abi_offenders);
