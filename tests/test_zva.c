/* SPDX-License-Identifier: MIT */
/*
 * AArch64: what the kernels that zero by DC ZVA do where DCZID_EL0 prohibits it, or gives blocks
 * that they are not made for. No emulated core has such values (64, 256 and 512 bytes are those of
 * cortex-a53, a64fx and max): here the kernels are assembled to read FPSR instead, which has the
 * same bits and can be written. The blocks that DC ZVA zeroes stay the core's own, so a kernel that
 * used it all the same would clear too little or too much.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fastcopy/variants.h>

enum { PAGE = FASTCOPY_PAGE_SIZE, ROOM = 8 * PAGE, BEFORE = 2 * PAGE };
enum { PROHIBITED = 1 << 4 };

static _Alignas(PAGE) unsigned char room[ROOM];

static void pretend(uint64_t dczid) {
    __asm__ volatile("msr fpsr, %0" : : "r"(dczid) : "memory");
}

static void fill(void) {
    for (size_t i = 0; i < ROOM; i++)
        room[i] = 0xee;
}

static void expect_zeros(size_t from, size_t n) {
    for (size_t i = 0; i < ROOM; i++)
        if (room[i] != (i >= from && i < from + n ? 0 : 0xee))
            fail_msg("%zu zeros at %zu: byte %zu is %#x", n, from, i, room[i]);
}

static void check(uint64_t dczid) {
    static const size_t sizes[] = {1, 255, 256, 300, 1024, 1500, PAGE, 3 * PAGE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t offset = 0; offset < 64; offset += 13) {
            fill();
            pretend(dczid);
            fastcopy_memset_zva(room + BEFORE + offset, 0, sizes[i]);
            expect_zeros(BEFORE + offset, sizes[i]);
        }
    fill();
    pretend(dczid);
    fastcopy_clear_page_zva(room + BEFORE);
    expect_zeros(BEFORE, PAGE);
}

static void test_prohibited(void **state) {
    (void)state;
    for (uint64_t words = 0; words < 16; words++)
        check(PROHIBITED | words);
}

static void test_blocks_of_no_use(void **state) {
    (void)state;
    for (uint64_t words = 0; words < 2; words++) /* 4 and 8 bytes */
        check(words);
    for (uint64_t words = 11; words < 16; words++) /* beyond a page */
        check(words);
}

/* The kernels do read what was written, and do use DC ZVA: at twice the true size every other block
 * is left out. */
static void test_not_blind(void **state) {
    (void)state;
    uint64_t dczid;
    __asm__("mrs %0, dczid_el0" : "=r"(dczid));
    if ((dczid & PROHIBITED) != 0) {
        print_message("skipped: DC ZVA is prohibited here\n");
        skip();
    }
    size_t block = (size_t)4 << (dczid & 15);
    fill();
    pretend(dczid + 1);
    fastcopy_clear_page_zva(room + BEFORE);
    assert_int_equal(room[BEFORE], 0);
    assert_int_equal(room[BEFORE + block], 0xee);
    fill();
    pretend(dczid + 1);
    fastcopy_memset_zva(room + BEFORE, 0, 3 * PAGE);
    assert_int_equal(room[BEFORE + PAGE], 0);
    assert_int_equal(room[BEFORE + PAGE + block], 0xee);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prohibited),
        cmocka_unit_test(test_blocks_of_no_use),
        cmocka_unit_test(test_not_blind),
    };
    return cmocka_run_group_tests_name("zva", tests, NULL, NULL);
}
