/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC clear_page, gen
    FC_GOTO clear_page, generic
    FC_END clear_page, gen
