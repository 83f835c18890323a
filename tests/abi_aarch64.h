/* SPDX-License-Identifier: MIT */
/* What abi_aarch64.S sees of a call; offsets for the assembler, checked against the struct in
 * abi_aarch64.c. */
#ifndef FC_ABI_AARCH64_H
#define FC_ABI_AARCH64_H

/* x18, the platform's, and x19 to x29; the low halves of v8 to v15, whose upper ones are not kept.
 */
#define ABI_GENERAL_COUNT 12
#define ABI_VECTOR_COUNT 8
/* Bytes below the stack pointer that are watched: there is no red zone. */
#define ABI_BELOW_SIZE 1024

#define ABI_FUNCTION 0
#define ABI_ARGUMENTS 8 /* x0 to x2 */
#define ABI_POISON 32   /* for these registers, before: the general ones, then the vectors */
#define ABI_SAVED (ABI_POISON + 8 * (ABI_GENERAL_COUNT + ABI_VECTOR_COUNT)) /* the same, after */
#define ABI_SP_MOVED (ABI_SAVED + 8 * (ABI_GENERAL_COUNT + ABI_VECTOR_COUNT))
#define ABI_FPCR (ABI_SP_MOVED + 8) /* in and out */
#define ABI_FPSR (ABI_FPCR + 16)    /* in and out */
#define ABI_BELOW (ABI_FPSR + 16)
#define ABI_SIZE (ABI_BELOW + ABI_BELOW_SIZE)

/* The pattern below the stack pointer, by 8 bytes. */
#define ABI_BELOW_POISON 0x5ac3

#endif
