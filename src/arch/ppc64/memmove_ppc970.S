/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, ppc970
    FC_GOTO memmove, generic
    FC_END memmove, ppc970
    FC_ALIAS memcpy, memmove, ppc970

    FC_FUNC mempcpy, ppc970
    FC_GOTO mempcpy, generic
    FC_END mempcpy, ppc970
