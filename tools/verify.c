/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dispatch.h"

/*
 * Two areas, one for destinations and for buffers that overlap, one for sources, each between pages
 * that cannot be accessed:
 *
 *     | no access | dst area | no access | src area (read-only) | no access |
 *
 * The content of an area is known at each offset, so what a call must leave behind is known too,
 * without a second copy routine.
 */
enum { AREA = 64 << 10, MARGIN = 128, VALUE = 0x1a5 /* of memset: only its low byte counts */ };

/* One call, by offsets in the areas. */
struct call {
    size_t n, dst, src;
    bool overlapping; /* src is an offset in the dst area */
};

/* What the child tells its parent, in shared memory. */
struct report {
    struct call call;       /* the present one */
    const char *thresholds; /* under which it is made */
    uint64_t calls;
    enum { RUNNING, PASSED, WRONG_BYTE, WRONG_RESULT, SIGNAL } outcome;
    size_t offset; /* of the wrong byte, in the dst area */
    unsigned char found, expected;
    ptrdiff_t result; /* relative to dst */
    int signal;
    uintptr_t address; /* of the fault */
};

static const struct fc_verify *verify;
static struct report *report;
static unsigned char *dst_area, *src_area;
/* What the areas hold before a call, and what memset writes. */
static unsigned char dst_image[AREA], src_image[AREA], set_image[AREA];
static const unsigned char zero_page[FASTCOPY_PAGE_SIZE];
static uint64_t random_state;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* ---- one call ------------------------------------------------------------------------------- */

typedef uint64_t word __attribute__((may_alias, aligned(1)));

/*
 * The empty assembly keeps the compiler from making a call of memcpy of this loop: that may be the
 * one that is under test.
 */
static void restore(size_t from, size_t to) {
    for (; from + sizeof(word) <= to; from += sizeof(word)) {
        *(word *)(dst_area + from) = *(const word *)(dst_image + from);
        __asm__ volatile("" : "+r"(from));
    }
    for (; from < to; from++) {
        dst_area[from] = dst_image[from];
        __asm__ volatile("" : "+r"(from));
    }
}

/* Must the dst area hold `expected` from an offset on? Notes the first byte that differs. */
static bool holds(size_t from, size_t to, const unsigned char *expected) {
    const unsigned char *found = dst_area + from;
    size_t n = to - from, i = 0;
    while (i + sizeof(word) <= n && *(const word *)(found + i) == *(const word *)(expected + i))
        i += sizeof(word);
    while (i < n && found[i] == expected[i])
        i++;
    if (i == n)
        return true;
    report->outcome = WRONG_BYTE;
    report->offset = from + i;
    report->found = found[i];
    report->expected = expected[i];
    return false;
}

static unsigned char *call_function(const struct call *call) {
    void *dst = dst_area + call->dst;
    if (fc_op_is_page(verify->op)) {
        const void *page = (call->overlapping ? dst_area : src_area) + call->src;
        if (fc_op_copies_page(verify->op))
            ((void (*)(void *, const void *))verify->function)(dst, page);
        else
            ((void (*)(void *))verify->function)(dst);
        return dst;
    }
    if (fc_op_sets(verify->op))
        return ((void *(*)(void *, int, size_t))verify->function)(dst, VALUE, call->n);
    const void *src = (call->overlapping ? dst_area : src_area) + call->src;
    return ((void *(*)(void *, const void *, size_t))verify->function)(dst, src, call->n);
}

static bool passes(struct call call) {
    size_t end = call.dst + call.n;
    size_t from = call.dst > MARGIN ? call.dst - MARGIN : 0;
    size_t to = end + MARGIN < AREA ? end + MARGIN : AREA;
    if (call.overlapping) {
        from = call.src < from ? call.src : from;
        to = call.src + call.n > to ? call.src + call.n : to;
    }
    report->call = call;
    report->calls++;
    restore(from, to);
    report->result = call_function(&call) - (dst_area + call.dst);
    if ((size_t)report->result != (verify->op == FC_OP_mempcpy ? call.n : 0)) {
        report->outcome = WRONG_RESULT;
        return false;
    }
    const unsigned char *moved = (call.overlapping ? dst_image : src_image) + call.src;
    if (fc_op_sets(verify->op))
        moved = set_image;
    if (fc_op_is_page(verify->op) && !fc_op_copies_page(verify->op))
        moved = zero_page;
    return holds(from, call.dst, dst_image + from) && holds(call.dst, end, moved) &&
           holds(end, to, dst_image + end);
}

/* ---- all calls ------------------------------------------------------------------------------ */

/* Up to eight vectors of the largest kind in use: what kernels treat one by one. */
enum { NEAR = 512 };

/* Low enough that every path of a kernel is reached by small copies. */
enum { REP_MIN = 512, REP_MAX = 2048, STREAMING = 4096, LARGEST = 20000 };

/* The sizes that matter above 1024: around the thresholds, a page, and where streaming goes by four
 * pages. */
