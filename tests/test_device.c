/* SPDX-License-Identifier: MIT */
/* fastcopy_memcpy_device: what it copies; its accesses, one by one; and on x86_64 with alignment
 * checked. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fastcopy/fastcopy.h>

/* The same source once more, with each access recorded. */
struct access {
    uintptr_t to, from;
    size_t size;
};
static struct access accesses[256];
static size_t accesses_count;

static void record(void *to, const void *from, size_t size) {
    assert_true(accesses_count < sizeof accesses / sizeof *accesses);
    accesses[accesses_count++] = (struct access){(uintptr_t)to, (uintptr_t)from, size};
}

void *traced_memcpy_device(void *dst, const void *src, size_t n);
#define FC_DEVICE_MOVE(type, to, from) record(to, from, sizeof(type))
#define fastcopy_memcpy_device traced_memcpy_device
#include "device.c"
#undef fastcopy_memcpy_device

enum { ROOM = 256, LARGEST = 70 };
static _Alignas(16) unsigned char to[ROOM], from[ROOM];

static void fill(void) {
    for (size_t i = 0; i < ROOM; i++) {
        from[i] = (unsigned char)(i * 7 + 1);
        to[i] = 0xee;
    }
}

typedef void case_function(unsigned char *dst, unsigned char *src, size_t n);

static void each_case(case_function *function) {
    for (size_t dst = 0; dst < 16; dst++)
        for (size_t src = 0; src < 16; src++)
            for (size_t n = 0; n <= LARGEST; n++)
                function(to + 16 + dst, from + 16 + src, n);
}

static void check_copy(unsigned char *dst, unsigned char *src, size_t n) {
    fill();
    assert_ptr_equal(fastcopy_memcpy_device(dst, src, n), dst);
    for (unsigned char *at = to; at < to + ROOM; at++)
        assert_int_equal(*at, at >= dst && at < dst + n ? src[at - dst] : 0xee);
}

static void test_copies(void **state) {
    (void)state;
    each_case(check_copy);
    fastcopy_memcpy_device((void *)1, (void *)2, 0); /* touches nothing */
}

static void check_accesses(unsigned char *dst, unsigned char *src, size_t n) {
    accesses_count = 0;
    traced_memcpy_device(dst, src, n);
    uintptr_t next = (uintptr_t)dst;
    size_t widest = 8;
    while ((((uintptr_t)dst ^ (uintptr_t)src) & (widest - 1)) != 0)
        widest /= 2;
    for (size_t i = 0; i < accesses_count; i++) {
        const struct access *at = &accesses[i];
        assert_int_equal(at->to, next); /* ascending, each byte once */
        assert_int_equal(at->from - (uintptr_t)src, at->to - (uintptr_t)dst);
        assert_int_equal(at->to % at->size, 0);
        assert_int_equal(at->from % at->size, 0);
        next += at->size;
    }
    assert_int_equal(next, (uintptr_t)dst + n);
    /* No more than needed: the widest that both sides allow, and at most one of each kind before
     * and after. */
    size_t most = n / widest;
    for (size_t size = widest / 2; size > 0; size /= 2)
        most += 2;
    assert_true(accesses_count <= most);
}

static void test_accesses(void **state) {
    (void)state;
    each_case(check_accesses);
}

#if defined(__x86_64__)
/* EFLAGS.AC: a misaligned access of the program raises SIGBUS. Not around anything else: libc's are
 * misaligned. */
static void set_alignment_check(bool on) {
    const uint64_t ac = 1 << 18, flags = __builtin_ia32_readeflags_u64();
    __builtin_ia32_writeeflags_u64(on ? flags | ac : flags & ~ac);
}

static sigjmp_buf raised;

static void on_sigbus(int signal) {
    (void)signal;
    set_alignment_check(false); /* still on here */
    siglongjmp(raised, 1);
}

static bool faults(void (*function)(unsigned char *, unsigned char *, size_t), unsigned char *dst,
                   unsigned char *src, size_t n) {
    if (sigsetjmp(raised, 1) != 0)
        return true;
    set_alignment_check(true);
    function(dst, src, n);
    set_alignment_check(false);
    return false;
}

static void copy_device(unsigned char *dst, unsigned char *src, size_t n) {
    fastcopy_memcpy_device(dst, src, n);
}

static void copy_misaligned(unsigned char *dst, unsigned char *src, size_t n) {
    (void)n;
    uint32_t word;
    __asm__ volatile("movl (%1), %0; movl %0, (%2)" : "=&r"(word) : "r"(src), "r"(dst) : "memory");
}

static void check_alignment(unsigned char *dst, unsigned char *src, size_t n) {
    assert_false(faults(copy_device, dst, src, n));
}

static void test_alignment_checked(void **state) {
    (void)state;
    struct sigaction action = {.sa_handler = on_sigbus};
    sigaction(SIGBUS, &action, NULL);
    if (!faults(copy_misaligned, to + 1, from, 4)) {
        print_message("skipped: EFLAGS.AC has no effect here (an emulator)\n");
        skip();
    }
    each_case(check_alignment);
}
#endif

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_accesses),
#if defined(__x86_64__)
        cmocka_unit_test(test_alignment_checked),
#endif
    };
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
