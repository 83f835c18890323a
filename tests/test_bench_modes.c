/* SPDX-License-Identifier: MIT */
/* What the modes of `fastcopy bench` measure with: sequences of calls, chains, means, limits. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench.h"
#include "bench_kernels.h"
#include "limit_levels.h"
#include "mix.h"
#include "timer.h"

enum { DRAWS = 1 << 16, PERIOD = 16 };
static struct fc_draw draws[DRAWS];

static uint64_t seed = 42;

static void draw(const struct fc_mix *mix, size_t period) {
    uint64_t random = seed;
    fc_mix_draw(mix, draws, DRAWS, period, &random);
}

/* ---- distributions -------------------------------------------------------------------------- */

/*
 * How far the counts are from the weights, as chi-square over its degrees of freedom in standard
 * deviations: 4 is once in some ten thousand. Rare values are counted together.
 */
static double deviation(const struct fc_weights *weights, const unsigned *counts, size_t total) {
    double chi_square = 0, expected = 0, counted = 0, sum = weights->sums[weights->count - 1];
    unsigned bins = 0;
    for (size_t i = 0; i < weights->count; i++) {
        expected += (weights->sums[i] - (i > 0 ? weights->sums[i - 1] : 0)) / sum * (double)total;
        counted += counts[i];
        if (expected < 5 && i + 1 < weights->count)
            continue;
        if (expected > 0)
            chi_square += (counted - expected) * (counted - expected) / expected;
        bins++;
        expected = counted = 0;
    }
    double degrees = bins > 1 ? bins - 1 : 1;
    return (chi_square - degrees) / sqrt(2 * degrees);
}

static size_t find(const struct fc_weights *weights, uint64_t value) {
    size_t i = 0;
    while (i < weights->count && weights->values[i] != value)
        i++;
    assert_true(i < weights->count); /* or a value was drawn that does not occur */
    return i;
}

static void sizes_follow_the_mix(void **state) {
    (void)state;
    for (unsigned number = 0; number < FC_MIXES; number++) {
        struct fc_mix mix = fc_mix_builtin(number);
        unsigned *counts = calloc(mix.sizes.count, sizeof *counts);
        draw(&mix, DRAWS);
        for (size_t i = 0; i < DRAWS; i++)
            counts[find(&mix.sizes, draws[i].size)]++;
        double far = deviation(&mix.sizes, counts, DRAWS);
        print_message("%s: %zu sizes, %.1f deviations\n", mix.name, mix.sizes.count, far);
        assert_true(far < 4);
        free(counts);
        fc_mix_free(&mix);
    }
}

static double mean_of(const struct fc_draw *some, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += some[i].size;
    return sum / (double)count;
}

/* Are the built-in mixes what their names say? Figures from elsewhere than the code. */
static void builtin_mixes_are_right(void **state) {
    (void)state;
    static const double means[FC_MIXES] = {32, 64, 256, 4095 / 8.3178 /* ln 4097 */, 139.09};
    for (unsigned number = 0; number < FC_MIXES; number++) {
        struct fc_mix mix = fc_mix_builtin(number);
        draw(&mix, DRAWS);
        double mean = mean_of(draws, DRAWS);
        print_message("%s: mean %.2f\n", mix.name, mean);
        assert_true(fabs(mean / means[number] - 1) < 0.005);
        fc_mix_free(&mix);
    }
}

/* The drawn page offsets spread evenly where no alignments are given. */
static void offsets_are_uniform(void **state) {
    (void)state;
    enum { BINS = 64 };
    unsigned counts[2][BINS] = {{0}};
    uint64_t values[BINS];
    double sums[BINS];
    struct fc_mix mix = fc_mix_builtin(1);
    draw(&mix, DRAWS);
    for (size_t i = 0; i < DRAWS; i++) {
        assert_true(draws[i].src < FC_DRAW_OFFSETS && draws[i].dst < FC_DRAW_OFFSETS);
        counts[0][draws[i].src % BINS]++;
        counts[1][draws[i].dst / (FC_DRAW_OFFSETS / BINS)]++;
    }
    for (size_t i = 0; i < BINS; i++)
        sums[i] = (double)(i + 1);
    const struct fc_weights even = {BINS, values, sums};
    assert_true(deviation(&even, counts[0], DRAWS) < 4);
    assert_true(deviation(&even, counts[1], DRAWS) < 4);
    fc_mix_free(&mix);
}

/* ---- files ---------------------------------------------------------------------------------- */

static struct fc_mix read_text(const char *text) {
    char path[] = "/tmp/fastcopy-mix-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    struct fc_mix mix = fc_mix_read(path);
    unlink(path);
    return mix;
}

