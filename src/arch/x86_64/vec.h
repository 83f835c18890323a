/* SPDX-License-Identifier: MIT */
/*
 * Runs of vectors, on the names that vec_sse2.h, vec_avx.h and vec_avx512.h define. `m` is the memory
 * operand without displacement, as (%rsi,%rdx); `o` the displacement; the registers follow.
 */
#ifndef FC_VEC_H
#define FC_VEC_H

#define LOAD1(o, m, a) MOVU (o)m, a
#define LOAD2(o, m, a, b) LOAD1(o, m, a); LOAD1(o + VEC, m, b)
#define LOAD4(o, m, a, b, c, d) LOAD2(o, m, a, b); LOAD2(o + 2 * VEC, m, c, d)
#define LOAD8(o, m, a, b, c, d, e, f, g, h) LOAD4(o, m, a, b, c, d); LOAD4(o + 4 * VEC, m, e, f, g, h)

/* `mov`: MOVU, MOVA or MOVNT. */
#define STORE1(mov, o, m, a) mov a, (o)m
#define STORE2(mov, o, m, a, b) STORE1(mov, o, m, a); STORE1(mov, o + VEC, m, b)
#define STORE4(mov, o, m, a, b, c, d) STORE2(mov, o, m, a, b); STORE2(mov, o + 2 * VEC, m, c, d)
#define STORE8(mov, o, m, a, b, c, d, e, f, g, h)                                                  \
    STORE4(mov, o, m, a, b, c, d); STORE4(mov, o + 4 * VEC, m, e, f, g, h)

/* From rsi to rdi, rdx bytes in all: 1, 2, 4 or 8 vectors at each end, all loaded before any is stored. */
#define COPY_ENDS_1                                                                                \
    LOAD1(0, (%rsi), V0); LOAD1(-VEC, (%rsi,%rdx), V1);                                            \
    STORE1(MOVU, 0, (%rdi), V0); STORE1(MOVU, -VEC, (%rdi,%rdx), V1)
#define COPY_ENDS_2                                                                                \
    LOAD2(0, (%rsi), V0, V1); LOAD2(-2 * VEC, (%rsi,%rdx), V2, V3);                                \
    STORE2(MOVU, 0, (%rdi), V0, V1); STORE2(MOVU, -2 * VEC, (%rdi,%rdx), V2, V3)
#define COPY_ENDS_4                                                                                \
    LOAD4(0, (%rsi), V0, V1, V2, V3); LOAD4(-4 * VEC, (%rsi,%rdx), V4, V5, V6, V7);                \
    STORE4(MOVU, 0, (%rdi), V0, V1, V2, V3); STORE4(MOVU, -4 * VEC, (%rdi,%rdx), V4, V5, V6, V7)
#define COPY_ENDS_8                                                                                \
    LOAD8(0, (%rsi), V0, V1, V2, V3, V4, V5, V6, V7);                                              \
    LOAD8(-8 * VEC, (%rsi,%rdx), V8, V9, V10, V11, V12, V13, V14, V15);                            \
    STORE8(MOVU, 0, (%rdi), V0, V1, V2, V3, V4, V5, V6, V7);                                       \
    STORE8(MOVU, -8 * VEC, (%rdi,%rdx), V8, V9, V10, V11, V12, V13, V14, V15)

/* V0 to rdi, rdx bytes in all: 1, 2, 4 or 8 vectors at each end. */
#define SET_ENDS_1 STORE1(MOVU, 0, (%rdi), V0); STORE1(MOVU, -VEC, (%rdi,%rdx), V0)
#define SET_ENDS_2 STORE2(MOVU, 0, (%rdi), V0, V0); STORE2(MOVU, -2 * VEC, (%rdi,%rdx), V0, V0)
#define SET_ENDS_4                                                                                 \
    STORE4(MOVU, 0, (%rdi), V0, V0, V0, V0); STORE4(MOVU, -4 * VEC, (%rdi,%rdx), V0, V0, V0, V0)
#define SET_ENDS_8                                                                                 \
    STORE8(MOVU, 0, (%rdi), V0, V0, V0, V0, V0, V0, V0, V0);                                       \
    STORE8(MOVU, -8 * VEC, (%rdi,%rdx), V0, V0, V0, V0, V0, V0, V0, V0)

/*
 * The same by bytes at each end: COPY_ENDS_32B, _64B, _128B and, with VEC > 16, _256B; SET_ENDS_...; a cache line of 64 bytes in
 * V0 and up: LOAD_LINE, STORE_LINE; and a turn of 256 bytes: LOAD_TURN, STORE_TURN.
 */
#if VEC == 16
#define COPY_ENDS_32B COPY_ENDS_2
#define COPY_ENDS_64B COPY_ENDS_4
#define COPY_ENDS_128B COPY_ENDS_8
#define SET_ENDS_32B SET_ENDS_2
#define SET_ENDS_64B SET_ENDS_4
#define SET_ENDS_128B SET_ENDS_8
#define LOAD_LINE(m) LOAD4(0, m, V0, V1, V2, V3)
#define STORE_LINE(m) STORE4(MOVU, 0, m, V0, V1, V2, V3)
#define LOAD_TURN(m)                                                                               \
    LOAD8(0, m, V0, V1, V2, V3, V4, V5, V6, V7);                                                   \
    LOAD8(8 * VEC, m, V8, V9, V10, V11, V12, V13, V14, V15)
#define STORE_TURN(mov, m)                                                                         \
    STORE8(mov, 0, m, V0, V1, V2, V3, V4, V5, V6, V7);                                             \
    STORE8(mov, 8 * VEC, m, V8, V9, V10, V11, V12, V13, V14, V15)
#elif VEC == 32
#define COPY_ENDS_32B COPY_ENDS_1
#define COPY_ENDS_64B COPY_ENDS_2
#define COPY_ENDS_128B COPY_ENDS_4
#define COPY_ENDS_256B COPY_ENDS_8
#define SET_ENDS_32B SET_ENDS_1
#define SET_ENDS_64B SET_ENDS_2
#define SET_ENDS_128B SET_ENDS_4
#define LOAD_LINE(m) LOAD2(0, m, V0, V1)
#define STORE_LINE(m) STORE2(MOVU, 0, m, V0, V1)
#define LOAD_TURN(m) LOAD8(0, m, V0, V1, V2, V3, V4, V5, V6, V7)
#define STORE_TURN(mov, m) STORE8(mov, 0, m, V0, V1, V2, V3, V4, V5, V6, V7)
#else
#define COPY_ENDS_32B                                                                              \
    MOVU (%rsi), Y0; MOVU -32(%rsi,%rdx), Y1; MOVU Y0, (%rdi); MOVU Y1, -32(%rdi,%rdx)
#define COPY_ENDS_64B COPY_ENDS_1
#define COPY_ENDS_128B COPY_ENDS_2
#define COPY_ENDS_256B COPY_ENDS_4
#define SET_ENDS_32B MOVU Y0, (%rdi); MOVU Y0, -32(%rdi,%rdx)
#define SET_ENDS_64B SET_ENDS_1
#define SET_ENDS_128B SET_ENDS_2
#define LOAD_LINE(m) LOAD1(0, m, V0)
#define STORE_LINE(m) STORE1(MOVU, 0, m, V0)
#define LOAD_TURN(m) LOAD4(0, m, V0, V1, V2, V3)
#define STORE_TURN(mov, m) STORE4(mov, 0, m, V0, V1, V2, V3)
#endif

#endif
