/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, power6
    FC_GOTO memmove, generic
    FC_END memmove, power6
    FC_ALIAS memcpy, memmove, power6

    FC_FUNC mempcpy, power6
    FC_GOTO mempcpy, generic
    FC_END mempcpy, power6
