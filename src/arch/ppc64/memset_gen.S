/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memset, gen
    FC_GOTO memset, generic
    FC_END memset, gen
