/* SPDX-License-Identifier: MIT */
/**
 * @file fastcopy.h
 * @brief Memory copying as fast as each machine allows: the public API of libfastcopy.
 *
 * Common rules, unless a function says otherwise:
 *
 * - Sizes and distances are in bytes. A size of 0 touches nothing, whatever the pointers are.
 * - No byte outside [p, p + n) is read or written, not even within the same page or MTE granule.
 * - No alignment is required.
 * - Thread-safe and async-signal-safe; no function here allocates or sets errno, except where said.
 * - Copies are ordered as plain stores when they return: no fence is needed after a streaming copy.
 * - Ordinary (write-back cached) memory only. For device and other uncached memory there is
 *   fastcopy_memcpy_device(); no other function supports it.
 *
 * libfastcopy never defines memcpy and its kin: linking it replaces nothing. To replace libc's,
 * preload libfastcopy_preload.so.
 */
#ifndef FASTCOPY_FASTCOPY_H
#define FASTCOPY_FASTCOPY_H

#include <signal.h>
#include <stddef.h>

/** The version of this header. CMakeLists.txt reads it from here. */
#define FASTCOPY_VERSION_MAJOR 0
#define FASTCOPY_VERSION_MINOR 1
#define FASTCOPY_VERSION_PATCH 0

#define FASTCOPY_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- copying -------------------------------------------------------------------------------- */

/**
 * @brief Copies @p n bytes from @p src to @p dst.
 *
 * The same code as fastcopy_memmove(): overlap is allowed, so that no caller can be broken by it.
 * Small constant sizes are expanded by the compiler: see the end of this file.
 *
 * @param dst  destination, writable for @p n bytes
 * @param src  source, readable for @p n bytes
 * @param n    bytes to copy
 * @return @p dst
 */
FASTCOPY_API void *fastcopy_memcpy(void *dst, const void *src, size_t n);

/** @brief Copies @p n bytes from @p src to @p dst; the buffers may overlap. @return @p dst */
FASTCOPY_API void *fastcopy_memmove(void *dst, const void *src, size_t n);

/** @brief As fastcopy_memmove(), returning the end of what was written. @return @p dst + @p n */
FASTCOPY_API void *fastcopy_mempcpy(void *dst, const void *src, size_t n);

/** @brief Sets @p n bytes at @p dst to (unsigned char)@p c. @return @p dst */
FASTCOPY_API void *fastcopy_memset(void *dst, int c, size_t n);

/**
 * @brief Copies @p n bytes with streaming (non-temporal) stores: a hint that @p dst is not read
 * soon.
 *
 * Data larger than the caches goes past them, so that it does not push out what the program works
 * on. Reading @p dst right afterwards is slower than after fastcopy_memcpy(). Small copies, copies
 * whose buffers overlap and cores without such stores take the ordinary path. Overlap is allowed.
 *
 * @return @p dst
 */
FASTCOPY_API void *fastcopy_memcpy_nt(void *dst, const void *src, size_t n);

/**
 * @brief Sets @p n bytes at @p dst to (unsigned char)@p c with streaming stores: a hint that @p dst
 * is not read soon. As fastcopy_memcpy_nt(); small sizes take the ordinary path. @return @p dst
 */
FASTCOPY_API void *fastcopy_memset_nt(void *dst, int c, size_t n);

/* ---- pages ---------------------------------------------------------------------------------- */

/** What fastcopy_copy_page() and its kin copy or clear, whatever the system's page size is. */
#define FASTCOPY_PAGE_SIZE 4096

/**
 * @brief Copies one page of FASTCOPY_PAGE_SIZE bytes; for a page that is used soon.
 *
 * @param dst  destination, aligned to FASTCOPY_PAGE_SIZE
 * @param src  source, aligned to FASTCOPY_PAGE_SIZE; may be @p dst, and then nothing changes
 *
 * Misaligned pointers are an error. A library built without NDEBUG (CMake: Debug) says so on stderr
 * and aborts; otherwise nothing is promised for this call. Of the kernels, when called by name in
 * such a build, all but `clzero`, `zva`, `dcbz`, `cell`, `vmx` and the streaming ones by vectors
 * (`sse2_nt`, `avx_nt`, `avx512_nt`) still treat exactly FASTCOPY_PAGE_SIZE bytes if the two pages
 * do not overlap; the streaming ones raise SIGSEGV, and the others clear or write aligned lines,
 * blocks or vectors from the one that holds @p dst on, and so bytes before it.
 */
FASTCOPY_API void fastcopy_copy_page(void *dst, const void *src);

/** @brief Fills one page with zeros; for a page that is used soon. See fastcopy_copy_page(). */
FASTCOPY_API void fastcopy_clear_page(void *dst);

/** @brief As fastcopy_copy_page(), with streaming stores: a hint that @p dst is not read soon. */
FASTCOPY_API void fastcopy_copy_page_nt(void *dst, const void *src);

