/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memmove, cell
    FC_GOTO memmove, generic
    FC_END memmove, cell
    FC_ALIAS memcpy, memmove, cell

    FC_FUNC mempcpy, cell
    FC_GOTO mempcpy, generic
    FC_END mempcpy, cell
