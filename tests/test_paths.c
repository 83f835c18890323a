/* SPDX-License-Identifier: MIT */
/*
 * Which way a kernel goes: streaming stores, rep movsb, rep stosb or plain vectors, forward or
 * backward. Results do not tell, so a child makes one call by single steps, and its parent looks at
 * the instructions. So with dispatch: in which order it publishes what it decides.
 *
 * With an argument this program is a child of test_publish_order.
 */
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stepper.h"

/* ---- what a call did ------------------------------------------------------------------------ */

enum {
    STREAMS = 1,
    REP_MOVSB = 2,
    REP_MOVSQ = 4,
    REP_STOSB = 8,
    REP_OTHER = 16,
    FENCED = 32, /* an sfence, and no streaming store after it */
    FORWARD = 64,
    BACKWARD = 128,
};

#define WAYS (STREAMS | REP_MOVSB | REP_MOVSQ | REP_STOSB | REP_OTHER | FENCED)
#define DIRECTIONS (FORWARD | BACKWARD)

static const char *way_text(unsigned ways) {
    static const char *const names[] = {"streaming stores", "rep movsb", "rep movsq", "rep stosb",
                                        "another rep",      "sfence",    "forward",   "backward"};
    static char text[2][160];
    static unsigned turn;
    char *to = text[++turn % 2];
    size_t used = (size_t)snprintf(to, sizeof text[0], "[");
    for (unsigned i = 0; i < COUNT(names); i++)
        if ((ways >> i & 1) != 0)
            used += (size_t)snprintf(to + used, sizeof text[0] - used, " %s", names[i]);
    snprintf(to + used, sizeof text[0] - used, " ]");
    return to;
}

/* movntps and movntpd (2b), movntdq (e7), movnti (c3), in all encodings. */
static bool is_streaming_store(const unsigned char *code) {
    unsigned char opcode;
    if (code[0] == 0xc5) { /* VEX, two bytes */
        opcode = code[2];
    } else if (code[0] == 0xc4 && (code[1] & 0x1f) == 1) { /* VEX, three bytes */
        opcode = code[3];
    } else if (code[0] == 0x62 && (code[1] & 7) == 1) { /* EVEX */
        opcode = code[4];
    } else {
        code += code[0] == 0x66;
        code += (code[0] & 0xf0) == 0x40; /* REX */
        if (code[0] != 0x0f)
            return false;
        opcode = code[1];
        if (opcode == 0xc3)
            return true;
    }
    return opcode == 0x2b || opcode == 0xe7;
}

static unsigned rep_way(const unsigned char *code) {
    if (code[0] != 0xf3)
        return 0;
    bool wide = code[1] == 0x48;
    switch (code[wide ? 2 : 1]) {
    case 0xa4:
        return REP_MOVSB;
    case 0xa5:
        return wide ? REP_MOVSQ : REP_OTHER;
    case 0xaa:
        return REP_STOSB;
    case 0xab:
        return REP_OTHER;
    default:
        return 0;
    }
}

/* ---- one call ------------------------------------------------------------------------------- */

/* Memory is shared with the child, so that the parent sees what was stored as it goes. */
struct call {
    const struct subject *subject;
    unsigned char *dst;
    const unsigned char *src; /* NULL: memset */
    size_t n;
    unsigned ways;
};

/* Two bytes of the destination, a quarter from each end: the direction is which changes first. */
static unsigned char *low_byte(const struct call *call) {
    return call->dst + call->n / 4;
}

static unsigned char *high_byte(const struct call *call) {
    return call->dst + call->n - call->n / 4;
}

struct watch {
    struct call *call;
    unsigned char low, high;
};

static void watch_step(const struct stepper_at *at, void *context) {
    struct watch *watch = context;
    struct call *call = watch->call;
    if ((call->ways & DIRECTIONS) == 0) {
        if (*(volatile unsigned char *)low_byte(call) != watch->low)
            call->ways |= FORWARD;
        if (*(volatile unsigned char *)high_byte(call) != watch->high)
            call->ways |= BACKWARD;
    }
    call->ways |= rep_way(at->code);
    if (is_streaming_store(at->code))
        call->ways = (call->ways | STREAMS) & ~(unsigned)FENCED;
    if (memcmp(at->code, "\x0f\xae\xf8", 3) == 0)
        call->ways |= FENCED;
}

static void run_call(void *argument) {
    const struct call *call = argument;
    fastcopy_function *entry = call->subject->variant->entry;
    if (fc_op_sets(call->subject->op)) {
        set_function *set = (set_function *)entry;
        stepper_mark(NULL);
        set(call->dst, 0x5a, call->n);
    } else {
        copy_function *copy = (copy_function *)entry;
        stepper_mark(NULL);
        copy(call->dst, call->src, call->n);
    }
    stepper_mark(NULL);
}

