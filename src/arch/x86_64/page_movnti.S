/* SPDX-License-Identifier: MIT */
/*
 * copy_page and clear_page through general registers: streaming stores without vectors.
 *
 * Contract   void copy_page(void *dst, const void *src); void clear_page(void *dst): 4096 bytes, aligned; a
 *            page onto itself; ordered as plain stores. Not aligned: the same
 * Needs      nothing (SSE2)
 *
 * Algorithm  32 bytes a turn, loads before stores; sfence
 *
 * Registers  rdi dst, rsi src, rcx end of dst; rax, rdx, r8, r9 data
 */
#include "asm.h"

    FC_COPY_PAGE movnti
    lea     4096(%rdi), %rcx
    FC_LOOP_ALIGN
.Lcopy_turn:
    mov     (%rsi), %rax
    mov     8(%rsi), %rdx
    mov     16(%rsi), %r8
    mov     24(%rsi), %r9
    add     $32, %rsi
    movnti  %rax, (%rdi)
    movnti  %rdx, 8(%rdi)
    movnti  %r8, 16(%rdi)
    movnti  %r9, 24(%rdi)
    add     $32, %rdi
    cmp     %rcx, %rdi
    jb      .Lcopy_turn
    sfence
    ret
    FC_END_PAGE copy_page, movnti, 1

    FC_CLEAR_PAGE movnti
    lea     4096(%rdi), %rcx
    xor     %eax, %eax
    FC_LOOP_ALIGN
.Lclear_turn:
    movnti  %rax, (%rdi)
    movnti  %rax, 8(%rdi)
    movnti  %rax, 16(%rdi)
    movnti  %rax, 24(%rdi)
    add     $32, %rdi
    cmp     %rcx, %rdi
    jb      .Lclear_turn
    sfence
    ret
    FC_END_PAGE clear_page, movnti, 1
