/* SPDX-License-Identifier: MIT */
/* The measuring engine, with contenders whose cost is known. Bounds are wide: the machine is
 * shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench.h"
#include "bench_kernels.h"
#include "timer.h"

enum { SIZE = 4096 };
static unsigned char src[SIZE], dst[SIZE];
static const struct fc_call whole = {dst, src, SIZE};

static void *does_nothing(void *to, const void *from, size_t n) {
    (void)from;
    (void)n;
    return to;
}

/* A race in the body of the sweep; true if it ran to its end. */
static bool race(const struct fc_contender *contenders, size_t count, struct fc_times *times) {
    uint64_t random = 1;
    const struct fc_race race = {
        .body = fc_body_copy, .work = &whole, .rounds = 21, .slice = 50000, .random = &random};
    return fc_race_run(&race, contenders, count, times);
}

static bool ratios_hold(void) {
    const struct fc_contender contenders[] = {contender(copies), contender(copies),
                                              contender(copies_twice), contender(does_nothing)};
    struct fc_times times[4];
    assert_true(race(contenders, 4, times));
    for (size_t i = 0; i < 4; i++) {
        assert_true(times[i].min > 0);
        assert_true(times[i].min <= times[i].median && times[i].median <= times[i].max);
    }
    /* Of the fastest rounds: a disturbance can make one slow, never fast, so that a wrong ratio
     * does not come out right by luck when it is tried again. */
    double same = times[1].min / times[0].min, twice = times[2].min / times[0].min,
           nothing = times[3].min / times[0].min;
    print_message("the same %.3f, twice %.3f, nothing %.3f\n", same, twice, nothing);
    return same > 0.8 && same < 1.25 && twice > 1.6 && twice < 2.5 && nothing < 0.1;
}

static void ratios_are_right(void **state) {
    (void)state;
    assert_true(eventually(ratios_hold));
}

/* Figures of work that was not done are worth nothing. */
static void data_is_copied(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        src[i] = (unsigned char)(i * 7 + 1);
    memset(dst, 0, SIZE);
    const struct fc_contender contenders[] = {contender(does_nothing), contender(copies)};
    struct fc_times times[2];
    assert_true(race(contenders, 1, times));
    assert_memory_not_equal(dst, src, SIZE);
    assert_true(race(contenders, 2, times));
    assert_memory_equal(dst, src, SIZE);
}

/* What a body does is what is timed: here it waits. */
static void waits(const struct fc_contender *unused, const void *work, uint64_t calls) {
    (void)unused;
    while (calls-- > 0)
        for (uint64_t end = fc_timer_clock() + *(const uint64_t *)work; fc_timer_clock() < end;)
            ;
}

static bool a_wait_takes_its_time(void) {
    const uint64_t wait = 100000;
    uint64_t random = 1;
    const struct fc_race race = {
        .body = waits, .work = &wait, .rounds = 11, .slice = 0, .random = &random};
    const struct fc_contender one = {.function = NULL};
    struct fc_times times;
    assert_true(fc_race_run(&race, &one, 1, &times));
    print_message("a wait of 100000 ns by the clock took %.0f ns by %s\n", times.median,
                  fc_timer_name());
    return times.median > 95000 && times.median < 200000;
}

static void times_are_nanoseconds(void **state) {
    (void)state;
    assert_true(eventually(a_wait_takes_its_time));
}

static void interruption_ends_a_race(void **state) {
    (void)state;
    const struct fc_contender one = contender(copies);
    struct fc_times times;
    fc_interrupted = 1;
    assert_false(race(&one, 1, &times));
    fc_interrupted = 0;
}

static void median_of_values(void **state) {
    (void)state;
    assert_true(fc_median((double[]){3, 1, 2}, 3) == 2);
    assert_true(fc_median((double[]){4, 1, 3, 2}, 4) == 2.5);
    assert_true(fc_median((double[]){7}, 1) == 7);
}

/* Each of 16 values as often as chance has it: chi-square below its 0.001 quantile for 15 degrees.
 */
static void random_is_uniform(void **state) {
    (void)state;
    enum { VALUES = 16, DRAWS = 160000 };
    unsigned counts[VALUES] = {0};
    uint64_t random = 42;
    for (unsigned i = 0; i < DRAWS; i++)
        counts[fc_random(&random) % VALUES]++;
    double chi_square = 0, expected = (double)DRAWS / VALUES;
    for (unsigned i = 0; i < VALUES; i++)
        chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    assert_true(chi_square < 37.7);
}

int main(void) {
    fc_timer_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_are_right),      cmocka_unit_test(data_is_copied),
        cmocka_unit_test(times_are_nanoseconds), cmocka_unit_test(interruption_ends_a_race),
        cmocka_unit_test(median_of_values),      cmocka_unit_test(random_is_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
