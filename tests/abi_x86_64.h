/* SPDX-License-Identifier: MIT */
/* What abi_x86_64.S sees of a call; offsets for the assembler, checked against the struct in
 * test_abi.c. */
#ifndef FC_ABI_X86_64_H
#define FC_ABI_X86_64_H

/* Callee-saved registers: rbx, rbp, r12 to r15, in this order. */
#define ABI_SAVED_COUNT 6
/* Bytes below the red zone that are watched. */
#define ABI_BELOW_SIZE 1024
#define ABI_RED_ZONE 128
/* ymm0 to ymm15: their upper halves, 16 bytes each; zmm0 to zmm15: 32 bytes each. */
#define ABI_YMM_SIZE (16 * 16)
#define ABI_ZMM_SIZE (16 * 32)

#define ABI_FUNCTION 0
#define ABI_ARGUMENTS 8 /* rdi, rsi, rdx */
#define ABI_HAVE_AVX 32
#define ABI_HAVE_AVX512 40
#define ABI_HAVE_XINUSE 48
#define ABI_POISON 56 /* for the callee-saved registers, before */
#define ABI_SAVED 104 /* the same, after */
#define ABI_RESULT 152
#define ABI_RSP_MOVED 160
#define ABI_RFLAGS 168
#define ABI_MXCSR 176   /* in and out, 4 bytes each */
#define ABI_X87_CW 184  /* in and out, 2 bytes each */
#define ABI_X87_TAG 188 /* out, 2 bytes */
#define ABI_XINUSE 192
#define ABI_YMM 200
#define ABI_ZMM (ABI_YMM + ABI_YMM_SIZE)
#define ABI_BELOW (ABI_ZMM + ABI_ZMM_SIZE)
#define ABI_SIZE (ABI_BELOW + ABI_BELOW_SIZE)

/* The pattern below the red zone, by 8 bytes. */
#define ABI_BELOW_POISON 0x5ac35ac3

#endif
