/* SPDX-License-Identifier: MIT */
/*
 * report: every mode in short form, with the machine, for a bug report or for hardware that this
 * project lacks. JSON where it can be written, else text.
 *
 * Each mode runs in a child: on unknown hardware a kernel may well crash, and that it did is then
 * part of the report.
 */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "info.h"
#include "software.h"

/* A mode that takes longer than this, in seconds, is stuck. */
enum { LONGEST = 60 };

static _Noreturn void run_child(const struct fc_bench_mode *mode,
                                const struct fc_bench_options *options) {
    alarm(LONGEST);
    int status = mode->run(options);
    fc_output_end(options);
    fflush(stdout);
    _exit(status);
}

/* Starts a mode whose output goes to the descriptor. */
static pid_t start(const struct fc_bench_mode *mode, const struct fc_bench_options *options,
                   int output) {
    fflush(stdout); /* or the child would write it again */
    pid_t child = fork();
    if (child < 0) {
        perror("fastcopy bench: report");
        exit(FC_EXIT_FAILED);
    }
    if (child == 0) {
        dup2(output, STDOUT_FILENO);
        run_child(mode, options);
    }
    return child;
}

/* How it ended, in words; NULL: well. */
static const char *outcome(pid_t child, char text[64]) {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        snprintf(text, 64, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(text, 64, "exit status %d", WEXITSTATUS(status));
    else
        return NULL;
    return text;
}

static bool is_measured(const struct fc_bench_mode *mode) {
    return mode != &fc_mode_report && mode->arguments == 0;
}

#ifdef FC_WITH_JANSSON

/* What a child wrote through a pipe: an array of its experiments; NULL if it is no document. */
static json_t *read_experiments(int input) {
    json_t *document = json_loadfd(input, 0, NULL);
    json_t *experiments = json_incref(json_object_get(document, "experiments"));
    close(input);
    json_decref(document);
    return experiments;
}

static void add_mode(json_t *all, const struct fc_bench_mode *mode,
                     const struct fc_bench_options *options) {
    int ends[2];
    if (pipe(ends) != 0) {
        perror("fastcopy bench: report");
        exit(FC_EXIT_FAILED);
    }
    fprintf(stderr, "%s\n", mode->name);
    pid_t child = start(mode, options, ends[1]);
    close(ends[1]);
    json_t *experiments = read_experiments(ends[0]);
    char text[64];
    const char *failure = outcome(child, text);
    if (experiments != NULL)
        json_array_extend(all, experiments);
    if (failure != NULL)
        json_array_append_new(all, json_pack("{ss ss}", "mode", mode->name, "failed", failure));
    json_decref(experiments);
}

static void report(const struct fc_bench_options *options) {
    struct fc_bench_options as_json = *options;
    as_json.format = FC_FORMAT_JSON;
    json_t *all = json_array();
    for (const struct fc_bench_mode *const *mode = fc_bench_modes; *mode != NULL && !fc_interrupted;
         mode++)
        if (is_measured(*mode))
            add_mode(all, *mode, &as_json);
    json_t *document = fc_bench_json_document(options, all);
    json_object_set_new(document, "about",
                        json_string("fastcopy bench report: the machine, the versions, what the "
                                    "library chose and why, FASTCOPY_TUNABLES, and every mode of "
                                    "fastcopy bench in short form. It contains no host name, no "
                                    "user name and no path."));
    json_dumpf(document, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(document);
}

#else

static void report(const struct fc_bench_options *options) {
    const struct fc_software software = fc_software_collect();
    puts("fastcopy bench report: the machine, the versions, what the library chose and why,\n"
         "FASTCOPY_TUNABLES, and every mode of fastcopy bench in short form. It contains no host\n"
         "name, no user name and no path.\n");
    printf("compiler   %s\nlibc       %s\nkernel     %s\ntunables   %s\n\n", software.compiler,
           software.libc, software.kernel, software.tunables);
    fc_info_print(fc_info_collect());
    for (const struct fc_bench_mode *const *mode = fc_bench_modes; *mode != NULL && !fc_interrupted;
         mode++) {
        if (!is_measured(*mode))
            continue;
        printf("\n==== %s\n\n", (*mode)->name);
        char text[64];
        const char *failure = outcome(start(*mode, options, STDOUT_FILENO), text);
        if (failure != NULL)
            printf("failed: %s\n", failure);
    }
}

#endif

static int run(const struct fc_bench_options *given) {
    struct fc_bench_options options = *given;
    options.brief = true;
    if (options.rounds == 0)
        options.rounds = 7;
    if (options.max > 16 << 20)
        options.max = 16 << 20;
    report(&options);
    return fc_interrupted ? FC_EXIT_INTERRUPTED : FC_EXIT_OK;
}

const struct fc_bench_mode fc_mode_report = {
    .name = "report",
    .run = run,
    .help = "one file with the machine and every mode in short form, to attach to a bug report",
};
