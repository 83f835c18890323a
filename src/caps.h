/* SPDX-License-Identifier: MIT */
/*
 * Capability bits FC_CAP_* and microarchitectures FC_UARCH_*: the architecture's caps.def and
 * uarchs.def, as enums. Their names are in cpu_names.c.
 */
#ifndef FC_CAPS_H
#define FC_CAPS_H

enum fc_cap_bit {
#define FC_CAP(id, name) FC_CAP_BIT_##id,
#include "caps.def"
#undef FC_CAP
    FC_CAP_COUNT
};

enum {
#define FC_CAP(id, name) FC_CAP_##id = 1 << FC_CAP_BIT_##id,
#include "caps.def"
#undef FC_CAP
};

enum fc_uarch {
    FC_UARCH_UNKNOWN,
#define FC_UARCH(id, ...) FC_UARCH_##id,
#include "uarchs.def"
#undef FC_UARCH
    FC_UARCH_COUNT
};

#endif
