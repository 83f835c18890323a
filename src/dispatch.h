/* SPDX-License-Identifier: MIT */
/*
 * dispatch: which kernel runs.
 *
 * All state is in .bss, and zero means "not decided yet: run the baseline". So an entry may be
 * called before any relocation or constructor of this object: by another library's IFUNC resolver,
 * by .preinit_array. There is no lock; each decision is published by one aligned store.
 */
#ifndef FC_DISPATCH_H
#define FC_DISPATCH_H

#include "kernels.h"
#include "policy.h"
#include "tunables.h"

/* One slot per operation; NULL: the baseline. */
extern FC_HIDDEN fastcopy_function *fc_slots[FC_OP_COUNT];

/* Of so many sizes from 8 on entry.h copies without the kernel: 24, or 0 where the kernel would do
 * it in another way. */
extern FC_HIDDEN uint64_t fc_words_span;

/* The thresholds, one symbol each, as the kernels read them; 0: never. */
#define FC_THRESHOLD(name, text) extern FC_HIDDEN uint64_t fc_##name;
#include "thresholds.def"
#undef FC_THRESHOLD

struct fc_state {
    struct fc_cpu cpu;
    struct fc_policy policy;
    struct fc_tunables tunables;
    uint8_t automatic[FC_FAMILY_COUNT]; /* by policy and tunables */
};

/*
 * Decides, once per process; later calls return at once, a call during the first one too. tunables
 * is the text of FASTCOPY_TUNABLES or NULL. Safe inside IFUNC resolvers.
 */
void fc_dispatch_init(const char *tunables);

/* The same with the process's environment; returns when the decision is there. */
const struct fc_state *fc_dispatch_state(void);

/* Puts the chosen kernels of try_memcpy and try_memset into force, once their faults are handled.
 */
void fc_dispatch_try(void);
int fc_dispatch_tries(void); /* are they? */

/* Publishes thresholds (for the tests too). */
void fc_dispatch_thresholds(const struct fc_thresholds *thresholds);

/* Set by the form of dispatch that this product was linked with: see entry_ifunc.c,
 * entry_pointer.c. */
extern FC_HIDDEN const char fc_dispatch_form[];
extern FC_HIDDEN const int fc_dispatch_movable;
extern FC_HIDDEN const unsigned char fc_dispatch_serves[FC_OP_COUNT]; /* has it an entry for it? */

#endif
