/* SPDX-License-Identifier: MIT */
/*
 * Streaming copy: memmove_vmx.inc, its streams announced as transient: the lines need not stay in the caches.
 *
 * Contract   void *memcpy_nt(void *dst, const void *src, size_t n); any overlap. There are no stores past the caches.
 */
#include "asm.h"
#include "copy_32.inc"
#define TRANSIENT 1
#define L(name) .Lstreams_##name

    FC_MACHINE power7
    FC_FUNC memcpy_nt, streams
    mr      r6, r3
#include "memmove_vmx.inc"
    FC_END  memcpy_nt, streams
