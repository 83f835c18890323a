/* SPDX-License-Identifier: MIT */
/*
 * Every kernel that this CPU can run: each size, alignment and overlap that its code may tell
 * apart, in each threshold setting.
 *
 * There is no reference implementation that could be wrong itself. Buffers hold random bytes of
 * which a pristine copy is kept: after a copy the destination must equal the source's pristine
 * bytes, and all around it, the source included, must be as it was.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Bytes around a call's buffers that are checked after each call; all others are after each
 * setting. */
#define MARGIN 256

#define ARENA_SIZE ((size_t)512 << 10)

static struct arena left, right;

/* ---- one call ------------------------------------------------------------------------------- */

static void expect(const char *what, const struct arena *arena, size_t from, size_t to,
                   const unsigned char *expected) {
    if (to <= from || memcmp(arena->data + from, expected, to - from) == 0)
        return;
    size_t i = 0;
    while (arena->data[from + i] == expected[i])
        i++;
    support_fail("%s: wrong byte at %p: %#x, not %#x", what, (void *)(arena->data + from + i),
                 arena->data[from + i], expected[i]);
}

static void expect_pristine(const char *what, const struct arena *arena, size_t from, size_t to) {
    from = from > MARGIN ? from - MARGIN : 0;
    to = to + MARGIN < arena->size ? to + MARGIN : arena->size;
    expect(what, arena, from, to, arena->pristine + from);
}

/* Puts the destination back, so that the next call has something to do. */
static void restore(struct arena *arena, size_t offset, size_t n) {
    memcpy(arena->data + offset, arena->pristine + offset, n);
}

static void check_copy(const struct subject *subject, struct arena *to, size_t dst,
                       struct arena *from, size_t src, size_t n) {
    unsigned char *start = to->data + dst;
    void *returned = support_copy(subject, start, from->data + src, n);
    if (returned != start + (subject->op == FC_OP_mempcpy ? n : 0))
        support_fail("returned %p", returned);
    expect("destination", to, dst, dst + n, from->pristine + src);
    restore(to, dst, n);
    expect_pristine("around the destination", to, dst, dst + n);
    expect_pristine("source", from, src, src + n);
}

