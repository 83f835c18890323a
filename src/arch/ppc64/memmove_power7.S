/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, power7
    FC_GOTO memmove, generic
    FC_END memmove, power7
    FC_ALIAS memcpy, memmove, power7

    FC_FUNC mempcpy, power7
    FC_GOTO mempcpy, generic
    FC_END mempcpy, power7
