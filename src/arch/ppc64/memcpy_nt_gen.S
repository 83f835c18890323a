/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memcpy_nt, gen
    FC_GOTO memcpy_nt, generic
    FC_END memcpy_nt, gen
