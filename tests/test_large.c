/* SPDX-License-Identifier: MIT */
/*
 * Sizes that do not fit 31 or 32 bits, and sizes that no buffer has (top bit set).
 *
 * A large buffer is one small file mapped again and again, so that 4 GiB cost a few MiB of memory,
 * with windows of memory of their own at the start, at each GiB and at the end: a copy that stops
 * early, or wraps, shows there.
 */
#include "support.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define GIB ((uint64_t)1 << 30)
#define CHUNK ((size_t)2 << 20)
#define LARGE_SIZE (4 * GIB + 2 * CHUNK)

struct large {
    unsigned char *data;
    unsigned char *file; /* the chunk that the others show */
};

static struct large from, to;

static bool is_window(uint64_t offset) {
    return offset % GIB < CHUNK || offset + CHUNK >= LARGE_SIZE;
}

static void create_large(struct large *large) {
    int file = memfd_create("large", 0);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)CHUNK), 0);
    /* A guard page on either side. */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *map = mmap(NULL, LARGE_SIZE + 2 * CHUNK, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    large->data = map + page;
    for (uint64_t offset = 0; offset < LARGE_SIZE; offset += CHUNK)
        assert_ptr_not_equal(
            mmap(large->data + offset, CHUNK, PROT_READ | PROT_WRITE,
                 MAP_FIXED | (is_window(offset) ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED),
                 is_window(offset) ? -1 : file, 0),
            MAP_FAILED);
    large->file = large->data + CHUNK;
    close(file);
}

/* Bytes that tell one window from another. */
static unsigned char pattern(uint64_t offset) {
    if (!is_window(offset / CHUNK * CHUNK))
        offset = CHUNK + offset % CHUNK;
    return (unsigned char)(offset * 0x9e3779b97f4a7c15u >> 56);
}

static void fill(const struct large *large, bool inverted) {
    for (uint64_t chunk = 0; chunk < LARGE_SIZE; chunk += CHUNK)
        if (is_window(chunk) || chunk == CHUNK)
            for (uint64_t i = chunk; i < chunk + CHUNK; i++)
                large->data[i] = (unsigned char)(inverted ? ~pattern(i) : pattern(i));
}

/* Where there is memory of its own: all windows and one of the chunks that show the file. */
static void expect_large(uint64_t start, uint64_t n, int c) {
    for (uint64_t chunk = 0; chunk < LARGE_SIZE; chunk += CHUNK) {
        if (!is_window(chunk) && chunk != CHUNK)
            continue;
        for (uint64_t i = chunk; i < chunk + CHUNK; i++) {
            unsigned char written = c < 0 ? pattern(i) : (unsigned char)c;
            unsigned char expected =
                i >= start && i - start < n ? written : (unsigned char)~pattern(i);
            if (to.data[i] != expected)
                support_fail("byte %llu of the destination: %#x, not %#x",
                             (unsigned long long)(i - start), to.data[i], expected);
        }
    }
}

static void copy_large(const struct subject *subject, uint64_t start, uint64_t n) {
    fill(&to, true);
    unsigned char *dst = to.data + start;
    void *returned = support_copy(subject, dst, from.data + start, n);
    if (returned != dst + (subject->op == FC_OP_mempcpy ? n : 0))
        support_fail("returned %p", returned);
    expect_large(start, n, -1);
}

static void set_large(const struct subject *subject, uint64_t start, uint64_t n) {
    fill(&to, true);
    void *returned = support_set(subject, to.data + start, 0x1ab, n);
    if (returned != to.data + start)
        support_fail("returned %p", returned);
    expect_large(start, n, 0xab);
}

/*
 * Overlapping, from the first chunk to the last: each chunk shows the same file as its neighbour,
 * so only the ends of the way are seen. Backward, as it must, the last chunk receives what the file
 * held before; forward, it would receive the first chunk.
 */
static void move_large(const struct subject *subject) {
    fill(&to, false);
    for (uint64_t chunk = GIB; chunk <= 4 * GIB; chunk += GIB)
        memcpy(to.data + chunk, to.file, CHUNK);
    uint64_t n = LARGE_SIZE - CHUNK - 100;
    unsigned char *src = to.data + 50, *dst = src + CHUNK;
    void *returned = support_copy(subject, dst, src, n);
    if (returned != dst + (subject->op == FC_OP_mempcpy ? n : 0))
        support_fail("returned %p", returned);
    const unsigned char *last = to.data + LARGE_SIZE - CHUNK;
    for (size_t i = 0; i < CHUNK; i++) {
        unsigned char expected =
            i < CHUNK - 50 ? pattern(CHUNK + i) : pattern(LARGE_SIZE - CHUNK + i);
        if (last[i] != expected)
            support_fail("overlapping: byte %zu of the last chunk: %#x, not %#x", i, last[i],
                         expected);
        if (i >= 50 && to.file[i] != pattern(i))
            support_fail("overlapping: byte %zu of the first chunk", i);
    }
}

