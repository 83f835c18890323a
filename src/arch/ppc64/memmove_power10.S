/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, power10
    FC_GOTO memmove, generic
    FC_END memmove, power10
    FC_ALIAS memcpy, memmove, power10

    FC_FUNC mempcpy, power10
    FC_GOTO mempcpy, generic
    FC_END mempcpy, power10
