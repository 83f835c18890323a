/* SPDX-License-Identifier: MIT */
/* Copies memory before any constructor; prints which early calls did right, its library's included.
 */
#include <stdio.h>

#include "early_calls.h"

int early_resolver_wrong(void);
extern int early_constructor_wrong;

static int preinit_wrong = 2;

static void preinit(void) {
    preinit_wrong = early_calls();
}

__attribute__((used, section(".preinit_array"))) static void (*const entry)(void) = preinit;

int main(void) {
#ifndef NO_RESOLVER
    if (early_resolver_wrong() == 0)
        puts("resolver");
#endif
    if (preinit_wrong == 0)
        puts("preinit");
    if (early_constructor_wrong == 0)
        puts("constructor");
    return early_resolver_wrong() | preinit_wrong | early_constructor_wrong;
}
