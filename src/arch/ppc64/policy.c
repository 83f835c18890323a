/* SPDX-License-Identifier: MIT */
#include "policy.h"

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    fc_policy_caches(cpu, NULL, policy);
#define FC_THRESHOLD(name, text) policy->thresholds.name = 0;
#include "thresholds.def"
#undef FC_THRESHOLD
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        policy->prefer[family].count = 0;
}
