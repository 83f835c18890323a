/* SPDX-License-Identifier: MIT */
/*
 * 64-byte vectors, AVX-512F and VL. See vec_avx.h for the names.
 *
 * Only registers 16 to 31: they leave no dirty upper halves that slow SSE code down, so no vzeroupper is
 * needed, which would also abort a transaction (RTM). VL gives their 16 and 32-byte forms.
 */
#define VARIANT avx512
#define VEC 64

#define MOVU vmovups
#define MOVA vmovaps
#define MOVNT vmovntps
#define XMOVU vmovups
#define VEC_END
#define VEC_SPREAD vpbroadcastq %rcx, %zmm16

#define V0 %zmm16
#define V1 %zmm17
#define V2 %zmm18
#define V3 %zmm19
#define V4 %zmm20
#define V5 %zmm21
#define V6 %zmm22
#define V7 %zmm23
#define V8 %zmm24
#define V9 %zmm25
#define V10 %zmm26
#define V11 %zmm27
#define V12 %zmm28
#define V13 %zmm29
#define V14 %zmm30
#define V15 %zmm31
#define Y0 %ymm16
#define Y1 %ymm17
#define X0 %xmm16
#define X1 %xmm17