static void csv_is_read(void **state) {
    (void)state;
    static const char *const texts[] = {"size,count\n8,3\n64,1\n", "8,3\r\n64,1",
                                        "8,0.75\n64,.25\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fc_mix mix = read_text(texts[i]);
        assert_int_equal(mix.sizes.count, 2);
        assert_int_equal(mix.sizes.values[0], 8);
        assert_int_equal(mix.sizes.values[1], 64);
        assert_true(fabs(mix.sizes.sums[0] / mix.sizes.sums[1] - 0.75) < 1e-12);
        assert_int_equal(mix.alignments.count, 0);
        fc_mix_free(&mix);
    }
}

/* Fleetbench's form; and each alignment is as frequent as it says. */
static void fleetbench_is_read(void **state) {
    (void)state;
    struct fc_mix mix = read_text("0:0.25,16:0.5,100000:0.25\n0:1\n1:0.4,2:0.1,8:0.2,64:0.3\n");
    assert_int_equal(mix.sizes.count, 3);
    assert_int_equal(mix.sizes.values[2], 100000);
    assert_int_equal(mix.alignments.count, 4);
    draw(&mix, DRAWS);
    unsigned counts[2][4] = {{0}};
    for (size_t i = 0; i < DRAWS; i++)
        for (unsigned which = 0; which < 2; which++) {
            unsigned offset = which == 0 ? draws[i].src : draws[i].dst, k = 0;
            while (k < 3 && (offset & (mix.alignments.values[k + 1] - 1)) == 0)
                k++;
            assert_int_equal(offset & (mix.alignments.values[k] - 1), 0);
            counts[which][k]++;
        }
    assert_true(deviation(&mix.alignments, counts[0], DRAWS) < 4);
    assert_true(deviation(&mix.alignments, counts[1], DRAWS) < 4);
    fc_mix_free(&mix);
}

/* ---- sequences ------------------------------------------------------------------------------ */

