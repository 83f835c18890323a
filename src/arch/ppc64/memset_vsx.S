/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memset, vsx
    FC_GOTO memset, generic
    FC_END memset, vsx
    FC_ALIAS memset_nt, memset, vsx
