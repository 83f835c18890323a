/* SPDX-License-Identifier: MIT */
/*
 * A library whose IFUNC resolver and constructor copy memory. The symbol is local to it, so that
 * the resolver runs while this library is relocated: before any library that is preloaded.
 */
#include "early_calls.h"

#ifndef NO_RESOLVER
static volatile int resolver_calls, resolver_wrong;

static int answer(void) {
    return resolver_wrong;
}

__attribute__((used)) static int (*resolve(void))(void) {
    resolver_calls++;
    resolver_wrong |= early_calls();
    return answer;
}

int ask(void) __attribute__((ifunc("resolve"), visibility("hidden")));
#endif

int early_constructor_wrong = 2; /* 2: not called */

__attribute__((constructor)) static void construct(void) {
    early_constructor_wrong = early_calls();
}

int early_resolver_wrong(void);

int early_resolver_wrong(void) {
#ifdef NO_RESOLVER
    return 0;
#else
    return resolver_calls == 0 ? 2 : ask();
#endif
}