static int compare_windows(const void *a, const void *b) {
    const uint32_t *x = *(const uint32_t *const *)a, *y = *(const uint32_t *const *)b;
    for (size_t i = 0; i < PERIOD; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/*
 * A predictor looks up what came after the same history. No sixteen sizes in a row come twice, so
 * there is nothing to look up.
 */
static void no_history_comes_twice(void **state) {
    (void)state;
    static uint32_t sizes[DRAWS];
    static const uint32_t *windows[DRAWS - PERIOD + 1];
    enum { WINDOWS = DRAWS - PERIOD + 1 };
    for (unsigned number = 0; number < FC_MIXES; number++) {
        struct fc_mix mix = fc_mix_builtin(number);
        draw(&mix, DRAWS);
        for (size_t i = 0; i < DRAWS; i++)
            sizes[i] = draws[i].size;
        for (size_t i = 0; i < WINDOWS; i++)
            windows[i] = &sizes[i];
        qsort(windows, WINDOWS, sizeof *windows, compare_windows);
        for (size_t i = 1; i < WINDOWS; i++)
            assert_true(compare_windows(&windows[i - 1], &windows[i]) != 0);
        fc_mix_free(&mix);
    }
}

static void seeds_differ_and_repeat(void **state) {
    (void)state;
    static struct fc_draw first[DRAWS];
    struct fc_mix mix = fc_mix_builtin(1);
    draw(&mix, DRAWS);
    memcpy(first, draws, sizeof first);
    draw(&mix, DRAWS);
    assert_memory_equal(first, draws, sizeof first);
    seed++;
    draw(&mix, DRAWS);
    assert_memory_not_equal(first, draws, sizeof first);
    fc_mix_free(&mix);
}

static int compare_sizes(const void *a, const void *b) {
    uint32_t x = ((const struct fc_draw *)a)->size, y = ((const struct fc_draw *)b)->size;
    return (x > y) - (x < y);
}

/* The short sequence has its period, and a size from each sixteenth of the distribution. */
static void short_sequence_repeats(void **state) {
    (void)state;
    enum { SIZES = 129 }; /* 0 to 128 */
    struct fc_mix mix = fc_mix_builtin(1);
    draw(&mix, PERIOD);
    for (size_t i = 0; i < DRAWS; i++)
        assert_memory_equal(&draws[i], &draws[i % PERIOD], sizeof *draws);
    qsort(draws, PERIOD, sizeof *draws, compare_sizes);
    for (unsigned i = 0; i < PERIOD; i++) {
        assert_true(draws[i].size >= i * SIZES / PERIOD);
        assert_true(draws[i].size <= (i + 1) * SIZES / PERIOD);
    }
    fc_mix_free(&mix);
}

/* ---- bodies --------------------------------------------------------------------------------- */

static unsigned char src[2 * 4096] __attribute__((aligned(64))),
    dst[2 * 4096] __attribute__((aligned(64)));

static uint64_t calls_made, bytes_made;

static void *counts_any(void *to, const void *from, size_t n) {
    (void)from;
    (void)n;
    calls_made++;
    return to;
}

static void *counts(void *to, const void *from, size_t n) {
    assert_true((unsigned char *)to >= dst && (unsigned char *)to + n <= dst + sizeof dst);
    assert_true((const unsigned char *)from >= src &&
                (const unsigned char *)from + n <= src + sizeof src);
    calls_made++;
    bytes_made += n;
    return to;
}

static void sequence_is_made(void **state) {
    (void)state;
    struct fc_mix mix = fc_mix_builtin(2);
    draw(&mix, DRAWS);
    uint64_t bytes = 0;
    for (size_t i = 0; i < DRAWS; i++)
        bytes += draws[i].size;
    const struct fc_sequence sequence = {draws, draws + DRAWS, dst, src};
    const struct fc_contender one = contender(counts);
    calls_made = bytes_made = 0;
    fc_body_sequence(&one, &sequence, 3);
    assert_int_equal(calls_made, 3 * DRAWS);
    assert_int_equal(bytes_made, 3 * bytes);
    fc_mix_free(&mix);
}

/* The number that is passed on and counted up has been through every copy. */
static void chain_goes_through_the_copy(void **state) {
    (void)state;
    const size_t places[] = {0, 56};
    const struct fc_contender one = contender(copies);
    for (size_t i = 0; i < 2; i++) {
        const struct fc_chain chain = {.src = src, .dst = dst, .n = 64, .at = places[i]};
        fc_body_chain(&one, &chain, 1000);
        uint64_t last;
        memcpy(&last, dst + chain.at, sizeof last);
        assert_int_equal(last, 1000);
    }
}

static void ping_copies_back(void **state) {
    (void)state;
    memset(src, 1, 64);
    memset(dst, 2, 64);
    const struct fc_chain chain = {.src = src, .dst = dst, .n = 64};
    const struct fc_contender one = contender(copies);
    fc_body_ping(&one, &chain, 1);
    assert_memory_equal(src, dst, 64);
    assert_int_equal(src[0], 1);
    const struct fc_contender other = contender(counts_any);
    calls_made = 0;
    fc_body_ping(&other, &chain, 3);
    assert_int_equal(calls_made, 6);
}

/* Races two, and returns the shortest times: the machine is shared. */
static void race(fc_body *body, const void *work, fc_copy_function *a, fc_copy_function *b,
                 double times[2]) {
    uint64_t random = 1;
    const struct fc_race race = {
        .body = body, .work = work, .rounds = 21, .slice = 50000, .random = &random};
    const struct fc_contender contenders[] = {contender(a), contender(b)};
    struct fc_times results[2];
    assert_true(fc_race_run(&race, contenders, 2, results));
    times[0] = results[0].min;
    times[1] = results[1].min;
}

/*
 * Copies 8 bytes, and takes long without doing much: a product with an odd number, and with its
 * inverse, again and again, each waiting for the last. Several independent calls run at once.
 */
static void *waits(void *to, const void *from, size_t n) {
    const uint64_t factor = 3, inverse = UINT64_C(0xaaaaaaaaaaaaaaab);
    typedef uint64_t word __attribute__((may_alias));
    word value = *(const word *)from;
    (void)n;
    for (unsigned i = 0; i < 8; i++) {
        value *= factor;
        __asm__("" : "+r"(value)); /* or it would be optimised away */
        value *= inverse;
        __asm__("" : "+r"(value));
    }
    *(word *)to = value;
    return to;
}

static bool chain_is_slower(void) {
    const struct fc_chain chain = {.src = src, .dst = dst, .n = 8};
    const struct fc_call call = {dst, src, 8};
    double alone[2], chained[2];
    race(fc_body_copy, &call, waits, waits, alone);
    race(fc_body_chain, &chain, waits, waits, chained);
    print_message("independent calls %.1f ns, in a chain %.1f ns\n", alone[0], chained[0]);
    return chained[0] > 1.5 * alone[0];
}

static void chain_waits_for_each_copy(void **state) {
    (void)state;
    if (getenv("FC_TEST_QUICK") != NULL) {
        print_message("skipped: an emulator runs nothing at once\n");
        skip();
    }
#ifndef __OPTIMIZE__
    print_message("skipped: without optimisation the loops themselves take most of the time\n");
    skip();
#endif
    assert_true(eventually(chain_is_slower));
}

static bool two_copies_take_twice(void) {
    const struct fc_chain chain = {.src = src, .dst = dst, .n = 1024};
    fc_body *const bodies[] = {fc_body_chain, fc_body_ping};
    bool holds = true;
    for (size_t i = 0; i < 2; i++) {
        double times[2];
        race(bodies[i], &chain, copies, copies_twice, times);
        print_message("one copy a turn %.0f ns, two %.0f ns\n", times[0], times[1]);
        holds &= times[1] > 1.6 * times[0] && times[1] < 2.5 * times[0];
    }
    return holds;
}

static void chain_tells_costs_apart(void **state) {
    (void)state;
    assert_true(eventually(two_copies_take_twice));
}

/* ---- tables --------------------------------------------------------------------------------- */

/* A body that makes ten calls counts as ten; a mean is the geometric one. */
static void calls_and_means(void **state) {
    (void)state;
    struct fc_draw same[10];
    for (size_t i = 0; i < 10; i++)
        same[i] = (struct fc_draw){1024, 0, 0};
    const struct fc_sequence sequence = {same, same + 10, dst, src};
    const struct fc_call call = {dst, src, 4096};
    struct fc_contender list[] = {contender(copies), contender(copies), contender(copies_twice)};
    struct fc_cell cells[] = {
        {.work = &sequence, .body = fc_body_sequence, .calls = 10, .bytes = 1024},
        {.work = &call, .bytes = 4096},
        {.mean_of = 2},
    };
    struct fc_experiment experiment = {.body = fc_body_copy,
                                       .contenders = {list, 3},
                                       .cells = cells,
                                       .count = 3,
                                       .rounds = 21,
                                       .slice = 50000};
    const struct fc_bench_options options = {.runs = 2, .seed = 1};
    assert_int_equal(fc_experiment_measure(&experiment, &options), FC_EXIT_OK);
    double small = cells[0].results[0].times.median, large = cells[1].results[0].times.median;
    double mean = cells[2].results[0].times.median;
    print_message("1024 bytes %.0f ns, 4096 bytes %.0f ns, mean %.0f ns\n", small, large, mean);
    assert_true(large > 1.5 * small && large < 10 * small);
    assert_int_equal(cells[2].runs, 2);
    assert_true(fabs(mean * mean / (small * large) - 1) < 1e-9);
    double ratios = cells[0].results[2].ratio * cells[1].results[2].ratio;
    assert_true(fabs(cells[2].results[2].ratio * cells[2].results[2].ratio / ratios - 1) < 1e-9);
    fc_experiment_release(&experiment);
}

static void copy_nothing(void *to, const void *from, size_t n) {
    (void)to, (void)from, (void)n;
}

/* The last line of a page that is to be read after the call is in a page that nobody may read. */
static void walk_reads_what_was_written(void **state) {
    (void)state;
    enum { PAGE = FASTCOPY_PAGE_SIZE };
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *memory =
        mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + size, size, PROT_NONE), 0);
    const struct fc_contender nothing = {.function = (fastcopy_function *)copy_nothing};
    for (size_t use = PAGE - 64; use <= PAGE; use += 64) {
        uint64_t turn = 0;
        const struct fc_call page = {memory + size + 64 - PAGE, memory, PAGE};
        const struct fc_walk walk = {.call = page, .use = use, .turns = 1, .turn = &turn};
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            signal(SIGSEGV, SIG_DFL); /* not cmocka's */
            fc_body_walk(&nothing, &walk, 1);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, use == PAGE ? SIGSEGV : 0);
    }
    munmap(memory, 2 * size);
}

