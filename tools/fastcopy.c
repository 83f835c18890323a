/* SPDX-License-Identifier: MIT */
/* The `fastcopy` command. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

static const struct fc_command *const commands[] = {
    &fc_command_info, &fc_command_run, &fc_command_trace, &fc_command_check, &fc_command_bench};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct fc_command *find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_usage(FILE *file) {
    fputs("Usage: fastcopy COMMAND [OPTION]...\n", file);
}

static int print_help(void) {
    print_usage(stdout);
    puts(
        "Shows, checks, measures and applies the memory-copy kernels of libfastcopy.\n\nCommands:");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-16s%s\n", commands[i]->name, commands[i]->summary);
    puts("  help [COMMAND]  Shows this text, or a command's options\n\n"
         "Options:\n"
         "  --help          Shows this text\n"
         "  --version       Shows the version\n\n"
         "Exit status:\n"
         "  0               All is well\n"
         "  1               Something failed\n"
         "  2               The arguments are wrong");
    return FC_EXIT_OK;
}

static int complain(const char *reason, const char *what) {
    fprintf(stderr, "fastcopy: %s%s\n", reason, what);
    print_usage(stderr);
    return FC_EXIT_USAGE;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return complain("no command: see fastcopy help", "");
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("fastcopy %s\n", fc_info_version);
        return FC_EXIT_OK;
    }
    bool help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0;
    if (help && argc == 2)
        return print_help();
    if (help)
        name = argv[2];
    const struct fc_command *command = find(name);
    if (command == NULL)
        return complain("there is no command ", name);
    if (help)
        fc_help(command);
    char title[32]; /* getopt_long() names it in its messages */
    snprintf(title, sizeof title, "fastcopy %s", command->name);
    argv[1] = title;
    return command->run(argc - 1, argv + 1);
}
