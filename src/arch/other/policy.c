/* SPDX-License-Identifier: MIT */
/* Nothing is known of the machine: no thresholds, and the baseline, the portable kernels. */
#include "policy.h"

void fc_policy_decide(const struct fc_cpu *cpu, struct fc_policy *policy) {
    fc_policy_start(cpu, NULL, policy);
}