/** @brief As fastcopy_clear_page(), with streaming stores: a hint that @p dst is not read soon. */
FASTCOPY_API void fastcopy_clear_page_nt(void *dst);

/* ---- bad addresses --------------------------------------------------------------------------- */

/**
 * @brief Copies @p n bytes, as many as can be: survives addresses that cannot be read or written.
 *
 * @param dst  destination: any pointer
 * @param src  source: any pointer
 * @param n    bytes: any number, also one that leads beyond the top of memory; 0 touches nothing
 * @return the number of bytes that were not copied: 0, or n less the longest prefix that can be
 * read at @p src and written at @p dst. That prefix is in @p dst, and no byte of @p dst beyond it
 * has changed.
 *
 * Overlap: as if copied forward, byte by byte. Before fastcopy_fault_install() the system copies (a
 * few hundred nanoseconds a call), afterwards a kernel whose faults the handler survives: then
 * SIGSEGV and SIGBUS must not be blocked, nor the handler replaced by another that does not call
 * fastcopy_fault_handle(). Where the system does not (errno ENOSYS), nothing is copied. Memory that
 * only the program itself can read, as [vvar] and mapped devices, takes the handler.
 */
FASTCOPY_API size_t fastcopy_try_memcpy(void *dst, const void *src, size_t n);

/** @brief Sets bytes as fastcopy_try_memcpy() copies them. @return the number of bytes not set */
FASTCOPY_API size_t fastcopy_try_memset(void *dst, int c, size_t n);

/** @brief fastcopy_try_memcpy() by the system, always: for threads that block SIGSEGV or SIGBUS. */
FASTCOPY_API size_t fastcopy_try_memcpy_nosig(void *dst, const void *src, size_t n);

/**
 * @brief Installs the handler of SIGSEGV and SIGBUS that lets fastcopy_try_memcpy() and
 * fastcopy_try_memset() survive faults, for all threads and the children of fork().
 *
 * Faults that are not theirs, and signals that somebody sent, go on as if it were not there: to the
 * handler that was there before, with its mask; or, without one, to the system's default, with the
 * fault's own address. (A handler without SA_ONSTACK runs on the alternate stack, if the thread has
 * one.) Calling it again changes nothing. Under valgrind the system goes on to copy.
 *
 * A thread that blocks the two signals is killed by a fault, as ever: there, and where a handler of
 * the program's runs with them blocked, call fastcopy_try_memcpy_nosig().
 *
 * A program that installs a handler of its own later has to call fastcopy_fault_handle() in it, or
 * to pass signals on to the handler that it found.
 *
 * @return 0; or -1 with errno: EBUSY, if a handler has taken the place of ours meanwhile
 *
 * Thread-safe, not async-signal-safe. A plug-in that has linked libfastcopy.a must not be unloaded
 * afterwards.
 */
FASTCOPY_API int fastcopy_fault_install(void);

/**
 * @brief For a program's own handler of SIGSEGV and SIGBUS: was it a fault of fastcopy_try_memcpy()
 * or fastcopy_try_memset()?
 * @return 1: it was; return from the handler, and the call goes on. 0: not ours, nothing has
 * changed.
 *
 * Declared where <signal.h> has SA_SIGINFO (strict C: -D_POSIX_C_SOURCE=200809L).
 * Async-signal-safe.
 */
#ifdef SA_SIGINFO
FASTCOPY_API int fastcopy_fault_handle(int sig, siginfo_t *info, void *ucontext);
#endif

/**
 * @brief How fastcopy_try_memcpy() survives, looked up afresh.
 * @return "signals": by our handler, which is in place for both signals. "foreign": the same, but
 *         another handler has taken its place; right only if that calls fastcopy_fault_handle().
 *         "syscalls": by the system. "none": it does not let us (fastcopy_fault_install() helps).
 *
 * Thread-safe, async-signal-safe.
 */
FASTCOPY_API const char *fastcopy_fault_mode(void);

/* ---- devices --------------------------------------------------------------------------------- */

/**
 * @brief Copies to or from device memory, as a PCIe BAR mapped into the process: only with single
 * accesses of 1, 2, 4 or 8 bytes (4 on 32-bit machines) that are naturally aligned on both sides,
 * in ascending order, each byte read once and written once.
 *
 * @param dst  destination; need not be aligned
 * @param src  source; need not be aligned. Where it differs from @p dst modulo 8, accesses are as
 *             narrow as both allow: 1 byte if by an odd number
 * @param n    bytes; 0 touches nothing
 * @return @p dst
 *
 * The buffers must not overlap. Slow in ordinary memory. No barrier before or after: what orders
 * device accesses with others is the architecture's (on Arm `dmb`, on POWER `eieio` or `sync`). All
 * other operations here are for ordinary memory: their vectors, misaligned accesses, dcbz and DC
 * ZVA may fault on device memory (Arm: Device attributes; POWER: caching inhibited), or be split,
 * repeated or combined. Async-signal-safe; the same on every CPU, not dispatched.
 */