static const size_t large_sizes[] = {
    1471,           REP_MAX - 64,   REP_MAX - 1,   REP_MAX,    REP_MAX + 1,   REP_MAX + 64,
    3000,           STREAMING - 64, STREAMING - 1, STREAMING,  STREAMING + 1, STREAMING + 33,
    STREAMING + 64, 8191,           8192,          16384 + 63, 16384 + 64,    LARGEST};
enum { LARGE_SIZES = sizeof large_sizes / sizeof *large_sizes };

/* An offset so that a buffer of n bytes lies `gap` bytes from one end of its area. */
static size_t place(size_t n, size_t gap, bool at_end) {
    return at_end ? AREA - n - gap : gap;
}

/* Apart from each other, at either end of their areas, at all distances from it that matter. */
static bool apart(size_t n) {
    for (size_t gap = 0; gap < 64; gap++)
        for (unsigned end = 0; end < 2; end++) {
            uint64_t random = next_random();
            size_t other_gap = (random & 1) != 0 ? 0 : random >> 8 & 63;
            size_t varied = place(n, gap, end != 0), other = place(n, other_gap, random >> 1 & 1);
            if (!passes((struct call){.n = n, .dst = varied, .src = other}) ||
                !passes((struct call){.n = n, .dst = other, .src = varied}))
                return false;
        }
    return true;
}

/* In one area, src `distance` bytes above dst, or below where it is negative. */
static bool overlapping(size_t n, ptrdiff_t distance) {
    size_t apart = (size_t)(distance < 0 ? -distance : distance);
    uint64_t random = next_random();
    size_t lower = place(n + apart, random >> 8 & 63, random & 1), upper = lower + apart;
    return passes((struct call){.n = n,
                                .dst = distance < 0 ? upper : lower,
                                .src = distance < 0 ? lower : upper,
                                .overlapping = true});
}

static bool overlapping_near(size_t n) {
    for (ptrdiff_t distance = -NEAR; distance <= NEAR; distance++)
        if (!overlapping(n, distance))
            return false;
    return true;
}

/* Where addresses agree in their low 12 bits, or nearly. */
static bool overlapping_page(size_t n) {
    for (ptrdiff_t k = -64; k <= 64; k++)
        if (!overlapping(n, 4096 + k) || !overlapping(n, -4096 + k))
            return false;
    return true;
}

/* Each page of both areas with each, those at the inaccessible pages among them; onto itself. */
static bool pages(void) {
    enum { PAGE = FASTCOPY_PAGE_SIZE };
    for (size_t dst = 0; dst < AREA; dst += PAGE) {
        for (size_t src = 0; src < AREA; src += PAGE)
            if (!passes((struct call){.n = PAGE, .dst = dst, .src = src}))
                return false;
        if (!passes((struct call){.n = PAGE, .dst = dst, .src = dst, .overlapping = true}))
            return false;
    }
    return true;
}

static bool systematic(void) {
    if (fc_op_is_page(verify->op))
        return pages();
    /* A size of 0 touches nothing: the addresses may be bad. */
    if (!passes((struct call){.n = 0, .dst = AREA, .src = AREA}))
        return false;
    for (size_t n = 0; n <= 1024; n++)
        if (!apart(n))
            return false;
    for (size_t i = 0; i < LARGE_SIZES; i++)
        if (!apart(large_sizes[i]))
            return false;
    if (fc_op_sets(verify->op))
        return true;
    for (size_t n = 0; n <= 1024; n += n < 132 || n % 64 == 63 || n % 64 == 0 ? 1 : 5)
        if (!overlapping_near(n))
            return false;
    for (size_t i = 0; i < LARGE_SIZES; i++)
        if (!overlapping_near(large_sizes[i]) || !overlapping_page(large_sizes[i]))
            return false;
    return true;
}

