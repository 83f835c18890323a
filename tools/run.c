/* SPDX-License-Identifier: MIT */
/* `fastcopy run`: a program with the preload library. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tunables.h"

#define PRELOAD_ENV "FASTCOPY_PRELOAD"

static void set(const char *name, const char *value) {
    if (setenv(name, value, 1) != 0) {
        perror("fastcopy run");
        exit(FC_EXIT_FAILED);
    }
}

/* Ours goes first: of two libraries that define memcpy, the first is used. */
static void set_preload(const char *library) {
    const char *others = getenv("LD_PRELOAD");
    char *list;
    if (others == NULL || others[0] == '\0')
        set("LD_PRELOAD", library);
    else if (asprintf(&list, "%s:%s", library, others) > 0)
        set("LD_PRELOAD", list);
    else
        exit(FC_EXIT_FAILED);
}

static void set_tunables(const char *tunables, bool verbose) {
    char *text;
    const char *present = getenv(FC_TUNABLES_ENV);
    if (tunables == NULL)
        tunables = present != NULL ? present : "";
    if (asprintf(&text, "%s%s", tunables, verbose ? ":verbose=1" : "") < 0)
        exit(FC_EXIT_FAILED);
    set(FC_TUNABLES_ENV, text);
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

    char path[PATH_MAX];
    const char *library = getenv(PRELOAD_ENV);
    if (library == NULL) {
        if (!fc_find_file("libfastcopy_preload.so", path)) {
            fprintf(stderr, "fastcopy run: libfastcopy_preload.so is not where it was installed; "
                            "set " PRELOAD_ENV " to its path\n");
            return FC_EXIT_FAILED;
        }
        library = path;
    }
    if (strpbrk(library, ": ") != NULL) {
        fprintf(stderr, "fastcopy run: %s: LD_PRELOAD cannot hold a path with a blank or a colon\n",
                library);
        return FC_EXIT_FAILED;
    }
    set_preload(library);
    if (tunables != NULL || verbose)
        set_tunables(tunables, verbose);
    execvp(argv[optind], argv + optind);
    int error = errno;
    fprintf(stderr, "fastcopy run: %s: %s\n", argv[optind], strerror(error));
    return error == ENOENT ? 127 : 126; /* as the shell and env have it */
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
