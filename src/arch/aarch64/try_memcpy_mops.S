/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy by the copy instructions of FEAT_MOPS that go forward.
 *
 * Contract   size_t try_memcpy(void *dst, const void *src, size_t n): what was not copied; overlap as if copied forward,
 *            byte by byte
 * Needs      MOPS
 *
 * Algorithm  the triple CPYFP, CPYFM, CPYFE, the first byte stored before (asm.h). Overlapping buffers go to try_memcpy_gpr
 *
 * The place at a fault [Arm ARM, "Memory Copy and Memory Set instructions"]: each of the three can be begun again with the
 * registers that a fault leaves, so all below what they say is copied.
 *   CPYFP          as at its beginning: x3 the place
 *   CPYFM, CPYFE   option A (C clear) keeps the end in x3 and in x5 what is left, negative; option B (C set) the place in x3
 * They may have copied bytes above that, too. Those will be copied again, unless their memory goes away meanwhile (a file that
 * shrinks): then they have changed although the count leaves them out. So this kernel is not preferred anywhere.
 *
 * x5 itself is not the count: CPYFP lowers sizes to 2^55 - 1.
 *
 * Registers  x0 dst, x1 src, x2 n; x3 dst, x4 src, x5 n as the instructions change them; x6 distance, data
 */
#include "asm.h"
    FC_EXTENSION mops

#define L(name) .Ltry_mops_##name

    FC_TRY_FUNC try_memcpy, mops
    subs    x6, x0, x1
    mov     x3, x0
    cneg    x6, x6, lo
    mov     x4, x1
    cmp     x6, x2
    b.lo    L(overlap)
    cbz     x2, L(copied)
    mov     x5, x2
    FC_TRY  L(none), ldrb w6, [x1]
    FC_TRY  L(none), strb w6, [x0]
    FC_TRY  L(prologue), cpyfp [x3]!, [x4]!, x5!
    FC_TRY  L(after_prologue), cpyfm [x3]!, [x4]!, x5!
    FC_TRY  L(after_prologue), cpyfe [x3]!, [x4]!, x5!
L(copied):
    mov     x0, 0
    ret
L(overlap):
    FC_GOTO try_memcpy, gpr

    FC_BLOCK_ALIGN
L(after_prologue):
    csel    x5, xzr, x5, hs
    add     x3, x3, x5
L(prologue):
    sub     x3, x3, x0
    b       L(bytes)
#include "try_bytes.inc"
    FC_TRY_END try_memcpy, mops
