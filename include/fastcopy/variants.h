/* SPDX-License-Identifier: MIT */
/**
 * @file variants.h
 * @brief The entry points of every kernel, fastcopy_<operation>_<variant>(), by architecture.
 *
 * Each has the contract of its operation in fastcopy.h. Before calling one, make sure that this CPU
 * can run it: see `usable` in fastcopy_variants(). They may be called at any time, also before
 * constructors have run.
 *
 * The names come from the kernel lists, fastcopy/kernels/ARCH.def: a line
 *
 *     FC_KERNEL(memmove, avx512, ...)
 *
 * declares fastcopy_memcpy_avx512(), fastcopy_memmove_avx512() and fastcopy_mempcpy_avx512(). The
 * variant `generic` (portable C) exists on every architecture.
 */
#ifndef FASTCOPY_VARIANTS_H
#define FASTCOPY_VARIANTS_H

#include <fastcopy/fastcopy.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FC_DECLARE_memmove(variant)                                                                \
    FASTCOPY_API void *fastcopy_memcpy_##variant(void *dst, const void *src, size_t n);            \
    FASTCOPY_API void *fastcopy_memmove_##variant(void *dst, const void *src, size_t n);           \
    FASTCOPY_API void *fastcopy_mempcpy_##variant(void *dst, const void *src, size_t n);
#define FC_DECLARE_memset(variant)                                                                 \
    FASTCOPY_API void *fastcopy_memset_##variant(void *dst, int c, size_t n);
#define FC_DECLARE_memcpy_nt(variant)                                                              \
    FASTCOPY_API void *fastcopy_memcpy_nt_##variant(void *dst, const void *src, size_t n);
#define FC_DECLARE_memset_nt(variant)                                                              \
    FASTCOPY_API void *fastcopy_memset_nt_##variant(void *dst, int c, size_t n);
#define FC_DECLARE_copy_page(variant)                                                              \
    FASTCOPY_API void fastcopy_copy_page_##variant(void *dst, const void *src);
#define FC_DECLARE_clear_page(variant) FASTCOPY_API void fastcopy_clear_page_##variant(void *dst);
#define FC_DECLARE_copy_page_nt(variant)                                                           \
    FASTCOPY_API void fastcopy_copy_page_nt_##variant(void *dst, const void *src);
#define FC_DECLARE_clear_page_nt(variant)                                                          \
    FASTCOPY_API void fastcopy_clear_page_nt_##variant(void *dst);

#define FC_DECLARE_try_memcpy(variant)                                                             \
    FASTCOPY_API size_t fastcopy_try_memcpy_##variant(void *dst, const void *src, size_t n);
#define FC_DECLARE_try_memset(variant)                                                             \
    FASTCOPY_API size_t fastcopy_try_memset_##variant(void *dst, int c, size_t n);

#define FC_KERNEL(family, variant, needs, traits, summary) FC_DECLARE_##family(variant)
#include <fastcopy/kernels/generic.def>
#if defined(__x86_64__) && defined(__LP64__)
#include <fastcopy/kernels/x86_64.def>
#elif defined(__aarch64__) && defined(__LP64__) && !defined(__AARCH64EB__)
#include <fastcopy/kernels/aarch64.def>
#elif defined(__powerpc64__) && defined(_CALL_ELF)
#include <fastcopy/kernels/ppc64.def>
#endif
#undef FC_KERNEL

#undef FC_DECLARE_memmove
#undef FC_DECLARE_memset
#undef FC_DECLARE_memcpy_nt
#undef FC_DECLARE_memset_nt
#undef FC_DECLARE_copy_page
#undef FC_DECLARE_clear_page
#undef FC_DECLARE_copy_page_nt
#undef FC_DECLARE_clear_page_nt
#undef FC_DECLARE_try_memcpy
#undef FC_DECLARE_try_memset

#ifdef __cplusplus
}
#endif

#endif /* FASTCOPY_VARIANTS_H */