static void limit_is_that_of_the_level(void **state) {
    (void)state;
    const struct fc_limits limits = {.count = 2,
                                     .levels = {{.up_to = 32768, .copy = 100, .store = 200},
                                                {.up_to = UINT64_MAX, .copy = 10, .store = 20}}};
    assert_true(fc_limits_of(&limits, FC_OP_memcpy, 16384) == 100);
    assert_true(fc_limits_of(&limits, FC_OP_memcpy, 16385) == 10); /* source and destination */
    assert_true(fc_limits_of(&limits, FC_OP_memset, 32768) == 200);
    assert_true(fc_limits_of(&limits, FC_OP_memset, 32769) == 20);
    const struct fc_limits none = {.count = 0};
    assert_true(fc_limits_of(&none, FC_OP_memcpy, 64) == 0);
}

int main(void) {
    fc_timer_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_mix),       cmocka_unit_test(builtin_mixes_are_right),
        cmocka_unit_test(offsets_are_uniform),        cmocka_unit_test(csv_is_read),
        cmocka_unit_test(fleetbench_is_read),         cmocka_unit_test(no_history_comes_twice),
        cmocka_unit_test(seeds_differ_and_repeat),    cmocka_unit_test(short_sequence_repeats),
        cmocka_unit_test(sequence_is_made),           cmocka_unit_test(chain_goes_through_the_copy),
        cmocka_unit_test(ping_copies_back),           cmocka_unit_test(chain_waits_for_each_copy),
        cmocka_unit_test(chain_tells_costs_apart),    cmocka_unit_test(calls_and_means),
        cmocka_unit_test(limit_is_that_of_the_level), cmocka_unit_test(walk_reads_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
