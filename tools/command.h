/* SPDX-License-Identifier: MIT */
/* What the subcommands of `fastcopy` share. */
#ifndef FC_COMMAND_H
#define FC_COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fc_command {
    const char *name;
    int (*run)(int argc, char **argv); /* returns the exit status; argv[0] is "fastcopy NAME" */
    const char *summary;
    const char *usage;          /* what follows the name */
    const char *options;        /* the options, and what is worth knowing */
    void (*print_before)(void); /* prints more help, before the options; may be NULL */
};

extern const struct fc_command fc_command_info, fc_command_run, fc_command_trace, fc_command_check,
    fc_command_bench;

/* Said where --json is asked of a build without jansson. */
#define FC_NO_JSON "this build has no JSON: jansson was not found"

/* Exit statuses. */
enum { FC_EXIT_OK, FC_EXIT_FAILED, FC_EXIT_USAGE, FC_EXIT_INTERRUPTED = 128 + 2 };

/* One line with the reason, the usage, exit status 2. */
_Noreturn void fc_usage_error(const struct fc_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same after getopt_long() has printed the reason. */
_Noreturn void fc_usage(const struct fc_command *command);

/* What every command does with --help: prints it and ends. */
_Noreturn void fc_help(const struct fc_command *command);

/* The value of an option: a number, a number with K, M or G, the name of an operation. */
uint64_t fc_parse_number(const struct fc_command *command, const char *option, const char *text,
                         uint64_t min, uint64_t max);
uint64_t fc_parse_size(const struct fc_command *command, const char *option, const char *text);
unsigned fc_parse_op(const struct fc_command *command, const char *text);

/* Bytes with the largest unit that divides them, for example "1536K". */
struct fc_size_text {
    char text[24];
};
struct fc_size_text fc_size_text(uint64_t size);

/*
 * The full path of a file of this project, beside the command in the build tree or where it was
 * installed. False if there is none.
 */
bool fc_find_file(const char *name, char path[PATH_MAX]);

#endif