/* Each byte differs from those near it, from the memset's, and from zero. */
static unsigned char source_byte(size_t i) {
    return (unsigned char)(1 + i % 89);
}

static unsigned ways_of(struct call *call) {
    memset(call->dst, 0, call->n);
    if (call->src != NULL)
        for (size_t i = 0; i < call->n; i++)
            ((unsigned char *)(uintptr_t)call->src)[i] = source_byte(i);
    call->ways = 0;
    struct watch watch = {call, *low_byte(call), *high_byte(call)};
    stepper_run(run_call, call, watch_step, &watch);
    for (size_t i = 0; i < call->n; i++)
        if (call->dst[i] != (call->src == NULL ? 0x5a : source_byte(i)))
            fail_msg("byte %zu of %zu is wrong", i, call->n);
    return call->ways;
}

/* ---- expectations --------------------------------------------------------------------------- */

/* The size at which thresholds are set; above what kernels do without looking at any. */
#define AT ((size_t)1024)
#define MEMORY_SIZE ((size_t)65536)

static const struct subject *subject;
static struct fc_thresholds now;
static unsigned char *memory;

static void set_thresholds(struct fc_thresholds thresholds) {
    now = thresholds;
    fc_dispatch_thresholds(&now);
}

/* Directions count where one is expected; of a rep, which is one step, there is none to see. */
static void expect_call(int line, unsigned char *dst, const unsigned char *src, size_t n,
                        unsigned expected) {
    struct call call = {subject, dst, src, n, 0};
    unsigned ways = ways_of(&call);
    if ((expected & DIRECTIONS) == 0)
        ways &= WAYS;
    if (ways == expected)
        return;
    if (src != NULL)
        print_error("dst - src = %td, ", dst - src);
    print_error("n = %zu:", n);
#define FC_THRESHOLD(name, text) print_error(" " #name "=%zu", (size_t)now.name);
#include "thresholds.def"
#undef FC_THRESHOLD
    print_error("\n  did: %s, should have done: %s\n", way_text(ways), way_text(expected));
    _fail(__FILE__, line);
}

/* A call of n bytes; the source, if there is one, is that far below the destination. */
#define EXPECT(distance, n, expected) expect_at(__LINE__, distance, n, expected)
static void expect_at(int line, ptrdiff_t distance, size_t n, unsigned expected) {
    unsigned char *dst = memory + MEMORY_SIZE / 2 + 8;
    expect_call(line, dst, fc_op_sets(subject->op) ? NULL : dst - distance, n, expected);
}

/* No overlap, no aliasing. */
#define APART ((ptrdiff_t)(3 * 4096 + 2048))

/* ---- memmove by vectors --------------------------------------------------------------------- */

static void check_never(void) {
    set_thresholds((struct fc_thresholds){.nt_threshold = 0});
    EXPECT(APART, AT, 0);
    EXPECT(APART, 6 * AT, 0);
}

static void check_streaming(void) {
    const unsigned streaming = STREAMS | FENCED;
    set_thresholds((struct fc_thresholds){.nt_threshold = AT});
    EXPECT(APART, AT - 1, 0);
    EXPECT(APART, AT, streaming);
    EXPECT(-APART, AT, streaming);
    /* Ends that meet, and the least overlap. */
    const ptrdiff_t n = (ptrdiff_t)AT + 1;
    EXPECT(n, AT + 1, streaming);
    EXPECT(-n, AT + 1, streaming);
    EXPECT(n - 1, AT + 1, BACKWARD);
    EXPECT(1 - n, AT + 1, FORWARD);
    EXPECT(1, AT + 1, BACKWARD);
    EXPECT(-1, AT + 1, FORWARD);
}

static void check_rep_movsb(void) {
    set_thresholds((struct fc_thresholds){.rep_movsb_min = AT, .rep_movsb_max = AT + 2});
    EXPECT(APART, AT - 1, 0);
    EXPECT(APART, AT, REP_MOVSB);
    EXPECT(APART, AT + 1, REP_MOVSB);
    EXPECT(APART, AT + 2, 0);
    set_thresholds((struct fc_thresholds){.rep_movsb_min = AT});
    EXPECT(APART, 2 * AT, REP_MOVSB);
    /* A maximum alone is no window. */
    set_thresholds((struct fc_thresholds){.rep_movsb_max = 2 * AT});
    EXPECT(APART, AT, 0);
    /* Streaming goes first. */
    set_thresholds((struct fc_thresholds){.rep_movsb_min = AT, .nt_threshold = AT + 1});
    EXPECT(APART, AT, REP_MOVSB);
    EXPECT(APART, AT + 1, STREAMS | FENCED);

    /* Overlap: only where forward is right, and not from close by. */
    set_thresholds((struct fc_thresholds){.rep_movsb_min = AT});
    EXPECT(1, AT, BACKWARD);
    EXPECT(64, AT, BACKWARD);
    EXPECT((ptrdiff_t)AT - 1, AT, BACKWARD);
    EXPECT((ptrdiff_t)AT, AT, REP_MOVSB);
    EXPECT(-1, AT, FORWARD);
    EXPECT(-63, AT, FORWARD);
    EXPECT(-64, AT, REP_MOVSB);
    EXPECT(1 - (ptrdiff_t)AT, AT, REP_MOVSB);
}

