/* SPDX-License-Identifier: MIT */
/* `fastcopy run`: a program with the preload library. */
#include "preload.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tunables.h"

static void set_tunables(const char *tunables, bool verbose) {
    char *text;
    const char *present = getenv(FC_TUNABLES_ENV);
    if (tunables == NULL)
        tunables = present != NULL ? present : "";
    if (asprintf(&text, "%s%s", tunables, verbose ? ":verbose=1" : "") < 0)
        exit(FC_EXIT_FAILED);
    fc_set_environment(&fc_command_run, FC_TUNABLES_ENV, text);
}

static int run(int argc, char **argv) {
    static const struct option table[] = {{"tunables", required_argument, NULL, 't'},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const struct fc_command *command = &fc_command_run;
    const char *tunables = NULL;
    bool verbose = false;
    /* '+': what follows the program's name is the program's. */
    for (int option; (option = getopt_long(argc, argv, "+", table, NULL)) != -1;)
        switch (option) {
        case 't':
            tunables = optarg;
            break;
        case 'v':
            verbose = true;
            break;
        case 'h':
            fc_help(command);
        default:
            fc_usage(command);
        }
    if (optind == argc)
        fc_usage_error(command, "no program to run");

    fc_set_preload(command, "libfastcopy_preload.so", "FASTCOPY_PRELOAD");
    if (tunables != NULL || verbose)
        set_tunables(tunables, verbose);
    return fc_execute(command, argv + optind);
}

const struct fc_command fc_command_run = {
    .name = "run",
    .run = run,
    .summary = "Runs a program with the preload library",
    .usage = "[--tunables=TUNABLES] [--verbose] [--] PROGRAM [ARGUMENT]...",
    .options =
        "  --tunables=TUNABLES  the program's FASTCOPY_TUNABLES, for example memcpy=avx:verbose=1\n"
        "  --verbose            each process says on stderr what was chosen and why\n"
        "  --help               this text\n"
        "\n"
        "Libraries that LD_PRELOAD names already stay, after ours. FASTCOPY_PRELOAD replaces the "
        "path\n"
        "of the preload library. Statically linked and set-uid programs are not affected: the "
        "dynamic\n"
        "linker does not preload into them.\n"
        "\n"
        "Exit status: the program's; 126 if it cannot be executed, 127 if there is none.\n",
};
