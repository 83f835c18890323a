/* SPDX-License-Identifier: MIT */
#include "cpu.h"

const char *fc_cap_name(unsigned bit) {
    static const char *const names[] = {
#define FC_CAP(id, name) name,
#include "caps.def"
#undef FC_CAP
    };
    return bit < FC_CAP_COUNT ? names[bit] : "?";
}

const char *fc_uarch_name(unsigned uarch) {
    static const char *const names[] = {
        "unknown",
#define FC_UARCH(id, name, ...) name,
#include "uarchs.def"
#undef FC_UARCH
    };
    return uarch < FC_UARCH_COUNT ? names[uarch] : "?";
}
