/* SPDX-License-Identifier: MIT */
/*
 * AArch64's memory tagging (FEAT_MTE) as a watch on bounds: the buffers have tags of their own, and
 * any access of theirs to a granule of 16 bytes outside them faults, within a page, too. So
 * programs that tag their heap can use the kernels. One end of each buffer lies on a granule's
 * edge, so that nothing beyond it is forgiven.
 */
#include "support.h"

#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define HWCAP2_MTE_BIT 18 /* Linux, arch/arm64/include/uapi/asm/hwcap.h */
#define PROT_MTE_BIT 0x20 /* and mman.h */

enum { GRANULE = 16, ROOM = 1 << 17, TAG_OUTSIDE = 1, TAG_DST = 2, TAG_SRC = 3 };

static unsigned char *area; /* NULL: no tagging here */

static void *with_tag(void *address, uintptr_t tag) {
    return (void *)(((uintptr_t)address & ~((uintptr_t)0xff << 56)) | tag << 56);
}

/* Tags all granules that hold a byte of [from, from + n); returns `from` with the tag. */
static void *set_tag(unsigned char *from, size_t n, uintptr_t tag) {
    uintptr_t first = (uintptr_t)from & -(uintptr_t)GRANULE;
    for (uintptr_t at = first; at < (uintptr_t)from + n; at += GRANULE)
        __asm__ volatile(".arch armv8.5-a+memtag; stg %0, [%0]"
                         :
                         : "r"(with_tag((void *)at, tag))
                         : "memory");
    return with_tag(from, tag);
}

static void tag_memory(void) {
    if ((getauxval(AT_HWCAP2) >> HWCAP2_MTE_BIT & 1) == 0)
        return;
    /* Tags in pointers are taken, checked at each access, all of them allowed. */
    if (prctl(PR_SET_TAGGED_ADDR_CTRL, 1 | 1 << 1 | 0xffff << 3, 0, 0, 0) != 0)
        return;
    void *memory =
        mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_MTE_BIT, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    area = memory;
    set_tag(area, ROOM, TAG_OUTSIDE);
}

static void skip_without_tags(void) {
    if (area == NULL) {
        print_message("skipped: this CPU, or its emulator, has no FEAT_MTE\n");
        skip();
    }
}

/* A buffer near the middle of a half, whose begin or end lies on a granule's edge. */
static unsigned char *place(unsigned half, size_t n, bool at_end) {
    unsigned char *edge = area + half * (ROOM / 2) + ROOM / 4 + support_random_below(16) * GRANULE;
    return at_end ? edge - n : edge;
}

static void call(const struct subject *subject, unsigned char *dst, unsigned char *src, size_t n) {
    unsigned char *to = set_tag(dst, n, TAG_DST), *from = set_tag(src, n, TAG_SRC);
    if (fc_op_is_page(subject->op)) {
        support_page(subject, to, from);
    } else if (fc_op_sets(subject->op)) {
        support_set(subject, to, 0, n);
        support_set(subject, to, 0x5a, n);
    } else {
        memset(from, (int)(n & 0xff), n);
        support_copy(subject, to, from, n);
        if (memcmp(to, from, n) != 0)
            support_fail("copied wrongly");
    }
    set_tag(dst, n, TAG_OUTSIDE);
    set_tag(src, n, TAG_OUTSIDE);
}

/* qemu 7.2 and 10: DC ZVA with a block of 512 bytes faults on memory whose tags are all right. */
static bool zva_takes_tags(void) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        unsigned char *tagged = set_tag(area, ROOM, TAG_DST);
        signal(SIGSEGV, SIG_DFL);
        __asm__ volatile("dc zva, %0" : : "r"(tagged + ROOM / 2) : "memory");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status == 0;
}

static void skip_unless_able(const struct subject *subject) {
    skip_without_tags();
    if (strcmp(subject->variant->name, "zva") == 0 && !zva_takes_tags()) {
        print_message("skipped: this emulator's DC ZVA faults on any tagged memory\n");
        skip();
    }
}

static void test_kernel(void **state) {
    const struct subject *subject = support_subject(state);
    skip_unless_able(subject);
    for (size_t n = 0; n < ROOM / 4; n += n < 600 ? 1 : n / 5)
        for (unsigned ends = 0; ends < 4; ends++)
            call(subject, place(0, n, ends & 1), place(1, n, ends >> 1), n);
}

static void test_page(void **state) {
    const struct subject *subject = support_subject(state);
    skip_unless_able(subject);
    call(subject, area + FASTCOPY_PAGE_SIZE, area + ROOM / 2 + FASTCOPY_PAGE_SIZE,
         FASTCOPY_PAGE_SIZE);
}

/* A copy that also reads one byte after, or before, what it was given. */
static size_t beyond;

static void *copy_and_stray(void *dst, const void *src, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)dst)[i] = ((const volatile unsigned char *)src)[i];
    (void)((const volatile unsigned char *)src)[beyond];
    return dst;
}

static int fate(size_t n, bool at_end, size_t stray) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct subject offender =
            support_offender(FC_OP_memmove, "offender", (fastcopy_function *)copy_and_stray);
        beyond = stray;
        close(2); /* the report of the fault */
        call(&offender, place(0, n, at_end), place(1, n, at_end), n);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void test_offenders(void **state) {
    (void)state;
    skip_without_tags();
    assert_int_equal(fate(40, true, 39), 0); /* inside */
    assert_int_not_equal(fate(40, true, 40), 0);
    assert_int_not_equal(fate(40, false, (size_t)-1), 0);
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS + 1];
    tag_memory();
    size_t count = support_kernel_tests(tests, test_kernel);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_offenders);
    int failed = _cmocka_run_group_tests("tagged memory", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_page);
    return failed + _cmocka_run_group_tests("tagged pages", tests, count, NULL, NULL);
}
