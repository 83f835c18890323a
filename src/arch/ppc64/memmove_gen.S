/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, gen
    FC_GOTO memmove, generic
    FC_END memmove, gen
    FC_ALIAS memcpy, memmove, gen

    FC_FUNC mempcpy, gen
    FC_GOTO mempcpy, generic
    FC_END mempcpy, gen
