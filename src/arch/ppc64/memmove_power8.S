/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, power8
    FC_GOTO memmove, generic
    FC_END memmove, power8
    FC_ALIAS memcpy, memmove, power8

    FC_FUNC mempcpy, power8
    FC_GOTO mempcpy, generic
    FC_END mempcpy, power8
