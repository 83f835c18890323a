/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fastcopy_function *fc_slots[FC_OP_COUNT];
uint64_t fc_words_span;

#define FC_THRESHOLD(name, text) uint64_t fc_##name;
#include "thresholds.def"
#undef FC_THRESHOLD

static struct fc_state state;

/*
 * Work that is done once. Whoever begins it does it; others either go on without (dispatch) or wait
 * (the calls that describe the choice).
 */
enum { PHASE_NONE, PHASE_RUNNING, PHASE_DONE };
static int deciding;
static int listing;

/* fastcopy_select() moves all operations of a family or none: one call at a time. */
static int selecting;

/* try_memcpy and try_memset: what is to run as soon as, and while, their faults are handled. */
static int tries_in_force;
static uint8_t tries[FC_FAMILY_COUNT];

static int begin(int *phase) {
    int none = PHASE_NONE;
    return __atomic_compare_exchange_n(phase, &none, PHASE_RUNNING, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static void end(int *phase) {
    __atomic_store_n(phase, PHASE_DONE, __ATOMIC_RELEASE);
}

static void wait_for(int *phase) {
    while (__atomic_load_n(phase, __ATOMIC_ACQUIRE) != PHASE_DONE)
        sched_yield(); /* another thread is at it: a few dozen microseconds */
}

void fc_dispatch_thresholds(const struct fc_thresholds *thresholds) {
#define FC_THRESHOLD(name, text) __atomic_store_n(&fc_##name, thresholds->name, __ATOMIC_RELAXED);
#include "thresholds.def"
#undef FC_THRESHOLD
}

static void publish(unsigned family, unsigned kernel) {
    bool by_words = (fc_kernels[kernel].traits & FC_TRAIT_SMALL_BY_WORDS) != 0;
    if (family == FC_FAMILY_memmove)
        __atomic_store_n(&fc_words_span, by_words ? 24 : 0, __ATOMIC_RELAXED);
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (fc_op_family(op) == family)
            __atomic_store_n(&fc_slots[op], fc_kernel_entry(kernel, op), __ATOMIC_RELEASE);
}

void fc_dispatch_init(const char *tunables) {
    if (!begin(&deciding))
        return;
    fc_cpu_detect(&state.cpu);
    fc_tunables_parse(tunables, &state.cpu, &state.tunables, NULL);
    state.cpu.cached_memory = state.tunables.cached_memory;
    fc_policy_decide(&state.cpu, &state.policy);
    fc_tunables_apply(&state.tunables, &state.policy.thresholds);
    /* Thresholds first: a slot that is set must find them. */
    fc_dispatch_thresholds(&state.policy.thresholds);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
        unsigned kernel =
            fc_policy_choose(&state.cpu, &state.policy, family, state.tunables.forced[family]);
        state.automatic[family] = (uint8_t)kernel;
        if (fc_family_tries(family))
            tries[family] = (uint8_t)kernel;
        else
            publish(family, kernel);
    }
    end(&deciding);
}

const struct fc_state *fc_dispatch_state(void) {
    if (__atomic_load_n(&deciding, __ATOMIC_ACQUIRE) == PHASE_NONE)
        fc_dispatch_init(secure_getenv(FC_TUNABLES_ENV));
    wait_for(&deciding);
    return &state;
}

/* ---- verbose=1 ------------------------------------------------------------------------------ */

static void complain(const char *part, size_t length, const char *reason) {
    dprintf(2, "fastcopy: " FC_TUNABLES_ENV ": %.*s: ignored: %s\n", (int)length, part, reason);
}

static void be_verbose(void) {
    struct fc_tunables again;
    fc_tunables_parse(secure_getenv(FC_TUNABLES_ENV), &state.cpu, &again, complain);
    dprintf(2, "fastcopy: %s, %s dispatch\n", fc_uarch_name(state.cpu.uarch), fc_dispatch_form);
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        unsigned family = fc_op_family(op);
        if (fc_dispatch_serves[op])
            dprintf(2, "fastcopy: %s: %s (%s)\n", fc_op_name(op),
                    fc_kernels[state.automatic[family]].name,
                    state.tunables.forced[family] >= 0 ? "forced by " FC_TUNABLES_ENV
                                                       : "first usable in the policy's order");
    }
#define FC_THRESHOLD(name, text)                                                                   \
    dprintf(                                                                                       \
        2, "fastcopy: " #name ": %llu (%s)\n", (unsigned long long)state.policy.thresholds.name,   \
        state.tunables.threshold_set[FC_THRESHOLD_##name] ? "set by " FC_TUNABLES_ENV : "policy");
#include "thresholds.def"
#undef FC_THRESHOLD
}

__attribute__((constructor)) static void construct(void) {
    if (fc_dispatch_state()->tunables.verbose)
        be_verbose();
}

/* ---- the public part ------------------------------------------------------------------------ */

static unsigned find_op(const char *name) {
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (strcmp(name, fc_op_name(op)) == 0)
            return op;
    errno = EINVAL;
    return FC_OP_COUNT;
}

static void begin_selecting(void) {
    while (__atomic_exchange_n(&selecting, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void end_selecting(void) {
    __atomic_store_n(&selecting, 0, __ATOMIC_RELEASE);
}

void fc_dispatch_try(void) {
    fc_dispatch_state();
    begin_selecting();
    __atomic_store_n(&tries_in_force, 1, __ATOMIC_RELAXED);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        if (fc_family_tries(family))
            publish(family, tries[family]);
    end_selecting();
}

int fc_dispatch_tries(void) {
    return __atomic_load_n(&tries_in_force, __ATOMIC_RELAXED);
}

/* The kernel that runs now; exact also when select is moving it. */
static unsigned current(unsigned op) {
    fastcopy_function *entry = __atomic_load_n(&fc_slots[op], __ATOMIC_ACQUIRE);
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
        if (entry != NULL && fc_kernel_entry(kernel, op) == entry)
            return kernel;
    return fc_family_baseline(fc_op_family(op));
}

static int usable(unsigned kernel) {
    return (fc_kernels[kernel].needs & ~state.cpu.caps) == 0;
}

const char *fastcopy_dispatch(void) {
    return fc_dispatch_form;
}

const char *fastcopy_selected(const char *op_name) {
    unsigned op = find_op(op_name);
    if (op == FC_OP_COUNT)
        return NULL;
    fc_dispatch_state();
    return fc_kernels[current(op)].name;
}

int fastcopy_select(const char *op_name, const char *name) {
    unsigned op = find_op(op_name);
    if (op == FC_OP_COUNT)
        return -1;
    fc_dispatch_state();
    unsigned family = fc_op_family(op);
    unsigned kernel = state.automatic[family];
    if (name != NULL) {
        kernel = 0;
        while (kernel < FC_KERNEL_COUNT &&
               (fc_kernels[kernel].family != family || strcmp(fc_kernels[kernel].name, name) != 0))
            kernel++;
        if (kernel == FC_KERNEL_COUNT) {
            errno = ENOENT;
            return -1;
        }
        if (!usable(kernel)) {
            errno = ENOEXEC;
            return -1;
        }
    }
    if (!fc_dispatch_movable && !fc_op_tries(op)) {
        errno = ENOTSUP;
        return -1;
    }
    begin_selecting();
    if (fc_family_tries(family))
        tries[family] = (uint8_t)kernel;
    if (!fc_family_tries(family) || tries_in_force)
        publish(family, kernel);
    end_selecting();
    return 0;
}

/* The list of each operation, in static storage, made at the first call. */
#define NEEDS_SIZE 96
static char needs_text[FC_KERNEL_COUNT][NEEDS_SIZE];
static fastcopy_variant lists[FC_OP_COUNT][FC_KERNEL_COUNT];
static size_t list_length[FC_OP_COUNT];

static void join_needs(unsigned kernel) {
    size_t length = 0;
    for (unsigned bit = 0; bit != FC_CAP_COUNT; bit++)
        if ((fc_kernels[kernel].needs >> bit & 1) != 0)
            length += (size_t)snprintf(needs_text[kernel] + length, NEEDS_SIZE - length, "%s%s",
                                       length > 0 ? " " : "", fc_cap_name(bit));
}

static void make_lists(void) {
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
        join_needs(kernel);
        for (unsigned op = 0; op < FC_OP_COUNT; op++) {
            fastcopy_function *entry = fc_kernel_entry(kernel, op);
            if (entry == NULL)
                continue;
            fastcopy_variant *variant = &lists[op][list_length[op]++];
            variant->name = fc_kernels[kernel].name;
            variant->needs = needs_text[kernel];
            variant->summary = fc_kernel_summary(kernel);
            variant->entry = entry;
            variant->usable = usable(kernel);
        }
    }
}

const fastcopy_variant *fastcopy_variants(const char *op_name, size_t *count) {
    unsigned op = find_op(op_name);
    if (op == FC_OP_COUNT) {
        if (count != NULL)
            *count = 0;
        return NULL;
    }
    fc_dispatch_state();
    if (begin(&listing)) {
        make_lists();
        end(&listing);
    }
    wait_for(&listing);
    fastcopy_function *selected = fc_kernel_entry(current(op), op);
    for (size_t i = 0; i < list_length[op]; i++)
        __atomic_store_n(&lists[op][i].selected, lists[op][i].entry == selected, __ATOMIC_RELAXED);
    if (count != NULL)
        *count = list_length[op];
    return lists[op];
}
