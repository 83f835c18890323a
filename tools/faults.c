/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fastcopy/fastcopy.h>

/*
 * An area is GOOD bytes, and as many bad ones behind them. The function sees it through a view of
 * which the bad part is bad; we read and mend it through another. What it holds before a call is
 * known at each offset, so what must be there afterwards is, too.
 */
enum { GOOD = 96 << 10, AREA = 2 * GOOD, MARGIN = 64, HUGE_FILE = 4 << 20 };

enum bad { BAD_NOT, BAD_PROTECTED, BAD_UNMAPPED, BAD_TRUNCATED, BAD_READ_ONLY, BAD_COUNT };
static const char *const bad_text[BAD_COUNT] = {"good", "protected", "unmapped",
                                                "beyond the end of a file", "read-only"};

struct area {
    unsigned char *view, *ours;
    size_t known; /* bytes that we can look at */
};

/* One call, by distances from the end of the good part. */
struct call {
    const char *what;
    enum bad src_bad, dst_bad;
    size_t src, dst, n;
    bool overlapping; /* src is in dst's area */
    uintptr_t dst_address, src_address;
};

struct report {
    struct call call; /* the present one */
    uint64_t cases, faults;
    bool done, failed;
    char reason[240];
};

static const struct fc_faults *faults;
static struct report *report;
static fc_try_copy *function;
static struct area dst_areas[BAD_COUNT], src_areas[BAD_COUNT];
static unsigned char dst_image[AREA], src_image[AREA];
static uint64_t random_state;
static volatile sig_atomic_t signals;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static size_t random_below(size_t limit) {
    return (size_t)(next_random() % limit);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static void die(const char *what) {
    snprintf(report->reason, sizeof report->reason, "cannot set up: %s: %s", what, strerror(errno));
    report->failed = true;
    _exit(1);
}

/* ---- areas ---------------------------------------------------------------------------------- */

static unsigned char *map(size_t size, int protection, int file) {
    unsigned char *at = mmap(NULL, size, protection, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        die("mmap");
    return at;
}

static struct area make_area(enum bad bad, const unsigned char *image) {
    struct area area = {.known = bad == BAD_TRUNCATED || bad == BAD_UNMAPPED ? GOOD : AREA};
    int file = memfd_create("fastcopy", 0);
    if (file < 0 || ftruncate(file, (off_t)area.known) != 0)
        die("memfd_create");
    area.view = map(AREA, PROT_READ | PROT_WRITE, file);
    area.ours = map(area.known, PROT_READ | PROT_WRITE, file);
    close(file);
    memcpy(area.ours, image, area.known);
    int done = 0;
    if (bad == BAD_PROTECTED)
        done = mprotect(area.view + GOOD, GOOD, PROT_NONE);
    else if (bad == BAD_READ_ONLY)
        done = mprotect(area.view + GOOD, GOOD, PROT_READ);
    if (done != 0)
        die("mprotect");
    return area;
}

static void make_areas(void) {
    for (size_t i = 0; i < AREA; i++) {
        dst_image[i] = (unsigned char)(next_random() >> 11);
        /* Never the same, so that a byte copied and one left alone differ. */
        src_image[i] = (unsigned char)(dst_image[i] + 1 + (next_random() >> 11) % 255);
    }
    for (enum bad bad = 0; bad < BAD_COUNT; bad++) {
        dst_areas[bad] = make_area(bad, dst_image);
        src_areas[bad] = make_area(bad, src_image);
    }
    /* At last, so that nothing is mapped there. */
    if (munmap(dst_areas[BAD_UNMAPPED].view + GOOD, GOOD) != 0 ||
        munmap(src_areas[BAD_UNMAPPED].view + GOOD, GOOD) != 0)
        die("munmap");
}

/* ---- one call ------------------------------------------------------------------------------- */

static void fail(const char *format, size_t a, size_t b) {
    snprintf(report->reason, sizeof report->reason, format, a, b);
    report->failed = true;
    _exit(1);
}

static const int set_value = 0x1a5; /* only its low byte counts */

static size_t call_function(void *dst, const void *src, size_t n) {
    report->cases++;
    signals = 0;
    size_t left = faults->set != NULL ? faults->set(dst, set_value, n) : function(dst, src, n);
    if (faults->ours) {
        report->faults += signals > 0;
        if (signals > 2)
            fail("%zu signals in one call", (size_t)signals, 0);
    }
    return left;
}

static void expect(const struct area *dst, size_t from, size_t to, const unsigned char *expected) {
    to = least(to, dst->known);
    if (from >= to || memcmp(dst->ours + from, expected, to - from) == 0)
        return;
    for (size_t i = 0; from + i < to; i++)
        if (dst->ours[from + i] != expected[i])
            fail("the byte at dst + %td is wrong, of a prefix of %zu",
                 (size_t)((ptrdiff_t)(from + i) - (ptrdiff_t)(GOOD - report->call.dst)),
                 report->call.n);
}

/* What a loop, byte by byte, leaves of dst's area; and how many bytes it copies. */
static size_t reference(const struct call *call, const unsigned char **expected) {
    static unsigned char scratch[AREA], set[AREA];
    size_t copied = call->n;
    if (call->dst_bad != BAD_NOT)
        copied = least(copied, call->dst);
    bool src_can_end = call->overlapping
                           ? call->dst_bad != BAD_NOT && call->dst_bad != BAD_READ_ONLY
                           : call->src_bad != BAD_NOT && call->src_bad != BAD_READ_ONLY;
    if (faults->set == NULL && src_can_end)
        copied = least(copied, call->src);
    *expected = src_image + GOOD - call->src;
    if (faults->set != NULL) {
        if (set[0] == 0)
            memset(set, set_value, sizeof set);
        *expected = set;
    } else if (call->overlapping) {
        size_t to = GOOD - call->dst, from = GOOD - call->src, low = least(to, from);
        memcpy(scratch + low, dst_image + low, copied + (to > from ? to - from : from - to));
        for (size_t i = 0; i < copied; i++) {
            scratch[to + i] = scratch[from + i];
            __asm__ volatile("" : : : "memory"); /* a loop, and no call that may be tested */
        }
        *expected = scratch + to;
    }
    return copied;
}

static void check(const struct call *call) {
    const struct area *dst = &dst_areas[call->dst_bad];
    const struct area *src = call->overlapping ? dst : &src_areas[call->src_bad];
    size_t begin = GOOD - call->dst;
    const unsigned char *expected;
    report->call = *call;
    size_t copied = reference(call, &expected);
    size_t left = call_function(dst->view + begin, src->view + GOOD - call->src, call->n);
    if (left != call->n - copied)
        fail("%zu bytes said to be left, not %zu", left, call->n - copied);
    expect(dst, begin, begin + copied, expected);
    expect(dst, begin - least(begin, MARGIN), begin, dst_image + begin - least(begin, MARGIN));
    expect(dst, begin + copied, begin + least(call->n, AREA - begin) + MARGIN,
           dst_image + begin + copied);
    memcpy(dst->ours + begin, dst_image + begin, least(copied, dst->known - begin));
}

/* ---- which calls ---------------------------------------------------------------------------- */

static struct { size_t count, list[1024]; } sizes;

static void make_sizes(void) {
    for (size_t n = 0; n <= 300; n++)
        sizes.list[sizes.count++] = n;
    for (size_t power = 512; power <= GOOD / 3; power *= 2)
        for (size_t n = power - 2; n <= power + 2; n++)
            sizes.list[sizes.count++] = n;
    static const size_t others[] = {320, 383,  384,  385,  400,  448,  640,      767,      768,
                                    769, 1000, 1279, 1280, 1281, 3000, 3 * 4096, 5 * 4096, 20000};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        sizes.list[sizes.count++] = others[i];
}

static const struct {
    enum bad src, dst;
} pairs[] = {
    {BAD_PROTECTED, BAD_NOT},
    {BAD_NOT, BAD_PROTECTED},
    {BAD_PROTECTED, BAD_PROTECTED},
    {BAD_NOT, BAD_READ_ONLY},
    {BAD_PROTECTED, BAD_READ_ONLY},
    {BAD_UNMAPPED, BAD_NOT},
    {BAD_NOT, BAD_UNMAPPED},
    {BAD_TRUNCATED, BAD_NOT},
    {BAD_NOT, BAD_TRUNCATED},
    {BAD_TRUNCATED, BAD_TRUNCATED},
    {BAD_NOT, BAD_NOT},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Each pair of distances once; with it the sizes in turn. As many rounds as there are sizes have
 * all of them together. */
static void check_near(size_t round, size_t step) {
    for (size_t pair = 0; pair < PAIRS; pair++)
        for (size_t src = 0; src < 64; src += 1 + random_below(step))
            for (size_t dst = 0; dst < 64; dst += 1 + random_below(step))
                check(&(struct call){.what = "near a bad page",
                                     .src_bad = pairs[pair].src,
                                     .dst_bad = pairs[pair].dst,
                                     .src = src,
                                     .dst = dst,
                                     .n = sizes.list[(round + 7 * src + 13 * dst) % sizes.count]});
}

/* The fault in the last bytes, or none, or anywhere. */
static size_t far_distance(size_t n) {
    size_t distance = n + random_below(80);
    switch (random_below(3)) {
    case 0:
        distance -= least(distance, 80);
        break;
    case 1:
        distance = random_below(n + 1);
        break;
    }
    return distance;
}

static void check_far(size_t times) {
    for (size_t i = 0; i < times; i++) {
        size_t pair = random_below(PAIRS), n = sizes.list[random_below(sizes.count)];
        check(&(struct call){.what = "a fault in a longer copy",
                             .src_bad = pairs[pair].src,
                             .dst_bad = pairs[pair].dst,
                             .src = far_distance(n),
                             .dst = far_distance(n),
                             .n = n});
    }
}

static void check_overlap(size_t times) {
    for (size_t i = 0; i < times; i++) {
        size_t n = sizes.list[random_below(sizes.count)];
        size_t dst = far_distance(n), apart = random_below(random_below(4) == 0 ? n + 64 : 130);
        check(&(struct call){.what = "overlap",
                             .dst_bad = (enum bad)random_below(BAD_COUNT),
                             .src = random_below(2) == 0 ? dst + apart : dst - least(dst, apart),
                             .dst = dst,
                             .n = n,
                             .overlapping = true});
    }
}

/* Pointers that are no memory's, where nothing may be copied; n leads round the top or not. */
static void check_nowhere(void) {
    static const uintptr_t nowhere[] = {
        0,
        1,
        4095,
        UINTPTR_MAX,
        UINTPTR_MAX - 7,
        UINTPTR_MAX - 100,
        UINTPTR_MAX - 4096,
#if UINTPTR_MAX > UINT32_MAX
        (uintptr_t)1 << 63,
        ((uintptr_t)1 << 63) - 9,
        (uintptr_t)0xffff800000000000,
        (uintptr_t)0xffffffff81000000,
        (uintptr_t)0x00007ffffffff000 + 4096,
        (uintptr_t)0x1234560000000000,
#endif
    };
    const struct area *dst = &dst_areas[BAD_PROTECTED], *src = &src_areas[BAD_PROTECTED];
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        for (size_t k = 0; k < 40; k++) {
            size_t n = k < 20 ? k * k : k < 30 ? SIZE_MAX - k * 63 : next_random();
            uintptr_t addresses[3][2] = {{nowhere[i], (uintptr_t)src->view},
                                         {(uintptr_t)dst->view, nowhere[i]},
                                         {nowhere[i], nowhere[i]}};
            for (size_t which = faults->set != NULL ? 2 : 0; which < 3; which++) {
                report->call = (struct call){.what = "an address that is nobody's",
                                             .n = n,
                                             .dst_address = addresses[which][0],
                                             .src_address = addresses[which][1]};
                size_t left = call_function((void *)addresses[which][0],
                                            (const void *)addresses[which][1], n);
                if (left != n)
                    fail("%zu bytes said to be left, not %zu", left, n);
                expect(dst, 0, 512, dst_image);
            }
        }
    /* From good memory round the top, and n = 0 at any address. */
    for (size_t k = 0; k < 400; k++) {
        size_t n = SIZE_MAX - random_below(k < 200 ? 300 : SIZE_MAX / 2);
        check(&(struct call){.what = "more than there is",
                             .src_bad = BAD_PROTECTED,
                             .dst_bad = k % 2 == 0 ? BAD_PROTECTED : BAD_TRUNCATED,
                             .src = random_below(900),
                             .dst = random_below(900),
                             .n = n});
    }
}

/* ---- a file that shrinks while it is copied ------------------------------------------------- */

static int shrinking_file;
static size_t shrunk_to;
static int may_shrink;

static void *shrink(void *argument) {
    (void)argument;
    while (__atomic_load_n(&may_shrink, __ATOMIC_ACQUIRE) == 0)
        ;
    for (volatile size_t i = random_below(20000); i > 0; i--)
        ;
    if (ftruncate(shrinking_file, (off_t)shrunk_to) != 0)
        abort();
    return NULL;
}

static void check_shrinking(size_t times) {
    static unsigned char target[HUGE_FILE];
    shrinking_file = memfd_create("fastcopy", 0);
    if (shrinking_file < 0 || ftruncate(shrinking_file, HUGE_FILE) != 0)
        die("memfd_create");
    unsigned char *view = map(HUGE_FILE, PROT_READ | PROT_WRITE, shrinking_file);
    for (size_t i = 0; i < times; i++) {
        if (ftruncate(shrinking_file, HUGE_FILE) != 0)
            die("ftruncate");
        memset(view, 0x11, HUGE_FILE);
        memset(target, 0x22, HUGE_FILE);
        shrunk_to = random_below(HUGE_FILE / 4096) * 4096;
        may_shrink = 0;
        report->call = (struct call){.what = "a file that shrinks meanwhile", .n = HUGE_FILE};
        pthread_t thread;
        if (pthread_create(&thread, NULL, shrink, NULL) != 0)
            die("pthread_create");
        __atomic_store_n(&may_shrink, 1, __ATOMIC_RELEASE);
        size_t left = faults->set != NULL ? call_function(view, NULL, HUGE_FILE)
                                          : call_function(target, view, HUGE_FILE);
        pthread_join(thread, NULL);
        size_t copied = HUGE_FILE - left;
        if (left > HUGE_FILE || copied < shrunk_to)
            fail("%zu bytes said to be left, with %zu in the file", left, shrunk_to);
        size_t end = faults->past_count ? copied : HUGE_FILE;
        for (size_t at = 0; faults->set == NULL && at < end; at++)
            if (target[at] != (at < copied ? 0x11 : 0x22))
                fail("the byte at dst + %zu is wrong, with %zu copied", at, copied);
    }
    munmap(view, HUGE_FILE);
    close(shrinking_file);
}

/* ---- the child ------------------------------------------------------------------------------ */

static void handle(int sig, siginfo_t *info, void *context) {
    signals++;
    if (fastcopy_fault_handle(sig, info, context) == 1)
        return;
    snprintf(report->reason, sizeof report->reason, "signal %d at %p, which is not survived", sig,
             info->si_addr);
    report->failed = true;
    _exit(1);
}

static void run_child(void) {
    random_state = faults->seed * 2 + 1;
    alarm(3600);
    make_areas();
    make_sizes();
    if (faults->ours) {
        struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
        sigaction(SIGSEGV, &action, NULL);
        sigaction(SIGBUS, &action, NULL);
    }
    if (faults->set == NULL && (function = faults->prepare(faults->argument)) == NULL) {
        snprintf(report->reason, sizeof report->reason, "no function to check");
        report->failed = true;
        _exit(1);
    }
    check_nowhere();
    check_shrinking(faults->cases < 100000 ? 3 : 30);
    size_t step =
        faults->cases < 500000 ? 6 : 1; /* so that a quick check has seen all sizes, too */
    for (size_t round = 0; report->cases < faults->cases; round++) {
        check_near(round, step);
        check_far(4000 / step);
        if (faults->set == NULL)
            check_overlap(4000 / step);
    }
    report->done = true;
    _exit(0);
}

static void describe(char *text, size_t size) {
    const struct call *call = &report->call;
    if (call->dst_address != 0 || call->src_address != 0)
        snprintf(text, size, "%s: dst = %#llx, src = %#llx, n = %zu", call->what,
                 (unsigned long long)call->dst_address, (unsigned long long)call->src_address,
                 call->n);
    else
        snprintf(text, size,
                 "%s: n = %zu, src %zu before %s%s memory, dst %zu before %s memory, seed %llu",
                 call->what != NULL ? call->what : "before the first call", call->n, call->src,
                 bad_text[call->overlapping ? call->dst_bad : call->src_bad],
                 call->overlapping ? " (dst's)" : "", call->dst, bad_text[call->dst_bad],
                 (unsigned long long)faults->seed);
}

struct fc_faults_verdict fc_check_faults(const struct fc_faults *what) {
    struct fc_faults_verdict verdict = {.ok = false};
    faults = what;
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) {
        snprintf(verdict.reason, sizeof verdict.reason, "mmap: %s", strerror(errno));
        return verdict;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child();
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        snprintf(verdict.reason, sizeof verdict.reason, "fork: %s", strerror(errno));
    else {
        verdict.ok = report->done && !report->failed;
        verdict.cases = report->cases;
        verdict.faults = report->faults;
        char call[256];
        describe(call, sizeof call);
        if (report->failed)
            snprintf(verdict.reason, sizeof verdict.reason, "%s; %s", report->reason, call);
        else if (!verdict.ok)
            snprintf(verdict.reason, sizeof verdict.reason, "ended by signal %d; %s",
                     WIFSIGNALED(status) ? WTERMSIG(status) : 0, call);
    }
    munmap(report, sizeof *report);
    return verdict;
}
