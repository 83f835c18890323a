/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC clear_page_nt, gen
    FC_GOTO clear_page_nt, generic
    FC_END clear_page_nt, gen
