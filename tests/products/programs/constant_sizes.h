/* SPDX-License-Identifier: MIT */
/* X(n) for sizes as literals: those that the header expands at -Os too, the rest that it expands,
 * and the first one that it does not. */
#ifndef CONSTANT_SIZES_H
#define CONSTANT_SIZES_H

#define DIGITS(X, tens)                                                                            \
    X(tens##0)                                                                                     \
    X(tens##1)                                                                                     \
    X(tens##2)                                                                                     \
    X(tens##3)                                                                                     \
    X(tens##4)                                                                                     \
    X(tens##5)                                                                                     \
    X(tens##6)                                                                                     \
    X(tens##7)                                                                                     \
    X(tens##8)                                                                                     \
    X(tens##9)

#define SIZES_0_32(X)                                                                              \
    DIGITS(X, )                                                                                    \
    DIGITS(X, 1)                                                                                   \
    DIGITS(X, 2)                                                                                   \
    X(30)                                                                                          \
    X(31)                                                                                          \
    X(32)
#define SIZES_33_128(X)                                                                            \
    X(33)                                                                                          \
    X(34)                                                                                          \
    X(35)                                                                                          \
    X(36)                                                                                          \
    X(37)                                                                                          \
    X(38)                                                                                          \
    X(39)                                                                                          \
    DIGITS(X, 4)                                                                                   \
    DIGITS(X, 5)                                                                                   \
    DIGITS(X, 6)                                                                                   \
    DIGITS(X, 7)                                                                                   \
    DIGITS(X, 8)                                                                                   \
    DIGITS(X, 9)                                                                                   \
    DIGITS(X, 10)                                                                                  \
    DIGITS(X, 11)                                                                                  \
    X(120)                                                                                         \
    X(121)                                                                                         \
    X(122)                                                                                         \
    X(123)                                                                                         \
    X(124)                                                                                         \
    X(125)                                                                                         \
    X(126)                                                                                         \
    X(127)                                                                                         \
    X(128)
#define SIZES_129(X) X(129)

#endif
