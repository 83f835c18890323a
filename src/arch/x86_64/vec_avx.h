/* SPDX-License-Identifier: MIT */
/*
 * 32-byte vectors, AVX (not AVX2: moves only).
 *
 * V0..V15  vectors of VEC bytes; MOVU, MOVA, MOVNT: unaligned, aligned, streaming moves of them
 * X0, X1   their low 16 bytes; XMOVU moves those
 * Y0, Y1   their low 32 bytes, where VEC > 32
 * VEC_SPREAD  fills V0 with rcx
 * VEC_END  before ret on every path that used more than X registers
 */
#define VARIANT avx
#define VEC 32

#define MOVU vmovups
#define MOVA vmovaps
#define MOVNT vmovntps
#define XMOVU vmovups
#define VEC_END vzeroupper
#define VEC_SPREAD vmovq %rcx, %xmm0; vpunpcklqdq %xmm0, %xmm0, %xmm0; vinsertf128 $1, %xmm0, %ymm0, %ymm0

#define V0 %ymm0
#define V1 %ymm1
#define V2 %ymm2
#define V3 %ymm3
#define V4 %ymm4
#define V5 %ymm5
#define V6 %ymm6
#define V7 %ymm7
#define V8 %ymm8
#define V9 %ymm9
#define V10 %ymm10
#define V11 %ymm11
#define V12 %ymm12
#define V13 %ymm13
#define V14 %ymm14
#define V15 %ymm15
#define X0 %xmm0
#define X1 %xmm1