static void check_aliasing(void) {
    set_thresholds((struct fc_thresholds){.nt_threshold = 0});
    for (ptrdiff_t page = 4096; page <= 2 * 4096; page += 4096) {
        const ptrdiff_t close[] = {1, 128};
        for (size_t i = 0; i < COUNT(close); i++) {
            EXPECT(page + close[i], AT, BACKWARD);
            EXPECT(page - close[i], AT, FORWARD);
            EXPECT(-page + close[i], AT, BACKWARD);
            EXPECT(-page - close[i], AT, FORWARD);
        }
        EXPECT(page, AT, FORWARD);
        EXPECT(page + 2048, AT, FORWARD);
    }
    /* The source's start inside the destination: backward would destroy it. */
    EXPECT(-4096 + 64, 4096, FORWARD);
    EXPECT(-4096 + 1, 4096, FORWARD);
    EXPECT(-4096 + 64, 4096 - 64, BACKWARD);
}

/* Memory around `address`, shared with children; NULL if something else is there. */
static unsigned char *map_at(uintptr_t address) {
#ifdef MAP_FIXED_NOREPLACE
    void *map = mmap((void *)address, MEMORY_SIZE, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (map == (void *)address)
        return map;
    if (map != MAP_FAILED)
        munmap(map, MEMORY_SIZE); /* before Linux 4.17 it is a mere hint */
#else
    (void)address;
#endif
    return NULL;
}

/* rep movsb crawls where the two are close modulo 4 GiB. */
static void check_gibs(void) {
    static unsigned char *pages[2];
    const uintptr_t gibs = UINT64_C(4) << 30;
    for (unsigned far = 1; pages[1] == NULL && far < 64; far++) {
        pages[0] = memory;
        pages[1] = map_at((uintptr_t)memory + far * gibs);
        if (pages[1] == NULL)
            pages[1] = map_at((uintptr_t)memory - far * gibs);
    }
    if (pages[1] == NULL) {
        print_message("skipped: no memory multiples of 4 GiB away can be had\n");
        skip();
    }
    static const ptrdiff_t close[] = {0, 1, -1, 62, -62, 63, -63};
    set_thresholds((struct fc_thresholds){.rep_movsb_min = AT});
    for (unsigned to = 0; to < 2; to++) {
        unsigned char *dst = pages[to] + 4096;
        const unsigned char *src = pages[!to] + 4096;
        for (size_t i = 0; i < COUNT(close); i++)
            expect_call(__LINE__, dst + close[i], src, AT, 0);
        expect_call(__LINE__, dst + 64, src, AT, REP_MOVSB);
        expect_call(__LINE__, dst - 64, src, AT, REP_MOVSB);
    }
}

static void check_memmove(void) {
    check_never();
    if (subject->op == FC_OP_mempcpy) { /* enters the same code */
        set_thresholds((struct fc_thresholds){.rep_movsb_min = AT, .nt_threshold = AT + 1});
        EXPECT(APART, AT, REP_MOVSB);
        EXPECT(APART, AT + 1, STREAMS | FENCED);
        return;
    }
    check_streaming();
    check_rep_movsb();
    check_aliasing();
    check_gibs(); /* last: it may skip */
}

/* ---- the other kernels ---------------------------------------------------------------------- */

static void check_memset(void) {
    check_never();
    set_thresholds((struct fc_thresholds){.rep_stosb_min = AT, .rep_stosb_max = AT + 2});
    EXPECT(0, AT - 1, 0);
    EXPECT(0, AT, REP_STOSB);
    EXPECT(0, AT + 1, REP_STOSB);
    EXPECT(0, AT + 2, 0);
    set_thresholds((struct fc_thresholds){.rep_stosb_min = AT});
    EXPECT(0, 2 * AT, REP_STOSB);
    set_thresholds((struct fc_thresholds){.rep_stosb_max = 2 * AT});
    EXPECT(0, AT, 0);
}

static void check_memcpy_nt(void) {
    set_thresholds((struct fc_thresholds){.nt_threshold = 0});
    EXPECT(APART, 4095, 0);
    EXPECT(APART, 4096, STREAMS | FENCED);
    EXPECT(-APART, 4097, STREAMS | FENCED);
    EXPECT(APART, 10000, STREAMS | FENCED);
    EXPECT(5000, 5000, STREAMS | FENCED);
    EXPECT(-5000, 5000, STREAMS | FENCED);
    EXPECT(4999, 5000, BACKWARD);
    EXPECT(-4999, 5000, FORWARD);
}

static void check_memset_nt(void) {
    set_thresholds((struct fc_thresholds){.nt_threshold = 0});
    EXPECT(0, 4095, 0);
    EXPECT(0, 4096, STREAMS | FENCED);
    EXPECT(0, 10000, STREAMS | FENCED);
}

/* All thresholds that there are change nothing. */
static void check_always(unsigned way) {
    for (int on = 0; on < 2; on++) {
        set_thresholds(on == 0 ? (struct fc_thresholds){.nt_threshold = 0}
                               : (struct fc_thresholds){.rep_movsb_min = 256,
                                                        .rep_stosb_min = 256,
                                                        .nt_threshold = AT});
        EXPECT(APART, AT, way);
        EXPECT(-APART, AT, way);
    }
}

static void test_kernel(void **state) {
    subject = support_subject(state);
    const char *name = subject->variant->name;
    unsigned family = fc_op_family(subject->op);
    if (strcmp(name, "generic") == 0) {
        print_message("skipped: what the compiler makes of it is its own business\n");
        skip();
    }
    if (strcmp(name, "ssse3") == 0) {
        check_always(0);
    } else if (strcmp(name, "movsq") == 0) {
        check_always(REP_MOVSQ);
        EXPECT(-1, AT, REP_MOVSQ);
    } else if (strcmp(name, "erms") == 0 && family == FC_FAMILY_memset) {
        check_always(REP_STOSB);
    } else if (strcmp(name, "erms") == 0) {
        check_always(REP_MOVSB);
        EXPECT(-1, AT, REP_MOVSB);
    } else if (family == FC_FAMILY_memset_nt) {
        check_memset_nt();
    } else if (family == FC_FAMILY_memset) {
        check_memset();
    } else if (family == FC_FAMILY_memcpy_nt) {
        check_memcpy_nt();
    } else {
        check_memmove();
    }
}

/* ---- pages ---------------------------------------------------------------------------------- */

struct page_call {
    const struct subject *subject;
    unsigned char *dst, *src;
    unsigned ways;
    uintptr_t stray; /* a prefetch outside the source */
};

/* prefetchnta or kin with a displacement from rsi: all that our page kernels have. */
static void watch_prefetch(const struct stepper_at *at, struct page_call *call) {
    const unsigned char *code = at->code;
    if (code[0] != 0x0f || code[1] != 0x18)
        return;
    uintptr_t where = at->registers.rsi;
    int32_t displacement = 0;
    if ((code[2] & 0xc7) == 0x46)
        displacement = (signed char)code[3];
    else if ((code[2] & 0xc7) == 0x86)
        memcpy(&displacement, code + 3, sizeof displacement);
    else if ((code[2] & 0xc7) != 0x06)
        where = 0;
    where += (uintptr_t)(intptr_t)displacement;
    if (where - (uintptr_t)call->src >= FASTCOPY_PAGE_SIZE)
        call->stray = where;
}

static void watch_page_step(const struct stepper_at *at, void *context) {
    struct page_call *call = context;
    call->ways |= rep_way(at->code);
    if (is_streaming_store(at->code) || memcmp(at->code, "\x0f\x01\xfc", 3) == 0) /* clzero */
        call->ways = (call->ways | STREAMS) & ~(unsigned)FENCED;
    if (memcmp(at->code, "\x0f\xae\xf8", 3) == 0)
        call->ways |= FENCED;
    watch_prefetch(at, call);
}

static void run_page(void *argument) {
    const struct page_call *call = argument;
    fastcopy_function *entry = call->subject->variant->entry;
    stepper_mark(NULL);
    if (fc_op_copies_page(call->subject->op))
        ((page_copy_function *)entry)(call->dst, call->src);
    else
        ((page_clear_function *)entry)(call->dst);
    stepper_mark(NULL);
}

static unsigned page_ways(const struct subject *page) {
    const char *name = page->variant->name;
    if (strcmp(name, "rep_movsq") == 0)
        return REP_MOVSQ;
    if (strcmp(name, "rep_stosq") == 0)
        return REP_OTHER;
    if (strcmp(name, "erms") == 0)
        return fc_op_copies_page(page->op) ? REP_MOVSB : REP_STOSB;
    if (strstr(name, "_nt") != NULL || strcmp(name, "movnti") == 0 || strcmp(name, "clzero") == 0)
        return STREAMS | FENCED;
    return 0;
}

static void test_page(void **state) {
    static _Alignas(FASTCOPY_PAGE_SIZE) unsigned char pages[2][FASTCOPY_PAGE_SIZE];
    const struct subject *page = support_subject(state);
    if (strcmp(page->variant->name, "generic") == 0) {
        print_message("skipped: what the compiler makes of it is its own business\n");
        skip();
    }
    struct page_call call = {.subject = page, .dst = pages[0], .src = pages[1]};
    stepper_run(run_page, &call, watch_page_step, &call);
    if (call.ways != page_ways(page))
        fail_msg("it went by%s, not%s", way_text(call.ways), way_text(page_ways(page)));
    if (call.stray != 0)
        fail_msg("prefetched %+td", (ptrdiff_t)(call.stray - (uintptr_t)call.src));
}

/* ---- the watcher itself --------------------------------------------------------------------- */

static void *copy_by_movnti(void *dst, const void *src, size_t n) {
    for (size_t i = 0; i < n; i += 8)
        __asm__ volatile("sfence; movnti %1, %0"
                         : "=m"(*(uint64_t *)((char *)dst + i))
                         : "r"(*(const uint64_t *)((const char *)src + i)));
    return dst;
}

static void *copy_by_rep_movsl(void *dst, const void *src, size_t n) {
    void *to = dst;
    n /= 4;
    __asm__ volatile("rep movsl" : "+D"(to), "+S"(src), "+c"(n) : : "memory");
    return dst;
}

static void *copy_backward(void *dst, const void *src, size_t n) {
    while (n-- > 0)
        ((volatile char *)dst)[n] = ((const volatile char *)src)[n];
    return dst;
}

static void test_offenders(void **state) {
    (void)state;
    static const struct {
        copy_function *function;
        unsigned ways;
    } offenders[] = {
        {copy_by_movnti, STREAMS | FORWARD},
        {copy_by_rep_movsl, REP_OTHER},
        {copy_backward, BACKWARD},
    };
    for (size_t i = 0; i < COUNT(offenders); i++) {
        struct subject offender =
            support_offender(FC_OP_memmove, "offender", (fastcopy_function *)offenders[i].function);
        subject = &offender;
        EXPECT(APART, 1024, offenders[i].ways);
    }
    /* Encodings, as assembled: movntps %xmm8, (%rdi); vmovntdq %ymm0, (%rdi); the same of %ymm8 to
     * (%r8); vmovntps %zmm16, (%rdi); and the plain movups, movdqa, vmovups, vmovdqa of them. */
    static const unsigned char streaming[][8] = {
        {0x44, 0x0f, 0x2b, 0x07},       {0xc5, 0xfd, 0xe7, 0x07},
        {0xc4, 0x41, 0x7d, 0xe7, 0x00}, {0x62, 0xe1, 0x7c, 0x48, 0x2b, 0x07},
        {0x66, 0x0f, 0xe7, 0x07},
    };
    static const unsigned char plain[][8] = {
        {0x44, 0x0f, 0x11, 0x07},       {0xc5, 0xfd, 0x7f, 0x07},
        {0xc4, 0x41, 0x7c, 0x11, 0x00}, {0x62, 0xe1, 0x7c, 0x48, 0x11, 0x07},
        {0x66, 0x0f, 0x7f, 0x07},
    };
    for (size_t i = 0; i < COUNT(streaming); i++) {
        assert_true(is_streaming_store(streaming[i]));
        assert_false(is_streaming_store(plain[i]));
    }
}

/* ---- small copies --------------------------------------------------------------------------- */

/*
 * A masked vector access, by its encoding: vmovdqu8 and kin (6f, 7f) or vmovups and kin (10, 11)
 * under a mask register. Tells where its 64 bytes begin.
 */
static bool is_masked_access(const struct stepper_at *at, uintptr_t *where) {
    const unsigned char *code = at->code;
    if (code[0] != 0x62 || (code[1] & 7) != 1 || (code[3] & 7) == 0)
        return false;
    if (code[4] != 0x6f && code[4] != 0x7f && code[4] != 0x10 && code[4] != 0x11)
        return false;
    const struct user_regs_struct *r = &at->registers;
    const unsigned long long registers[16] = {r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp,
                                              r->rsi, r->rdi, r->r8,  r->r9,  r->r10, r->r11,
                                              r->r12, r->r13, r->r14, r->r15};
    unsigned mode = code[5] >> 6, base = code[5] & 7;
    unsigned high_base = (code[1] & 0x20) != 0 ? 0 : 8, high_index = (code[1] & 0x40) != 0 ? 0 : 8;
    const unsigned char *displacement = code + 6;
    if (mode > 1) /* registers, or four bytes of displacement: not in our code */
        return false;
    *where = 0;
    if (base == 4) {
        unsigned index = (code[6] >> 3 & 7) + high_index;
        base = code[6] & 7;
        if (index != 4)
            *where = (uintptr_t)registers[index] << (code[6] >> 6);
        displacement++;
    }
    *where += (uintptr_t)registers[base + high_base];
    if (mode == 1)
        *where += (uintptr_t)((intptr_t)(signed char)*displacement * 64);
    return true;
}

enum { PAGE = 4096, MOST_SMALL = 130, SMALL_CALLS = 4096 };

struct small_call {
    unsigned char *dst;
    const unsigned char *src;
    size_t n;
};

/* Shared with the child, as `memory` is: which call it is at. */
struct small_calls {
    size_t at, count;
    struct small_call list[SMALL_CALLS];
};
static struct small_calls *small_calls;

static void add_small(unsigned char *dst, const unsigned char *src, size_t n) {
    if (small_calls->count < SMALL_CALLS)
        small_calls->list[small_calls->count++] = (struct small_call){dst, src, n};
}

static void run_small_calls(void *argument) {
    const struct subject *kernel = argument;
    stepper_mark(NULL);
    for (size_t i = 0; i < small_calls->count; i++) {
        __atomic_store_n(&small_calls->at, i, __ATOMIC_RELAXED);
        const struct small_call *call = &small_calls->list[i];
        if (!fc_op_sets(kernel->op))
            ((copy_function *)kernel->variant->entry)(call->dst, call->src, call->n);
        else
            ((set_function *)kernel->variant->entry)(call->dst, call->n > 0 ? *call->src : 0,
                                                     call->n);
    }
    stepper_mark(NULL);
}

/* Does a page have a byte of the buffer? */
static bool page_has(uintptr_t page, const unsigned char *buffer, size_t n) {
    uintptr_t first = (uintptr_t)buffer;
    return n > 0 && first / PAGE <= page && page <= (first + n - 1) / PAGE;
}

struct edge_watch {
    size_t masked;
    bool strayed;
    struct small_call call;
    uintptr_t where;
};

/* What a mask leaves out costs an assist where it lies in a page that is absent or protected. */
static void watch_edges(const struct stepper_at *at, void *context) {
    struct edge_watch *watch = context;
    uintptr_t where;
    if (watch->strayed || !is_masked_access(at, &where))
        return;
    watch->masked++;
    if (where >= at->registers.rsp - 128 && where + 64 <= at->registers.rsp)
        return; /* where the ABI lets it, for want of anything to copy */
    const struct small_call *call = &small_calls->list[small_calls->at];
    for (uintptr_t page = where / PAGE; page <= (where + 63) / PAGE; page++)
        if (!page_has(page, call->dst, call->n) && !page_has(page, call->src, call->n))
            watch->strayed = true;
    watch->call = *call;
    watch->where = where;
}

/* Each place is by itself near the beginning, the middle or the end of a page. */
static void add_small_at_edges(size_t n) {
    const size_t places[] = {0, 63, 64, 2048, PAGE - n, PAGE - 64, PAGE - 63, PAGE - 1};
    for (size_t i = 0; i < COUNT(places); i++)
        for (size_t j = 0; j < COUNT(places); j++)
            add_small(memory + PAGE + places[i], memory + 5 * PAGE + places[j], n);
}

static void test_small_at_page_edges(void **state) {
    const struct subject *kernel = support_subject(state);
    static const size_t sizes[] = {0, 1, 2, 7, 8, 31, 32, 33, 62, 63, 64, 65, 127, 128, MOST_SMALL};
    small_calls->at = small_calls->count = 0;
    for (size_t i = 0; i < COUNT(sizes); i++)
        add_small_at_edges(sizes[i]);
    unsigned char *const bad[] = {NULL, (unsigned char *)PAGE, (unsigned char *)UINTPTR_MAX};
    for (size_t i = 0; i < COUNT(bad); i++) {
        add_small(bad[i], bad[i], 0);
        add_small(bad[i], memory + PAGE, 0);
        add_small(memory + PAGE, bad[i], 0);
    }
    assert_true(small_calls->count < SMALL_CALLS);
    struct edge_watch watch = {0};
    stepper_run(run_small_calls, (void *)(uintptr_t)kernel, watch_edges, &watch);
    if (watch.strayed)
        fail_msg("n = %zu, dst %% 4096 = %zu, src %% 4096 = %zu: a masked vector at %zu of a page "
                 "reaches into one that holds nothing of the buffer",
                 watch.call.n, (size_t)((uintptr_t)watch.call.dst % PAGE),
                 (size_t)((uintptr_t)watch.call.src % PAGE), (size_t)(watch.where % PAGE));
    if (strcmp(kernel->variant->name, fc_op_sets(kernel->op) ? "avx512" : "avx512_masked") == 0)
        assert_true(watch.masked > 0); /* the watcher is not blind */
}

struct tear_watch {
    size_t call;
    uint64_t seen;
    bool torn;
};

#define OLD_WORD UINT64_C(0x1111111111111111)
#define NEW_WORD UINT64_C(0x2222222222222222)

static void watch_tears(const struct stepper_at *at, void *context) {
    (void)at;
    struct tear_watch *watch = context;
    const struct small_call *call = &small_calls->list[small_calls->at];
    if (watch->torn || small_calls->at % 2 != 0) /* the odd ones put the old word back */
        return;
    uint64_t word = *(volatile uint64_t *)call->dst, low = word << (64 - 8 * call->n);
    watch->torn = low != OLD_WORD << (64 - 8 * call->n) && low != NEW_WORD << (64 - 8 * call->n);
    watch->seen = word;
    watch->call = small_calls->at;
}

/* An aligned word of 2, 4 or 8 bytes that is copied alone is never seen half written. */
static void test_small_words_whole(void **state) {
    const struct subject *kernel = support_subject(state);
    if ((fc_kernels[kernel->kernel].traits & FC_TRAIT_ATOMIC8) == 0) {
        print_message("skipped: not promised\n");
        skip();
    }
    uint64_t *words = (uint64_t *)memory;
    words[0] = words[16] = OLD_WORD;
    words[32] = NEW_WORD;
    small_calls->at = small_calls->count = 0;
    for (size_t n = 2; n <= 8; n *= 2) {
        add_small((unsigned char *)&words[0], (unsigned char *)&words[32], n);
        add_small((unsigned char *)&words[0], (unsigned char *)&words[16], n);
    }
    struct tear_watch watch = {0};
    stepper_run(run_small_calls, (void *)(uintptr_t)kernel, watch_tears, &watch);
    if (watch.torn)
        fail_msg("n = %zu: seen half written: %#llx", small_calls->list[watch.call].n,
                 (unsigned long long)watch.seen);
}

/* Encodings, as assembled, with rsi 1000, rdx 100, rcx 7, r8 5000. */
static void test_masked_offenders(void **state) {
    (void)state;
    static const struct {
        unsigned char code[8];
        uintptr_t where; /* 0: not masked */
    } accesses[] = {
        {{0x62, 0xe1, 0x7f, 0xc9, 0x6f, 0x06}, 1000},             /* vmovdqu8 (%rsi), z16{k1}{z} */
        {{0x62, 0xe1, 0x7f, 0xc9, 0x6f, 0x0c, 0x16}, 1100},       /* (%rsi,%rdx), z17{k1}{z} */
        {{0x62, 0xe1, 0x7f, 0x49, 0x7f, 0x44, 0x16, 0xff}, 1036}, /* z16, -64(%rsi,%rdx){k1} */
        {{0x62, 0xc1, 0x7f, 0x49, 0x7f, 0x00}, 5000},             /* z16, (%r8){k1} */
        {{0x62, 0xe1, 0x7c, 0x48, 0x10, 0x06}, 0},                /* vmovups (%rsi), z16 */
        {{0x62, 0xe1, 0x7c, 0x48, 0x11, 0x44, 0x16, 0xff}, 0},
    };
    for (size_t i = 0; i < COUNT(accesses); i++) {
        struct stepper_at at = {.pid = 0};
        at.registers.rsi = 1000;
        at.registers.rdx = 100;
        at.registers.rcx = 7;
        at.registers.r8 = 5000;
        memcpy(at.code, accesses[i].code, sizeof at.code);
        uintptr_t where = 0;
        assert_int_equal(is_masked_access(&at, &where), accesses[i].where != 0);
        assert_int_equal(where, accesses[i].where);
    }
}

/* Kernels of memmove and memset, without the compiler's; mempcpy enters the same code. */
static size_t small_tests(struct CMUnitTest *tests, CMUnitTestFunction function) {
    size_t count = support_kernel_tests(tests, function), kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct subject *kernel = tests[i].initial_state;
        if (kernel->op != FC_OP_mempcpy && kernel->op != FC_OP_memcpy_nt &&
            kernel->op != FC_OP_memset_nt && strcmp(kernel->variant->name, "generic") != 0)
            tests[kept++] = tests[i];
    }
    return kept;
}

