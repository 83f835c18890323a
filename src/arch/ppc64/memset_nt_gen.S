/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memset_nt, gen
    FC_GOTO memset_nt, generic
    FC_END memset_nt, gen
