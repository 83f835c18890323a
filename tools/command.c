/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "registry.h"

void fc_usage(const struct fc_command *command) {
    fprintf(stderr, "Usage: fastcopy %s %s\n", command->name, command->usage);
    exit(FC_EXIT_USAGE);
}

void fc_usage_error(const struct fc_command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fastcopy %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    fc_usage(command);
}

void fc_help(const struct fc_command *command) {
    printf("Usage: fastcopy %s %s\n%s.\n\n", command->name, command->usage, command->summary);
    if (command->print_before != NULL)
        command->print_before();
    fputs(command->options, stdout);
    exit(FC_EXIT_OK);
}

/* A number with an optional unit; false if it is anything else or does not fit. */
static bool parse(const char *text, bool units, uint64_t *value) {
    if (*text < '0' || *text > '9') /* strtoull would take blanks and a sign */
        return false;
    static const char unit_names[] = "KMG";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    const char *unit =
        units && *end != '\0' ? strchr(unit_names, toupper((unsigned char)*end)) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - unit_names + 1) : 0;
    end += unit != NULL;
    if (errno != 0 || *end != '\0' || number > UINT64_MAX >> shift)
        return false;
    *value = (uint64_t)number << shift;
    return true;
}

uint64_t fc_parse_number(const struct fc_command *command, const char *option, const char *text,
                         uint64_t min, uint64_t max) {
    uint64_t value;
    if (!parse(text, false, &value) || value < min || value > max)
        fc_usage_error(command, "%s takes a number from %llu to %llu, not '%s'", option,
                       (unsigned long long)min, (unsigned long long)max, text);
    return value;
}

uint64_t fc_parse_size(const struct fc_command *command, const char *option, const char *text) {
    uint64_t value;
    if (!parse(text, true, &value))
        fc_usage_error(command, "%s takes a size such as 4096 or 64K, not '%s'", option, text);
    return value;
}

unsigned fc_parse_op(const struct fc_command *command, const char *text) {
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (strcmp(text, fc_op_name(op)) == 0)
            return op;
    fc_usage_error(command, "there is no operation '%s'", text);
}

struct fc_size_text fc_size_text(uint64_t size) {
    static const char units[][2] = {"", "K", "M", "G", "T"};
    unsigned unit = 0;
    while (unit < 4 && size != 0 && size % 1024 == 0) {
        size /= 1024;
        unit++;
    }
    struct fc_size_text result;
    snprintf(result.text, sizeof result.text, "%llu%s", (unsigned long long)size, units[unit]);
    return result;
}

bool fc_find_file(const char *name, char path[PATH_MAX]) {
    /* Relative to the command: where it is installed, then the build tree. */
    static const char *const folders[] = {FC_LIBDIR_FROM_BINDIR, FC_LIBDIR_FROM_BINDIR "/fastcopy",
                                          ".", "..", "../bench"};
    char command[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    if (length < 0)
        return false;
    command[length] = '\0';
    *strrchr(command, '/') = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char candidate[2 * PATH_MAX];
        snprintf(candidate, sizeof candidate, "%s/%s/%s", command, folders[i], name);
        if (realpath(candidate, path) != NULL)
            return true;
    }
    return false;
}