static void test_large(void **state) {
    const struct subject *subject = support_subject(state);
    if (support_emulated() || sizeof(size_t) < 8) {
        print_message("skipped: copies gigabytes, which needs a 64-bit machine and no emulator\n");
        skip();
    }
    const uint64_t sizes[] = {2 * GIB + 77, 4 * GIB, 4 * GIB + 3};
    /* As the policy has it, and by vectors only. */
    for (size_t i = 0; i < COUNT(sizes); i++) {
        fc_dispatch_thresholds(&fc_dispatch_state()->policy.thresholds);
        if (i == 1)
            support_set_thresholds(0);
        uint64_t start = 1 + support_random_below(4095);
        if (fc_op_sets(subject->op))
            set_large(subject, start, sizes[i]);
        else
            copy_large(subject, start, sizes[i]);
    }
    if (!fc_op_sets(subject->op))
        move_large(subject);
}

/* ---- sizes that nothing has ----------------------------------------------------------------- */

#define ROOM ((size_t)64 << 10)

enum { FAULTED_NEAR = 10, FAULTED_ELSEWHERE, RETURNED };

/* A buffer of ROOM bytes with 4 * ROOM of nothing on either side. */
static unsigned char *room(void) {
    unsigned char *map =
        mmap(NULL, 9 * ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    assert_int_equal(mprotect(map + 4 * ROOM, ROOM, PROT_READ | PROT_WRITE), 0);
    return map + 4 * ROOM;
}

static const unsigned char *bad_dst, *bad_src;
static size_t bad_size;

static bool is_near(const unsigned char *address, const unsigned char *place) {
    return (uintptr_t)address - (uintptr_t)place + 4 * ROOM < 9 * ROOM;
}

static void judge_fault(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    const unsigned char *address = info->si_addr;
    /* x86 tells no address that is not canonical (SI_KERNEL), and so no emulator on it does. */
    if (info->si_code == SI_KERNEL || support_emulated() || is_near(address, bad_dst) ||
        is_near(address, bad_src) || is_near(address, bad_dst + bad_size) ||
        is_near(address, bad_src + bad_size))
        _exit(FAULTED_NEAR);
    _exit(FAULTED_ELSEWHERE);
}

static int fate(const struct subject *subject, unsigned char *dst, unsigned char *src, size_t n) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bad_dst = dst;
        bad_src = src;
        bad_size = n;
        struct sigaction action = {.sa_sigaction = judge_fault, .sa_flags = SA_SIGINFO};
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
        alarm(10);
        if (fc_op_sets(subject->op))
            support_set(subject, dst, 0, n);
        else
            support_copy(subject, dst, src, n);
        _exit(RETURNED);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Neither small nor done: it has to fault, and at once. */
static void test_impossible(void **state) {
    const struct subject *subject = support_subject(state);
    unsigned char *low = room(), *high = room();
    if (low > high) {
        unsigned char *other = low;
        low = high;
        high = other;
    }
    const size_t sizes[] = {SIZE_MAX,         SIZE_MAX - 15,       SIZE_MAX - 4096,
                            SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1000, SIZE_MAX / 2};
    for (size_t setting = 0; setting < support_settings_count; setting++) {
        support_set_thresholds(setting);
        for (size_t i = 0; i < COUNT(sizes); i++)
            for (int swapped = 0; swapped < 2; swapped++) {
                unsigned char *dst = swapped ? low : high, *src = swapped ? high : low;
                int found = fate(subject, dst, src, sizes[i]);
                /* CPYP takes at most 2^55 - 1 bytes, and a backward copy begins at their end. */
                if (found == FAULTED_ELSEWHERE && strcmp(subject->variant->name, "mops") == 0)
                    continue;
                if (found != FAULTED_NEAR)
                    fail_msg("n = %#zx, dst %s src: %s", sizes[i], swapped ? "below" : "above",
                             found == RETURNED            ? "returned as if done"
                             : found == FAULTED_ELSEWHERE ? "faulted at an odd address"
                                                          : "ran on for 10 seconds");
            }
    }
    munmap(low - 4 * ROOM, 9 * ROOM);
    munmap(high - 4 * ROOM, 9 * ROOM);
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS];
    size_t count = support_kernel_tests(tests, test_impossible);
    int failed = _cmocka_run_group_tests("impossible sizes", tests, count, NULL, NULL);
    if (!support_emulated() && sizeof(size_t) == 8) {
        create_large(&from);
        create_large(&to);
        fill(&from, false);
    }
    support_kernel_tests(tests, test_large);
    return failed + _cmocka_run_group_tests("large sizes", tests, count, NULL, NULL);
}