static bool randomly(void) {
    uint64_t random = next_random();
    if (fc_op_is_page(verify->op))
        return passes((struct call){.n = FASTCOPY_PAGE_SIZE,
                                    .dst = random % AREA & -(size_t)FASTCOPY_PAGE_SIZE,
                                    .src = (random >> 32) % AREA & -(size_t)FASTCOPY_PAGE_SIZE});
    size_t n = (size_t)(random >> 8) % ((size_t)2 << (random & 15)) % LARGEST;
    random = next_random();
    if (!fc_op_sets(verify->op) && (random & 1) != 0)
        return overlapping(n, (ptrdiff_t)(random >> 16 & 16383) - 8192);
    return passes((struct call){.n = n,
                                .dst = place(n, random >> 8 & 4095, random >> 2 & 1),
                                .src = place(n, random >> 20 & 4095, random >> 3 & 1)});
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool all_calls(void) {
    const struct {
        const char *name;
        struct fc_thresholds thresholds;
    } sets[] = {
        {"this machine's", fc_dispatch_state()->policy.thresholds},
        {"low",
         {.rep_movsb_min = REP_MIN,
          .rep_movsb_max = REP_MAX,
          .nt_threshold = STREAMING,
          .rep_stosb_min = REP_MIN,
          .rep_stosb_max = REP_MAX}},
        {"all never", {0}},
    };
    enum { SETS = sizeof sets / sizeof *sets };
    for (size_t i = 0; i < SETS; i++) {
        report->thresholds = sets[i].name; /* the parent has the same string at the same address */
        fc_dispatch_thresholds(&sets[i].thresholds);
        if (!systematic())
            return false;
    }
    double end = now() + verify->seconds;
    for (uint64_t i = 0; now() < end; i++) {
        report->thresholds = sets[i % SETS].name;
        fc_dispatch_thresholds(&sets[i % SETS].thresholds);
        for (unsigned k = 0; k < 1000; k++)
            if (!randomly())
                return false;
    }
    return true;
}

/* ---- the child and its parent --------------------------------------------------------------- */

enum { TIME_LIMIT = 60 }; /* seconds beyond verify->seconds */

static void crashed(int signal, siginfo_t *info, void *context) {
    (void)context;
    report->outcome = SIGNAL;
    report->signal = signal;
    report->address = (uintptr_t)info->si_addr;
    _exit(1);
}

/* The kernel may have been called with a stack pointer that is no good any more. */
static void catch_crashes(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGALRM};
    static unsigned char stack[64 << 10];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    alarm(TIME_LIMIT + (unsigned)verify->seconds);
}

static unsigned char *map(size_t size, int protection, int flags) {
    void *memory = mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("fastcopy");
        exit(1);
    }
    return memory;
}

enum { GUARD = 64 << 10 /* a multiple of any page size in use */, AREAS = 2 * AREA + 3 * GUARD };

static void prepare(unsigned char *areas) {
    dst_area = areas + GUARD;
    src_area = dst_area + AREA + GUARD;
    mprotect(dst_area, AREA, PROT_READ | PROT_WRITE);
    mprotect(src_area, AREA, PROT_READ | PROT_WRITE);
    random_state = verify->seed | 1;
    for (size_t i = 0; i < AREA; i++) {
        uint64_t random = next_random();
        dst_image[i] = (unsigned char)(random >> 8);
        src_area[i] = src_image[i] = (unsigned char)(random >> 16);
        set_image[i] = (unsigned char)VALUE;
    }
    mprotect(src_area, AREA, PROT_READ);
}

static _Noreturn void child(void) {
    catch_crashes();
    if (all_calls())
        report->outcome = PASSED;
    _exit(0);
}

/* Where an address lies: relative to the buffer that it is nearer to. */
static void describe_fault(char *text, size_t size) {
    const struct call *call = &report->call;
    uintptr_t dst = (uintptr_t)dst_area + call->dst;
    uintptr_t src = (uintptr_t)(call->overlapping ? dst_area : src_area) + call->src;
    ptrdiff_t from_dst = (ptrdiff_t)(report->address - dst);
    ptrdiff_t from_src = (ptrdiff_t)(report->address - src);
    bool in_src = llabs(from_src) < llabs(from_dst);
    snprintf(text, size, "%s at %s%+td", strsignal(report->signal), in_src ? "src" : "dst",
             in_src ? from_src : from_dst);
}

static void describe(char *text, size_t size) {
    const struct call *call = &report->call;
    char what[96];
    switch (report->outcome) {
    case WRONG_BYTE:
        snprintf(what, sizeof what, "dst[%td] is 0x%02x, not 0x%02x",
                 (ptrdiff_t)(report->offset - call->dst), report->found, report->expected);
        break;
    case WRONG_RESULT:
        snprintf(what, sizeof what, "it returned dst%+td", report->result);
        break;
    case SIGNAL:
        if (report->signal == SIGALRM)
            snprintf(what, sizeof what, "it did not return");
        else
            describe_fault(what, sizeof what);
        break;
    default:
        snprintf(what, sizeof what, "the process ended");
    }
    char src[64] = "";
    if (call->overlapping)
        snprintf(src, sizeof src, ", src = dst%+td", (ptrdiff_t)(call->src - call->dst));
    else if (!fc_op_sets(verify->op))
        snprintf(src, sizeof src, ", src = page+%zu", call->src % 4096);
    snprintf(text, size, "n = %zu, dst = page+%zu%s, thresholds: %s: %s", call->n, call->dst % 4096,
             src, report->thresholds, what);
}

struct fc_verdict fc_verify(const struct fc_verify *that) {
    struct fc_verdict verdict = {.ok = false};
    verify = that;
    report = (struct report *)map(sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED);
    unsigned char *areas = map(AREAS, PROT_NONE, MAP_PRIVATE);
    prepare(areas);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        perror("fastcopy");
        exit(1);
    }
    if (pid == 0)
        child();
    while (waitpid(pid, NULL, 0) != pid)
        ;
    verdict.ok = report->outcome == PASSED;
    verdict.calls = report->calls;
    if (!verdict.ok)
        describe(verdict.reason, sizeof verdict.reason);
    munmap(areas, AREAS);
    munmap(report, sizeof *report);
    return verdict;
}