FASTCOPY_API void *fastcopy_memcpy_device(void *dst, const void *src, size_t n);

/* ---- which kernel runs ---------------------------------------------------------------------- */

/** A kernel's entry point; cast it to the type of its operation. */
typedef void fastcopy_function(void);

/** One kernel of one operation. */
typedef struct fastcopy_variant {
    const char *name;         /**< as in FASTCOPY_TUNABLES, for example "avx512" */
    const char *needs;        /**< CPU features, separated by blanks; "" where every CPU will do */
    const char *summary;      /**< one line: what it does */
    fastcopy_function *entry; /**< fastcopy_<operation>_<name>; may only be called if usable */
    int usable;               /**< 1 if this CPU and operating system can run it */
    int selected; /**< 1 if it was the one that ran at the last fastcopy_variants() call */
} fastcopy_variant;

/**
 * @brief Lists the kernels of an operation.
 *
 * @param op     "memcpy", "memmove", "mempcpy", "memset", "memcpy_nt", "memset_nt", "copy_page",
 *               "clear_page", "copy_page_nt", "clear_page_nt", "try_memcpy" or "try_memset"
 * @param count  receives the number of kernels; may be NULL
 * @return an array in static storage, valid for ever; NULL with errno EINVAL for an unknown
 *         operation. `selected` is brought up to date by each call: where other threads call this
 *         or fastcopy_select(), ask fastcopy_selected() instead.
 *
 * Thread-safe, not async-signal-safe.
 */
FASTCOPY_API const fastcopy_variant *fastcopy_variants(const char *op, size_t *count);

/**
 * @brief Names the kernel that runs for an operation.
 * @return its name, in static storage; NULL with errno EINVAL for an unknown operation.
 *
 * Thread-safe, not async-signal-safe.
 */
FASTCOPY_API const char *fastcopy_selected(const char *op);

/**
 * @brief Makes an operation run a given kernel, from the next call on, in all threads.
 *
 * memcpy, memmove and mempcpy share their kernels and move together. A kernel of try_memcpy or
 * try_memset other than `syscall` runs from fastcopy_fault_install() on. Calls that are under way
 * finish with the kernel that they began with.
 *
 * @param op    as in fastcopy_variants()
 * @param name  a kernel's name; NULL returns to the automatic choice (and to FASTCOPY_TUNABLES)
 * @return 0; or -1 with errno, and nothing changed:
 *         EINVAL (no such operation), ENOENT (no such kernel of that operation),
 *         ENOEXEC (this CPU cannot run it), ENOTSUP (IFUNC form: bound callers cannot be moved; set
 *         FASTCOPY_TUNABLES instead, or call the kernel by name).
 *
 * Thread-safe, not async-signal-safe.
 */
FASTCOPY_API int fastcopy_select(const char *op, const char *name);

/** @brief How calls reach their kernel: "ifunc" (bound at load time) or "pointer" (a jump per
 * call). */
FASTCOPY_API const char *fastcopy_dispatch(void);

#ifdef __cplusplus
}
#endif

/* ---- constant sizes ------------------------------------------------------------------------- */

/*
 * fastcopy_memcpy(), fastcopy_memmove() and fastcopy_mempcpy() with a size that the compiler knows
 * and that is at most 128 (32 with -Os) become a few loads and stores where they are called; the
 * contract is the same, overlap included. Other sizes call the library.
 *
 * They are function-like macros then, as libc's functions may be: arguments are evaluated once,
 * fastcopy_memcpy without parentheses behind it is the function, and (fastcopy_memcpy)(dst, src, n)
 * calls it whatever the size.
 *
 * FASTCOPY_NO_INLINE, defined before, turns this off: for code that has functions or members of its
 * own under these names or calls them through another namespace, and for functions from which gcc's
 * attributes take registers away (target("general-regs-only")), into which it inlines nothing.
 *
 * With gcc and clang, from C99 and C++11 on, if they optimise; on machines that read and write
 * misaligned words, and there not with -mstrict-align (of which gcc does not tell on aarch64 and
 * ppc64: define FASTCOPY_NO_INLINE yourself).
 */
#if defined(__x86_64__) || defined(__powerpc64__) || defined(__riscv_misaligned_fast) ||           \
    (defined(__aarch64__) && defined(__ARM_FEATURE_UNALIGNED))
#define FASTCOPY_MISALIGNED_ACCESS
#endif
#if defined(__cplusplus) ? __cplusplus >= 201103L : __STDC_VERSION__ >= 199901L
#define FASTCOPY_VARIADIC_MACROS
#endif
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(FASTCOPY_NO_INLINE) &&                  \
    defined(FASTCOPY_MISALIGNED_ACCESS) && defined(FASTCOPY_VARIADIC_MACROS)
#include <fastcopy/inline.h>
#endif
#undef FASTCOPY_MISALIGNED_ACCESS
#undef FASTCOPY_VARIADIC_MACROS

#endif /* FASTCOPY_FASTCOPY_H */
