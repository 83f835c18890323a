/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "info.h"
#include "software.h"
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
                              json_pack("{ss ss sI sf si sf so}", "group", cell->group, "label",
                                        cell->label, "bytes", (json_int_t)cell->bytes,
                                        "limit_gb_per_s", cell->limit, "runs", (int)cell->runs,
                                        "aa_difference", cell->noise, "results", results));
    }
    return cells;
}

json_t *fc_bench_json(const struct fc_experiment *experiment,
                      const struct fc_bench_options *options) {
    return json_pack("{ss ss ss ss ss si sf so}", "mode", experiment->mode, "operation",
                     fc_op_name(options->op), "title", experiment->title, "group_name",
                     experiment->group_name, "label_name", experiment->label_name, "rounds",
                     (int)experiment->rounds, "empty_call_ns", experiment->empty_call, "cells",
                     cells(experiment));
}

static json_t *software_json(void) {
    const struct fc_software software = fc_software_collect();
    return json_pack("{ss ss ss ss}", "compiler", software.compiler, "libc", software.libc,
                     "kernel", software.kernel, "tunables", software.tunables);
}

json_t *fc_bench_json_document(const struct fc_bench_options *options, json_t *experiments) {
    return json_pack("{si so so s{sI si sI sI sI sb so} ss so}", "schema", FC_BENCH_SCHEMA,
                     "machine", fc_info_json(fc_info_collect()), "software", software_json(),
                     "options", "seed", (json_int_t)options->seed, "runs", (int)options->runs,
                     "min", (json_int_t)options->min, "max", (json_int_t)options->max, "skew",
                     (json_int_t)options->skew, "huge_pages", (int)options->huge, "cpu",
                     options->pinned ? json_integer(options->cpu) : json_null(), "timer",
                     fc_timer_name(), "experiments", experiments);
}
