/* SPDX-License-Identifier: MIT */
/* PLACEHOLDER: to be written */
#include "asm.h"

    FC_FUNC copy_page, vmx
    FC_GOTO copy_page, generic
    FC_END copy_page, vmx
    FC_ALIAS copy_page_nt, copy_page, vmx
