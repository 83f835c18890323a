/* SPDX-License-Identifier: MIT */
/* memmove for POWER7, and for POWER8 and 9 where memory may be cache-inhibited: memmove_vmx.inc. */
#include "asm.h"
#include "copy_32.inc"
#define TRANSIENT 0
#define L(name) .Lpower7_##name

    FC_MACHINE power7
    FC_MEMMOVE power7
#include "memmove_vmx.inc"
    FC_MEMMOVE_END power7
