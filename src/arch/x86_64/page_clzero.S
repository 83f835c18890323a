/* SPDX-License-Identifier: MIT */
/*
 * clear_page by clzero, which clears the aligned line of 64 bytes that holds the byte at rax.
 *
 * Contract   void clear_page(void *dst): 4096 bytes, aligned; ordered as plain stores. Not aligned: it clears
 *            from the start of the line that holds dst, so bytes before it, too
 * Needs      CLZERO (AMD; lines of 64 bytes on every processor that has it)
 *
 * Algorithm  64 lines, four a turn; sfence: clzero is weakly ordered
 *
 * Registers  rax line, rcx end of dst
 */
#include "asm.h"

    FC_CLEAR_PAGE clzero
    mov     %rdi, %rax
    lea     4096(%rdi), %rcx
    FC_LOOP_ALIGN
.Lturn:
    clzero
    add     $64, %rax
    clzero
    add     $64, %rax
    clzero
    add     $64, %rax
    clzero
    add     $64, %rax
    cmp     %rcx, %rax
    jb      .Lturn
    sfence
    ret
    FC_END_PAGE clear_page, clzero, 1
