/* SPDX-License-Identifier: MIT */
#include "bench.h"

#define FC_BODY __attribute__((noinline, aligned(64)))

FC_BODY void fc_body_copy(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct fc_call call = *(const struct fc_call *)work;
    fc_copy_function *function = (fc_copy_function *)contender->function;
    while (calls-- > 0)
        function(call.dst, call.src, call.n);
}

FC_BODY void fc_body_set(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct fc_call call = *(const struct fc_call *)work;
    fc_set_function *function = (fc_set_function *)contender->function;
    while (calls-- > 0)
        function(call.dst, 0x5a, call.n);
}
