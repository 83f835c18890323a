/* SPDX-License-Identifier: MIT */
/* 16-byte vectors, SSE2. See vec_avx.h for the names. */
#define VARIANT sse2
#define VEC 16

/* movups and movaps, not movdqu and movdqa: a byte shorter, the same load or store. */
#define MOVU movups
#define MOVA movaps
#define MOVNT movntps
#define XMOVU movups
#define VEC_END
#define VEC_SPREAD movq %rcx, %xmm0; punpcklqdq %xmm0, %xmm0

#define V0 %xmm0
#define V1 %xmm1
#define V2 %xmm2
#define V3 %xmm3
#define V4 %xmm4
#define V5 %xmm5
#define V6 %xmm6
#define V7 %xmm7
#define V8 %xmm8
#define V9 %xmm9
#define V10 %xmm10
#define V11 %xmm11
#define V12 %xmm12
#define V13 %xmm13
#define V14 %xmm14
#define V15 %xmm15
#define X0 %xmm0
#define X1 %xmm1
