/* SPDX-License-Identifier: MIT */
/*
 * startup: what loading the preload library costs a process. A small program is run with it, with a
 * library that is empty (what any preload costs), and without.
 */
#include "bench.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char program[] = "/bin/true";

/* The contender's data is the environment. */
static __attribute__((noinline)) void body(const struct fc_contender *contender, const void *work,
                                           uint64_t calls) {
    char *arguments[] = {(char *)(uintptr_t)program, NULL};
    char *const *environment = contender->data;
    (void)work;
    while (calls-- > 0) {
        pid_t child;
        int status = 0;
        int error = posix_spawn(&child, program, NULL, NULL, arguments, environment);
        if (error == 0 && waitpid(child, &status, 0) == child && status == 0)
            continue;
        fprintf(stderr, "fastcopy bench: %s with %s: %s\n", program,
                environment[0] != NULL ? environment[0] : "no preload",
                error != 0 ? strerror(error) : "it failed");
        exit(FC_EXIT_FAILED);
    }
}

/* Nothing but LD_PRELOAD, so that the figure does not depend on the user's environment. */
static void add(struct fc_contenders *contenders, const char *label, const char *file,
                char variable[PATH_MAX + 16], char *environment[2]) {
    char path[PATH_MAX];
    if (file != NULL) {
        if (!fc_find_file(file, path)) {
            fprintf(stderr, "fastcopy bench: %s: not found\n", file);
            exit(FC_EXIT_FAILED);
        }
        snprintf(variable, PATH_MAX + 16, "LD_PRELOAD=%s", path);
        environment[0] = variable;
    }
    fc_contenders_add(contenders, label, NULL)->data = environment;
}

static int run(const struct fc_bench_options *options) {
    static char variables[4][PATH_MAX + 16];
    static char *environments[4][2];
    struct fc_cell cell = {.group = "LD_PRELOAD", .label = "true"};
    struct fc_experiment experiment = {
        .mode = "startup",
        .title = "Starting and ending /bin/true, by what is preloaded",
        .group_name = "environment",
        .label_name = "run",
        .body = body,
        .cells = &cell,
        .count = 1,
        .rounds = 401,
        .slice = 0, /* one process at a time */
        .as_difference = true,
        .time_unit = "us",
    };
    struct fc_contenders *contenders = &experiment.contenders;
    add(contenders, "empty", "libfastcopy_empty.so", variables[0], environments[0]);
    add(contenders, "A/A", "libfastcopy_empty.so", variables[1], environments[1]);
    add(contenders, "fastcopy", "libfastcopy_preload.so", variables[2], environments[2]);
    add(contenders, "nothing", NULL, variables[3], environments[3]);
    int status = fc_experiment_run(&experiment, options);
    free(experiment.contenders.list);
    return status;
}

const struct fc_bench_mode fc_mode_startup = {
    .name = "startup",
    .run = run,
    .help = "what loading the preload library costs a process",
};