static void check_set(const struct subject *subject, size_t dst, int c, size_t n) {
    static unsigned char expected[ARENA_SIZE];
    unsigned char *start = right.data + dst;
    /* Not by libc's memset: on ppc64 glibc's relies on dcbz, of which qemu's 970 zeroes 32 bytes.
     */
    if (expected[0] != (unsigned char)c)
        for (size_t i = 0; i < sizeof expected; i++)
            ((volatile unsigned char *)expected)[i] = (unsigned char)c;
    void *returned = support_set(subject, start, c, n);
    if (returned != start)
        support_fail("returned %p", returned);
    expect("destination", &right, dst, dst + n, expected);
    restore(&right, dst, n);
    expect_pristine("around the destination", &right, dst, dst + n);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

struct sizes {
    size_t count;
    size_t list[4096];
};

static void add_size(struct sizes *sizes, uint64_t size) {
    if (size <= ARENA_SIZE / 4 && sizes->count < COUNT(sizes->list))
        sizes->list[sizes->count++] = (size_t)size;
}

static void add_around(struct sizes *sizes, uint64_t size) {
    add_size(sizes, size - 1);
    add_size(sizes, size);
    add_size(sizes, size + 1);
}

static void add_thresholds(struct sizes *sizes, const struct fc_thresholds *thresholds) {
#define FC_THRESHOLD(name, text)                                                                   \
    if (thresholds->name != 0)                                                                     \
        add_around(sizes, thresholds->name);
#include "thresholds.def"
#undef FC_THRESHOLD
}

static const struct sizes *all_sizes(const struct fc_thresholds *thresholds) {
    static struct sizes sizes;
    sizes.count = 0;
    for (size_t n = 0; n <= 1024; n++)
        add_size(&sizes, n);
    for (size_t n = 1024 + 64; n <= 8192; n += 64)
        add_around(&sizes, n);
    for (size_t n = 16384; n <= 65536; n *= 2)
        add_around(&sizes, n);
    add_thresholds(&sizes, thresholds);
    return &sizes;
}

/* Sizes on both sides of every usual class boundary, for what costs a thousand calls each. */
static const struct sizes *some_sizes(const struct fc_thresholds *thresholds) {
    static const size_t list[] = {1,    2,    3,    4,    7,    8,    9,    15,   16,   17,   24,
                                  31,   32,   33,   47,   63,   64,   65,   95,   96,   97,   127,
                                  128,  129,  191,  192,  193,  255,  256,  257,  383,  384,  385,
                                  511,  512,  513,  640,  767,  1023, 1024, 1025, 1535, 2047, 2048,
                                  2049, 3000, 4095, 4096, 4097, 6000, 8191, 8193};
    static struct sizes sizes;
    sizes.count = 0;
    for (size_t i = 0; i < COUNT(list); i++)
        add_size(&sizes, list[i]);
    add_thresholds(&sizes, thresholds);
    return &sizes;
}

/* ---- what is done at those sizes ------------------------------------------------------------ */

static size_t random_offset(const struct arena *arena, size_t n) {
    return support_random_below(arena->size - n + 1);
}

/* The offset of `n` bytes that begin right after, or end right before, a guard page. */
static size_t edge(const struct arena *arena, size_t n, bool at_end) {
    return at_end ? arena->size - n : 0;
}

static void copy_at_edges(const struct subject *subject, size_t n) {
    for (int i = 0; i < 4; i++)
        check_copy(subject, &right, edge(&right, n, i & 1), &left, edge(&left, n, i >> 1), n);
    for (int i = 0; i < 2; i++) {
        check_copy(subject, &right, edge(&right, n, i), &left, random_offset(&left, n), n);
        check_copy(subject, &right, random_offset(&right, n), &left, edge(&left, n, i), n);
    }
}

static void copy_anywhere(const struct subject *subject, size_t n, int times) {
    for (int i = 0; i < times; i++)
        check_copy(subject, &right, random_offset(&right, n), &left, random_offset(&left, n), n);
}

/* Every pair of alignments modulo 64, on random pages. */
static void copy_at_alignments(const struct subject *subject, size_t n, size_t step) {
    for (size_t dst = 0; dst < 64; dst += step)
        for (size_t src = 0; src < 64; src += step)
            check_copy(subject, &right, dst + 64 * support_random_below(128), &left,
                       src + 64 * support_random_below(128), n);
}

static void copy_overlapping(const struct subject *subject, size_t n, size_t distance) {
    struct arena *arena = &left;
    size_t offset = support_random_below(arena->size - n - distance + 1);
    check_copy(subject, arena, offset + distance, arena, offset, n);
    check_copy(subject, arena, offset, arena, offset + distance, n);
    /* And with no room on either side. */
    size_t last = edge(arena, n, true);
    check_copy(subject, arena, distance, arena, 0, n);
    check_copy(subject, arena, last - distance, arena, last, n);
}

static void copy_at_distances(const struct subject *subject, size_t n, size_t step) {
    for (size_t distance = 0; distance <= 8 * 64; distance += step)
        copy_overlapping(subject, n, distance);
    for (size_t around = 4096; around <= 65536; around *= 16)
        for (size_t k = 0; k <= 130; k = k < 4 ? k + 1 : 2 * k - k % 2)
            for (int sign = -1; sign <= 1; sign += 2)
                copy_overlapping(subject, n, sign < 0 ? around - k : around + k);
}

/* Each distance, for what looks or zeroes so far ahead (on the Cell 640 bytes). */
static void copy_at_each_distance(const struct subject *subject) {
    for (size_t distance = 0; distance <= 1280; distance++) {
        copy_overlapping(subject, 2000 + support_random_below(64), distance);
        copy_overlapping(subject, 5000 + support_random_below(64), distance);
    }
}

static void set_everywhere(const struct subject *subject, const struct sizes *sizes, int c) {
    size_t step = support_quick() ? 7 : 1;
    for (size_t i = 0; i < sizes->count; i += step) {
        size_t n = sizes->list[i];
        check_set(subject, edge(&right, n, false), c, n);
        check_set(subject, edge(&right, n, true), c, n);
        for (size_t dst = 0; dst < 64; dst += step)
            check_set(subject, dst + 64 * support_random_below(128), c, n);
    }
}

/* ---- the tests ------------------------------------------------------------------------------ */

/* Nothing may be touched: these pointers would not bear it. */
static void check_nothing(const struct subject *subject) {
    unsigned char *const bad[] = {NULL,
                                  (unsigned char *)1,
                                  left.data - 1,
                                  left.data + left.size,
                                  (unsigned char *)((uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1)),
                                  (unsigned char *)UINTPTR_MAX};
    for (size_t i = 0; i < COUNT(bad); i++)
        for (size_t j = 0; j < COUNT(bad); j++) {
            void *returned = fc_op_sets(subject->op) ? support_set(subject, bad[i], (int)j, 0)
                                                     : support_copy(subject, bad[i], bad[j], 0);
            if (returned != bad[i])
                support_fail("returned %p", returned);
        }
}

static void copy_in_setting(const struct subject *subject, size_t setting) {
    const struct sizes *sizes = all_sizes(&support_settings[setting]);
    size_t stride = support_quick() ? 7 : 1;
    for (size_t i = support_random_below(stride); i < sizes->count; i += stride) {
        copy_at_edges(subject, sizes->list[i]);
        copy_anywhere(subject, sizes->list[i], 24);
        for (int times = 0; times < 4; times++)
            copy_overlapping(subject, sizes->list[i], support_random_below(sizes->list[i] + 64));
    }
    sizes = some_sizes(&support_settings[setting]);
    for (size_t i = support_random_below(stride); i < sizes->count; i += stride) {
        copy_at_alignments(subject, sizes->list[i], stride);
        copy_at_distances(subject, sizes->list[i], stride);
    }
    if (setting == 0 || !support_quick())
        copy_at_each_distance(subject);
    for (int i = 0; i < 32; i++)
        copy_anywhere(subject, support_random_below(ARENA_SIZE / 2), 1);
}

static void set_in_setting(const struct subject *subject, size_t setting) {
    /* The last one: only the low byte counts. */
    static const int values[] = {0, 0xff, 0x1ab, -2};
    for (size_t i = 0; i < COUNT(values); i++)
        set_everywhere(subject, all_sizes(&support_settings[setting]), values[i]);
}

static void test_kernel(void **state) {
    const struct subject *subject = support_subject(state);
    arena_reset(&left);
    arena_reset(&right);
    for (size_t setting = 0; setting < support_settings_count; setting++) {
        support_set_thresholds(setting);
        check_nothing(subject);
        if (fc_op_sets(subject->op))
            set_in_setting(subject, setting);
        else
            copy_in_setting(subject, setting);
        expect("far away", &left, 0, left.size, left.pristine);
        expect("far away", &right, 0, right.size, right.pristine);
    }
}

/* Old programs pass overlapping buffers to memcpy: it has to be memmove. */
static void test_memcpy_is_memmove(void **state) {
    (void)state;
    size_t count;
    const fastcopy_variant *memcpys = fastcopy_variants("memcpy", &count);
    const fastcopy_variant *memmoves = fastcopy_variants("memmove", NULL);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(memcpys[i].entry, memmoves[i].entry);
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS + 1];
    size_t count = support_kernel_tests(tests, test_kernel);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_memcpy_is_memmove);
    arena_create(&left, ARENA_SIZE);
    arena_create(&right, ARENA_SIZE);
    return _cmocka_run_group_tests("kernels", tests, count, NULL, NULL);
}
