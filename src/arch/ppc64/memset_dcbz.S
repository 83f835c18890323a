/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memset, dcbz
    FC_GOTO memset, generic
    FC_END memset, dcbz
