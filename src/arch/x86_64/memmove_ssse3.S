/* SPDX-License-Identifier: MIT */
/*
 * memmove by aligned 16-byte loads and palignr, for cores on which unaligned loads are slow.
 *
 * Contract   void *memmove(void *dst, const void *src, size_t n); mempcpy returns dst + n. Any overlap.
 * Needs      SSSE3
 *
 * Algorithm
 *   0 to 128, or dst inside [src, src + n)   the sse2 kernel
 *   above      forward, 64 bytes a turn, from aligned loads to an aligned destination. There is one loop
 *              for each misalignment 1 to 15, since palignr takes its shift as an immediate, and one
 *              without palignr. The first 32 bytes are loaded before the loop and stored after it; what
 *              is left at the end (16 to 79 bytes) goes to the sse2 kernel.
 *   Bounds     The loop starts 16 to 31 bytes into the buffer, so that its first aligned load lies
 *              inside; it reads up to 15 bytes beyond a turn, so it ends while 80 bytes are left.
 *
 * Registers  rax result, rdi place in dst, rsi place in src (rounded down to 16), rdx end of dst
 *            rcx misalignment, then scratch; r8 last place where a turn may start; r9 dst; r10 src - dst
 *            xmm6, xmm7 the first 32 bytes; xmm0 the block before; xmm1 to xmm5 the turn
 */
#include "asm.h"

/* One loop takes less than this; their addresses are computed. */
#define LOOP_BYTES_LOG2 7

.macro END_TURN loop
    movaps  %xmm1, (%rdi)
    movaps  %xmm2, 16(%rdi)
    movaps  %xmm3, 32(%rdi)
    movaps  %xmm4, 48(%rdi)
    add     $64, %rsi
    add     $64, %rdi
    cmp     %r8, %rdi
    jbe     \loop
.endm

.macro SHIFT_LOOP shift
    FC_CODE_ALIGN LOOP_BYTES_LOG2
    FC_LANDING
.Lloop_\shift:
    movaps  16(%rsi), %xmm1
    movaps  32(%rsi), %xmm2
    movaps  48(%rsi), %xmm3
    movaps  64(%rsi), %xmm4
    movaps  %xmm4, %xmm5
    palignr $\shift, %xmm3, %xmm4
    palignr $\shift, %xmm2, %xmm3
    palignr $\shift, %xmm1, %xmm2
    palignr $\shift, %xmm0, %xmm1
    movaps  %xmm5, %xmm0
    END_TURN .Lloop_\shift
    jmp     .Lend
.endm

    FC_MEMMOVE_ENTRIES ssse3
    cmp     $128, %rdx
    jbe     .Lsse2
    mov     %rdi, %rcx
    sub     %rsi, %rcx                  /* dst - src */
    cmp     %rdx, %rcx
    jb      .Lsse2
    movups  (%rsi), %xmm6
    movups  16(%rsi), %xmm7
    mov     %rdi, %r9
    mov     %rsi, %r10
    sub     %rdi, %r10                  /* src - dst */
    lea     -80(%rdi,%rdx), %r8
    add     %rdi, %rdx                  /* end of dst */
    add     $31, %rdi
    and     $-16, %rdi                  /* 16 to 31 bytes on */
    lea     (%rdi,%r10), %rsi
    mov     %esi, %ecx
    and     $15, %ecx
    jz      .Lloop_0
    and     $-16, %rsi
    movaps  (%rsi), %xmm0
    shl     $LOOP_BYTES_LOG2, %ecx
    lea     (.Lloops - (1 << LOOP_BYTES_LOG2))(%rip), %r11
    add     %r11, %rcx
    jmp     *%rcx

    FC_LOOP_ALIGN
.Lloop_0:
    movaps  (%rsi), %xmm1
    movaps  16(%rsi), %xmm2
    movaps  32(%rsi), %xmm3
    movaps  48(%rsi), %xmm4
    END_TURN .Lloop_0
.Lend:
    movups  %xmm6, (%r9)
    movups  %xmm7, 16(%r9)
    lea     (%rdi,%r10), %rsi
    sub     %rdi, %rdx
.Lsse2:
    FC_GOTO memmove_body, sse2

    FC_CODE_ALIGN LOOP_BYTES_LOG2
.Lloops:                                /* the loop for shift s stands s - 1 places on */
    SHIFT_LOOP 1
    SHIFT_LOOP 2
    SHIFT_LOOP 3
    SHIFT_LOOP 4
    SHIFT_LOOP 5
    SHIFT_LOOP 6
    SHIFT_LOOP 7
    SHIFT_LOOP 8
    SHIFT_LOOP 9
    SHIFT_LOOP 10
    SHIFT_LOOP 11
    SHIFT_LOOP 12
    SHIFT_LOOP 13
    SHIFT_LOOP 14
    SHIFT_LOOP 15
    FC_END  memmove, ssse3
