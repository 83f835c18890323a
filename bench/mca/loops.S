/* SPDX-License-Identifier: MIT */
/* AArch64 code with known loops, for test.py. */
    .macro FUNCTION name
    .globl \name
    .type \name, %function
\name:
    .endm
    .macro END name
    .size \name, . - \name
    .endm

    .text
/* A chain of eight additions a turn, each of one cycle, and 8 bytes stored. */
    FUNCTION known_chain
1:  .rept 8
    add     x0, x0, 1
    .endr
    str     x0, [x1]
    b       1b
    END known_chain

/* A jump back that is no loop, a small loop, the main one, an equal one, and a loop around both of these. */
    FUNCTION known_choice
    cbz     x2, 2f
1:  stp     q0, q1, [x0]
    stp     q0, q1, [x0, 32]
    ret
2:  tbnz    x2, 0, 1b
3:  str     x0, [x1], 8
    cbnz    x2, 3b
4:  stp     q0, q1, [x0], 32
    subs    x2, x2, 1
    b.ne    4b
5:  stp     x0, x1, [x0], 16
    stnp    x0, x1, [x0]
    cbnz    x2, 5b
    stp     q0, q1, [x0]
    stp     q0, q1, [x0, 32]
    tbnz    x2, 0, 4b
    ret
    END known_choice
