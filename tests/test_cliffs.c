/* SPDX-License-Identifier: MIT */
/* What `fastcopy bench cliffs` calls a cliff: with made-up times, and with a made-up kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cliffs.h"
#include "timer.h"

enum { CELLS = 12, CONTENDERS = 3 };

/* An experiment of two groups of six cells in which everything takes 10 ns. */
struct flat {
    struct fc_spot spots[CELLS];
    struct fc_cell cells[CELLS];
    struct fc_contender contenders[CONTENDERS];
    struct fc_result results[CELLS][CONTENDERS];
    struct fc_experiment experiment;
};

static void make_flat(struct flat *flat) {
    memset(flat, 0, sizeof *flat);
    for (size_t i = 0; i < CELLS; i++) {
        struct fc_cell *cell = &flat->cells[i];
        snprintf(cell->group, sizeof cell->group, "group %d", i < CELLS / 2 ? 1 : 2);
        cell->work = &flat->spots[i];
        cell->results = flat->results[i];
        cell->runs = 1;
        for (size_t k = 0; k < CONTENDERS; k++)
            flat->results[i][k] = (struct fc_result){{10, 10, 10}, 1, '='};
    }
    flat->experiment = (struct fc_experiment){
        .contenders = {flat->contenders, CONTENDERS}, .cells = flat->cells, .count = CELLS};
}

static void slow_down(struct flat *flat, size_t cell, size_t contender, double times) {
    flat->results[cell][contender].times.median *= times;
    flat->results[cell][contender].ratio /= times;
}

static size_t cliffs_in(struct flat *flat, struct fc_cliff *first) {
    struct fc_cliff worst[CELLS];
    size_t count = fc_cliffs_worst(&flat->experiment, worst, CELLS);
    assert_int_equal(count, 2); /* groups */
    *first = worst[0];
    return fc_cliffs_judge(&flat->experiment, worst, count);
}

static void flat_land_has_no_cliff(void **state) {
    (void)state;
    struct flat flat;
    struct fc_cliff first;
    make_flat(&flat);
    assert_int_equal(cliffs_in(&flat, &first), 0);
}

static void slower_than_the_neighbours(void **state) {
    (void)state;
    struct flat flat;
    struct fc_cliff first;
    make_flat(&flat);
    for (size_t k = 0; k < CONTENDERS; k++) /* the baseline too: it is a cliff all the same */
        flat.results[8][k].times.median = 19;
    assert_int_equal(cliffs_in(&flat, &first), 0);
    for (size_t k = 0; k < CONTENDERS; k++)
        flat.results[8][k].times.median = 21;
    assert_int_equal(cliffs_in(&flat, &first), 1);
    assert_int_equal(first.cell, 8);
    assert_int_equal(first.company, 1);
    assert_true(first.neighbours == 10);
}

static void slower_than_the_baseline(void **state) {
    (void)state;
    struct flat flat;
    struct fc_cliff first;
    make_flat(&flat);
    slow_down(&flat, 3, 2, 1.2);
    flat.cells[3].noise = 0.3;
    assert_int_equal(cliffs_in(&flat, &first), 0);
    flat.cells[3].noise = 0.01;
    assert_int_equal(cliffs_in(&flat, &first), 1);
    assert_int_equal(first.cell, 3);
    assert_int_equal(first.contender, 2);
}

/* Of two neighbours that are as bad only the worse is listed, and the other is counted. */
static void one_for_each_group(void **state) {
    (void)state;
    struct flat flat;
    struct fc_cliff first;
    make_flat(&flat);
    slow_down(&flat, 1, 2, 5);
    slow_down(&flat, 2, 2, 6);
    slow_down(&flat, 7, 2, 3);
    assert_int_equal(cliffs_in(&flat, &first), 2);
    assert_int_equal(first.cell, 2);
    assert_int_equal(first.company, 2);
}

/* At a page's edge most of a row may be slow: the odd ones are judged, but measure nothing. */
static void odd_cells_are_no_measure(void **state) {
    (void)state;
    struct flat flat;
    struct fc_cliff first;
    make_flat(&flat);
    for (size_t i = 1; i < CELLS / 2; i++)
        for (size_t k = 0; k < CONTENDERS; k++)
            flat.results[i][k].times.median = 200;
    assert_int_equal(cliffs_in(&flat, &first), 0);
    for (size_t i = 1; i < CELLS / 2; i++)
        flat.spots[i].odd = true;
    assert_int_equal(cliffs_in(&flat, &first), 1);
    assert_true(first.neighbours == 10);
    assert_int_equal(first.company, 5);
}

/* ---- measured ------------------------------------------------------------------------------- */

static unsigned char src[256], dst[2 * 4096];

static __attribute__((noinline)) void *copies(void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

enum { SLOW_CELL = 4, STEP = 64 };

static void *slow_at_one_offset(void *to, const void *from, size_t n) {
    if ((unsigned char *)to == dst + SLOW_CELL * STEP)
        for (size_t i = 0; i < 9; i++)
            copies(to, from, n);
    return copies(to, from, n);
}

static void a_known_cliff_is_found(void **state) {
    (void)state;
    struct flat flat;
    make_flat(&flat);
    fc_copy_function *const functions[CONTENDERS] = {copies, copies, slow_at_one_offset};
    for (size_t k = 0; k < CONTENDERS; k++)
        flat.contenders[k].function = (fastcopy_function *)functions[k];
    for (size_t i = 0; i < CELLS; i++) {
        flat.spots[i].call = (struct fc_call){dst + i * STEP, src, sizeof src};
        flat.cells[i].runs = 0;
        flat.cells[i].results = NULL;
    }
    struct fc_experiment *experiment = &flat.experiment;
    experiment->body = fc_body_copy;
    experiment->rounds = 11;
    experiment->slice = 50000;
    const struct fc_bench_options options = {.runs = 1};
    assert_int_equal(fc_experiment_measure(experiment, &options), FC_EXIT_OK);
    struct fc_cliff worst;
    assert_int_equal(fc_cliffs_worst(experiment, &worst, 1), 1);
    print_message("cell %zu: %.0f ns among %.0f ns\n", worst.cell,
                  flat.cells[worst.cell].results[2].times.median, worst.neighbours);
    assert_int_equal(worst.cell, SLOW_CELL);
    assert_int_equal(worst.contender, 2);
    assert_true(worst.badness > 1);
    fc_experiment_release(experiment);
}

int main(void) {
    fc_timer_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_land_has_no_cliff),   cmocka_unit_test(slower_than_the_neighbours),
        cmocka_unit_test(slower_than_the_baseline), cmocka_unit_test(one_for_each_group),
        cmocka_unit_test(odd_cells_are_no_measure), cmocka_unit_test(a_known_cliff_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
