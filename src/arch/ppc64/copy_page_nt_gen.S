/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC copy_page_nt, gen
    FC_GOTO copy_page_nt, generic
    FC_END copy_page_nt, gen
