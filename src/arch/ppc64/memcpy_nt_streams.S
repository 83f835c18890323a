/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC memcpy_nt, streams
    FC_GOTO memcpy_nt, generic
    FC_END memcpy_nt, streams
