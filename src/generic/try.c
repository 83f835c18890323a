/* SPDX-License-Identifier: MIT */
/*
 * try_memcpy and try_memset without signals: the system copies, by process_vm_readv and
 * process_vm_writev on this process, and says how far it came. The baseline on every architecture.
 *
 * A transfer that ends early does so somewhere; what remains is tried again up to the next page of
 * either buffer. Such a piece is good or bad as a whole, so the count is exact.
 *
 * Where the buffers overlap, pieces are no longer than their distance and go through a buffer, so
 * that each byte is read as a copy byte by byte would.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <fastcopy/variants.h>

#include "fault.h"
#include "kernels.h"

/* No system has smaller pages. MOST: a size that the system calls take. */
enum { PAGE = 4096, MOST = 1 << 30, BUFFER = 1024 };

/* No instruction of ours faults. */
const int32_t fc_faults_try_memcpy_syscall[] = {0, 0};
const int32_t fc_faults_try_memset_syscall[] = {0, 0};

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t to_page_end(uintptr_t address) {
    return PAGE - address % PAGE;
}

/* `near` is copied to or from directly, `far` looked up by the system. The bytes that were, or
 * -errno. */
static long transfer(long call, uintptr_t near, uintptr_t far, size_t n) {
    struct iovec local = {(void *)near, n}, remote = {(void *)far, n};
    unsigned long self = (unsigned long)fc_system_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return fc_system_call(call, self, (uintptr_t)&local, 1, (uintptr_t)&remote, 1, 0);
}

/* src to dst by way of a buffer, at most its size. */
static long transfer_buffered(uintptr_t dst, uintptr_t src, size_t n) {
    unsigned char buffer[BUFFER];
    long got = transfer(SYS_process_vm_readv, (uintptr_t)buffer, src, n);
    return got > 0 ? transfer(SYS_process_vm_writev, (uintptr_t)buffer, dst, (size_t)got) : got;
}

/* What remains of n. src is 0 for try_memset, whose buffer holds what is to be written. */
static size_t copy(uintptr_t dst, uintptr_t src, const unsigned char *set, size_t n) {
    uintptr_t apart = dst > src ? dst - src : src - dst;
    bool buffered = set == NULL && apart < n;
    bool by_page = false;
    while (n > 0) {
        size_t most = least(n, MOST);
        if (set != NULL || buffered)
            most = least(most, BUFFER);
        if (buffered && apart != 0)
            most = least(most, apart);
        if (by_page || buffered) {
            most = least(most, to_page_end(dst));
            if (set == NULL)
                most = least(most, to_page_end(src));
        }
        long done;
        if (set != NULL)
            done = transfer(SYS_process_vm_writev, (uintptr_t)set, dst, most);
        else if (buffered)
            done = transfer_buffered(dst, src, most);
        else
            done = transfer(SYS_process_vm_readv, dst, src, most);
        if (done <= 0) {
            if (done == -ENOSYS || done == -EPERM) {
                errno = ENOSYS;
                return n;
            }
            if (by_page || buffered)
                break;
            by_page = true;
            continue;
        }
        by_page = (size_t)done < most;
        dst += (size_t)done;
        src += (size_t)done;
        n -= (size_t)done;
    }
    return n;
}

size_t fc_try_memcpy_syscall(void *dst, const void *src, size_t n) {
    return copy((uintptr_t)dst, (uintptr_t)src, NULL, n);
}

size_t fc_try_memset_syscall(void *dst, int c, size_t n) {
    unsigned char set[BUFFER];
    for (size_t i = 0; i < BUFFER && i < n; i++)
        ((volatile unsigned char *)set)[i] = (unsigned char)c;
    return copy((uintptr_t)dst, 0, set, n);
}

FASTCOPY_API size_t fastcopy_try_memcpy_syscall(void *dst, const void *src, size_t n) {
    return fc_try_memcpy_syscall(dst, src, n);
}

FASTCOPY_API size_t fastcopy_try_memset_syscall(void *dst, int c, size_t n) {
    return fc_try_memset_syscall(dst, c, n);
}
