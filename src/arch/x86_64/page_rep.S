/* SPDX-License-Identifier: MIT */
/*
 * copy_page and clear_page by rep movsq and rep stosq (rep_movsq, rep_stosq), and by rep movsb and rep stosb (erms).
 *
 * Contract   void copy_page(void *dst, const void *src); void clear_page(void *dst): 4096 bytes, aligned; a
 *            page onto itself; ordered as plain stores. Not aligned: the same
 * Needs      nothing to be right; erms is fast with ERMS
 *
 * Registers  rdi dst, rsi src, rcx count, rax 0
 */
#include "asm.h"

    FC_COPY_PAGE rep_movsq
    mov     $512, %ecx
    rep movsq
    ret
    FC_END  copy_page, rep_movsq

    FC_COPY_PAGE erms
    mov     $4096, %ecx
    rep movsb
    ret
    FC_END  copy_page, erms

    FC_CLEAR_PAGE rep_stosq
    xor     %eax, %eax
    mov     $512, %ecx
    rep stosq
    ret
    FC_END  clear_page, rep_stosq

    FC_CLEAR_PAGE erms
    xor     %eax, %eax
    mov     $4096, %ecx
    rep stosb
    ret
    FC_END  clear_page, erms
