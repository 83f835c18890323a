/* SPDX-License-Identifier: MIT */
/*
 * Every page kernel that this CPU can run: exactly one page, between pages that cannot be touched,
 * onto itself, and what is said or done of pages that are not aligned.
 */
#include "support.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = FASTCOPY_PAGE_SIZE, PAGES = 32 };

/* One page (or what the system has for one) between guards; and many. */
static struct arena one, other, many;

static bool is_zero(const unsigned char *page) {
    for (size_t i = 0; i < PAGE; i++)
        if (page[i] != 0)
            return false;
    return true;
}

static void expect_pristine(const struct arena *arena, size_t from, size_t to) {
    if (memcmp(arena->data + from, arena->pristine + from, to - from) != 0)
        support_fail("changed what is not of the page");
}

/* Offsets of pages, or misaligned ones, in their arenas; different arenas, or apart. */
static void check(const struct subject *subject, struct arena *to, size_t dst, struct arena *from,
                  size_t src) {
    support_page(subject, to->data + dst, from->data + src);
    if (fc_op_copies_page(subject->op) ? memcmp(to->data + dst, from->pristine + src, PAGE) != 0
                                       : !is_zero(to->data + dst))
        support_fail("the page is not what it should be");
    memcpy(to->data + dst, to->pristine + dst, PAGE);
    expect_pristine(to, 0, to->size);
    expect_pristine(from, 0, from->size);
}

static void test_guarded(void **state) {
    const struct subject *subject = support_subject(state);
    for (int ends = 0; ends < 4; ends++)
        check(subject, &one, (ends & 1) != 0 ? one.size - PAGE : 0, &other,
              (ends & 2) != 0 ? other.size - PAGE : 0);
    for (int times = 0; times < 200; times++)
        check(subject, &many, support_random_below(PAGES) * PAGE, &one, 0);
}

static void test_onto_itself(void **state) {
    const struct subject *subject = support_subject(state);
    if (!fc_op_copies_page(subject->op)) {
        print_message("skipped: it copies nothing\n");
        skip();
    }
    for (int times = 0; times < 20; times++) {
        unsigned char *page = many.data + support_random_below(PAGES) * PAGE;
        support_page(subject, page, page);
        expect_pristine(&many, 0, many.size);
    }
}

#ifdef NDEBUG
/* As fastcopy.h says of the kernels. */
static bool needs_alignment(const char *name) {
    static const char *const names[] = {"sse2_nt", "avx_nt", "avx512_nt", "clzero",
                                        "zva",     "cell",   "vmx",       "dcbz"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void test_misaligned(void **state) {
    const struct subject *subject = support_subject(state);
    if (needs_alignment(subject->variant->name)) {
        print_message("skipped: nothing is promised for this kernel\n");
        skip();
    }
    for (int times = 0; times < 200; times++)
        check(subject, &many, support_random_below((PAGES / 2 - 1) * PAGE), &many,
              PAGES / 2 * PAGE + support_random_below((PAGES / 2 - 1) * PAGE));
    /* Against the guards. */
    check(subject, &many, many.size - PAGE, &many, 1);
    check(subject, &many, 1, &many, many.size - PAGE);
}
#else
/* What the child writes on stderr before it dies of `*signal`. */
static void misalign(const struct subject *subject, size_t dst, size_t src, int *signal, char *text,
                     size_t size) {
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], 2);
        support_page(subject, many.data + dst, many.data + PAGES / 2 * PAGE + src);
        _exit(0);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], text, size - 1);
    text[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void test_misaligned(void **state) {
    const struct subject *subject = support_subject(state);
    for (int which = 0; which < 1 + fc_op_copies_page(subject->op); which++)
        for (size_t by = 1; by < PAGE; by *= 2) {
            char text[256];
            int signal;
            misalign(subject, which == 0 ? by : 0, which == 1 ? by : 0, &signal, text, sizeof text);
            if (signal != SIGABRT || strstr(text, "must be aligned to FASTCOPY_PAGE_SIZE") == NULL)
                support_fail("misaligned by %zu: signal %d, '%s'", by, signal, text);
        }
}
#endif

/* Each operation itself, on the kernel that was chosen. */
static void test_operations(void **state) {
    (void)state;
    unsigned char *dst = many.data, *src = many.data + PAGE;
    fastcopy_copy_page(dst, src);
    assert_memory_equal(dst, src, PAGE);
    fastcopy_clear_page(dst);
    assert_true(is_zero(dst));
    fastcopy_copy_page_nt(dst, src);
    assert_memory_equal(dst, src, PAGE);
    fastcopy_clear_page_nt(dst);
    assert_true(is_zero(dst));
    memcpy(dst, many.pristine, PAGE);
    expect_pristine(&many, 0, many.size);
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS + 1];
    arena_create(&one, PAGE);
    arena_create(&other, PAGE);
    arena_create(&many, PAGES * PAGE);
    int failed = 0;
    size_t count = support_page_tests(tests, test_guarded);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_operations);
    failed += _cmocka_run_group_tests("one page between guards", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_onto_itself);
    failed += _cmocka_run_group_tests("onto itself", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_misaligned);
    failed += _cmocka_run_group_tests("misaligned", tests, count, NULL, NULL);
    return failed;
}