/* ---- thresholds before slots ---------------------------------------------------------------- */

#define PUBLISHED                                                                                  \
    "rep_movsb_min=1K:rep_movsb_max=2K:nt_threshold=4K:rep_stosb_min=5K:rep_stosb_max=6K"

/* The child: decides here, where nothing has been decided yet. */
static void decide_under_watch(int argc, char **argv) {
    (void)argv;
    if (argc < 2)
        return;
    stepper_mark(fc_slots);
    fc_dispatch_init(PUBLISHED);
    stepper_mark(NULL);
    _exit(0);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **) = decide_under_watch;

static void run_decision(void *unused) {
    (void)unused;
    execl("/proc/self/exe", "test_paths", "decide", (char *)NULL);
}

struct publishing {
    uintptr_t moved; /* the child's addresses - our own */
    unsigned long steps;
    bool slots_seen, too_early;
};

static void watch_publishing(const struct stepper_at *at, void *context) {
    struct publishing *seen = context;
    if (seen->steps++ == 0)
        seen->moved = (uintptr_t)at->registers.rdi - (uintptr_t)fc_slots;
    if (seen->slots_seen)
        return;
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (stepper_peek(at, (uintptr_t)&fc_slots[op] + seen->moved) != 0)
            seen->slots_seen = true;
    if (!seen->slots_seen)
        return;
    static const struct fc_thresholds published = {
        .rep_movsb_min = 1024,
        .rep_movsb_max = 2048,
        .nt_threshold = 4096,
        .rep_stosb_min = 5 * 1024,
        .rep_stosb_max = 6 * 1024,
    };
#define FC_THRESHOLD(name, text)                                                                   \
    seen->too_early |= stepper_peek(at, (uintptr_t)&fc_##name + seen->moved) != published.name;
#include "thresholds.def"
#undef FC_THRESHOLD
}

/* Whoever finds a slot set must find all thresholds. */
static void test_publish_order(void **state) {
    (void)state;
    struct publishing seen = {0, 0, false, false};
    stepper_run(run_decision, NULL, watch_publishing, &seen);
    assert_true(seen.slots_seen);
    assert_false(seen.too_early);
}

/* ---- fastcopy_select moves a family as a whole ---------------------------------------------- */

/* Selects as soon as the other call has set its first slot. */
static void *select_into_it(void *before) {
    while (__atomic_load_n(&fc_slots[FC_OP_memcpy], __ATOMIC_RELAXED) == before)
        sched_yield();
    fastcopy_select("memcpy", "sse2");
    return before;
}

/* One call by single steps, so that the other one, which is not watched, can come in between. */
static void run_two_selects(void *unused) {
    (void)unused;
    fastcopy_select("memcpy", "erms");
    void *before = (void *)(uintptr_t)fc_slots[FC_OP_memcpy];
    pthread_t thread;
    if (pthread_create(&thread, NULL, select_into_it, before) != 0)
        _exit(1);
    stepper_mark(NULL);
    fastcopy_select("memcpy", "generic");
    pthread_join(thread, NULL);
    stepper_mark(NULL);
}

static void watch_slots(const struct stepper_at *at, void *context) {
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        ((uintptr_t *)context)[op] = stepper_peek(at, (uintptr_t)&fc_slots[op]);
}

static void test_select_whole_families(void **state) {
    (void)state;
    uintptr_t slots[FC_OP_COUNT] = {0};
    stepper_run(run_two_selects, NULL, watch_slots, slots);
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (fc_op_family(op) == FC_FAMILY_memmove)
            assert_int_equal(slots[op], (uintptr_t)fc_kernel_entry(FC_KERNEL_memmove_sse2, op));
}

int main(void) {
    static struct CMUnitTest tests[SUPPORT_MAX_SUBJECTS];
    const struct CMUnitTest others[] = {
        cmocka_unit_test(test_offenders),
        cmocka_unit_test(test_masked_offenders),
        cmocka_unit_test(test_publish_order),
        cmocka_unit_test(test_select_whole_families),
    };
    memory = mmap(NULL, MEMORY_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    small_calls =
        mmap(NULL, sizeof *small_calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || small_calls == MAP_FAILED)
        return 1;
    int failed = cmocka_run_group_tests_name("watcher and order", others, NULL, NULL);
    size_t count = small_tests(tests, test_small_at_page_edges);
    failed += _cmocka_run_group_tests("small copies at page edges", tests, count, NULL, NULL);
    count = small_tests(tests, test_small_words_whole);
    failed += _cmocka_run_group_tests("small words whole", tests, count, NULL, NULL);
    count = support_page_tests(tests, test_page);
    failed += _cmocka_run_group_tests("pages", tests, count, NULL, NULL);
    count = support_kernel_tests(tests, test_kernel);
    return failed + _cmocka_run_group_tests("paths", tests, count, NULL, NULL);
}
