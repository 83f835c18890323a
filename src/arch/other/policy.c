/* SPDX-License-Identifier: MIT */
/* Nothing is known of the machine: no thresholds, and the baseline, the portable kernels. */
#include "policy.h"

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    fc_policy_caches(cpu, NULL, policy);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        policy->prefer[family].count = 0;
#define FC_THRESHOLD(name, text) policy->thresholds.name = 0;
#include "thresholds.def"
#undef FC_THRESHOLD
}
