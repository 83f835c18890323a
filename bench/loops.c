/* SPDX-License-Identifier: MIT */
#include "loops.h"

#include "dispatch.h"

#ifdef __x86_64__
#include <immintrin.h>

#define WIDTH 16
#define TARGET
#define STREAM(p, v) _mm_stream_si128((__m128i *)(p), (__m128i)(v))
#include "loops_vector.inc"

#define WIDTH 32
#define TARGET __attribute__((target("avx")))
#define STREAM(p, v) _mm256_stream_si256((__m256i *)(p), (__m256i)(v))
#include "loops_vector.inc"

#define WIDTH 64
#define TARGET __attribute__((target("avx512f")))
#define STREAM(p, v) _mm512_stream_si512((__m512i *)(p), (__m512i)(v))
#include "loops_vector.inc"

static void rep_store(void *dst, const void *src, size_t n) {
    (void)src;
    __asm__ volatile("rep stosb" : "+D"(dst), "+c"(n) : "a"(0) : "memory");
}

static void rep_copy(void *dst, const void *src, size_t n) {
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
}

#define LOOPS(width)                                                                               \
    {                                                                                              \
        width, {                                                                                   \
            [FC_LOOP_load] = load_##width, [FC_LOOP_store] = store_##width,                        \
            [FC_LOOP_stream] = stream_##width, [FC_LOOP_rep_store] = rep_store,                    \
            [FC_LOOP_copy] = copy_##width, [FC_LOOP_stream_copy] = stream_copy_##width,            \
            [FC_LOOP_rep_copy] = rep_copy                                                          \
        }                                                                                          \
    }

const struct fc_loops *fc_loops(void) {
    static const struct fc_loops loops[] = {LOOPS(16), LOOPS(32), LOOPS(64)};
    uint64_t caps = fc_dispatch_state()->cpu.caps;
    return &loops[caps & FC_CAP_AVX512F ? 2 : caps & FC_CAP_AVX ? 1 : 0];
}

#else

#define WIDTH 16
#define TARGET
#include "loops_vector.inc"

const struct fc_loops *fc_loops(void) {
    static const struct fc_loops loops = {
        16, {[FC_LOOP_load] = load_16, [FC_LOOP_store] = store_16, [FC_LOOP_copy] = copy_16}};
    return &loops;
}

#endif
