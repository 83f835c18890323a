/* SPDX-License-Identifier: MIT */
/* What abi_ppc64.S sees of a call; offsets for the assembler, checked against the struct in
 * abi_ppc64.c. */
#ifndef FC_ABI_PPC64_H
#define FC_ABI_PPC64_H

/* r14 to r31, f14 to f31, and v20 to v31 by two words of 8 bytes each. */
#define ABI_GENERAL_COUNT 18
#define ABI_FLOAT_COUNT 18
#define ABI_VECTOR_COUNT 12
#define ABI_KEPT_COUNT (ABI_GENERAL_COUNT + ABI_FLOAT_COUNT + 2 * ABI_VECTOR_COUNT)
/* Bytes below the stack pointer that are watched, the 288 that are the function's own among them.
 */
#define ABI_BELOW_SIZE 1024

#define ABI_FUNCTION 0
#define ABI_ARGUMENTS 8 /* r3 to r5 */
#define ABI_HAS_VECTORS 32
#define ABI_CR 40           /* in and out */
#define ABI_VECTOR_STATE 56 /* VRSAVE and VSCR: in and out */
#define ABI_FPSCR 80        /* in and out */
#define ABI_MOVED 96        /* r1, r2, r13: by how much */
#define ABI_LR_SAVED 120
#define ABI_POISON 128                              /* for these registers, before */
#define ABI_SAVED (ABI_POISON + 8 * ABI_KEPT_COUNT) /* the same, after */
#define ABI_BELOW (ABI_SAVED + 8 * ABI_KEPT_COUNT)
#define ABI_SIZE (ABI_BELOW + ABI_BELOW_SIZE)

/* The pattern below the stack pointer, by 8 bytes. */
#define ABI_BELOW_POISON 0x5ac3

#endif
