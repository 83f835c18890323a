/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "info.h"
#include "timer.h"

#include <stdio.h>

static json_t *result(const struct fc_experiment *experiment, const struct fc_cell *cell,
                      size_t index) {
    const struct fc_contender *contender = &experiment->contenders.list[index];
    const struct fc_result *result = &cell->results[index];
    return json_pack("{ss sf sf sf ss sf ss%}", "contender", contender->label, "ns",
                     result->times.median, "ns_min", result->times.min, "ns_max", result->times.max,
                     "reference", experiment->contenders.list[contender->reference].label, "ratio",
                     result->ratio, "verdict", &result->verdict, (size_t)1);
}

static json_t *cells(const struct fc_experiment *experiment) {
    json_t *cells = json_array();
    for (size_t i = 0; i < experiment->count; i++) {
        const struct fc_cell *cell = &experiment->cells[i];
        if (cell->runs == 0)
            continue;
        json_t *results = json_array();
        for (size_t k = 0; k < experiment->contenders.count; k++)
            json_array_append_new(results, result(experiment, cell, k));
        json_array_append_new(cells,
                              json_pack("{ss ss sI si sf so}", experiment->group_name, cell->group,
                                        experiment->label_name, cell->label, "bytes",
                                        (json_int_t)cell->bytes, "runs", (int)cell->runs,
                                        "aa_difference", cell->noise, "results", results));
    }
    return cells;
}

void fc_output_json(const struct fc_experiment *experiment,
                    const struct fc_bench_options *options) {
    json_t *document = json_pack(
        "{si ss ss so s{sI si si sI sb so} ss sf so}", "format", 1, "mode", experiment->mode,
        "operation", fc_op_name(options->op), "machine", fc_info_json(fc_info_collect()), "options",
        "seed", (json_int_t)options->seed, "rounds", (int)experiment->rounds, "runs",
        (int)options->runs, "skew", (json_int_t)options->skew, "huge_pages", (int)options->huge,
        "cpu", options->pinned ? json_integer(options->cpu) : json_null(), "timer", fc_timer_name(),
        "empty_call_ns", experiment->empty_call, "cells", cells(experiment));
    json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(document);
}
