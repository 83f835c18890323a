/* SPDX-License-Identifier: MIT */
/* `fastcopy trace`: a program whose calls are recorded; and what was recorded. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload.h"

enum { DEFAULT_LIMIT = 4000000 };
/* No file can be larger than its offsets, whatever the limit. */
#define LIMIT_MAX ((UINT64_C(1) << 40) / sizeof(struct fc_trace_record))

static const struct fc_command *const command = &fc_command_trace;

static _Noreturn void fail(const char *file) {
    fprintf(stderr, "fastcopy trace: %s: %s\n", file, strerror(errno));
    exit(FC_EXIT_FAILED);
}

static bool write_whole(int file, const void *data, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t written = write(file, (const char *)data + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

/*
 * The blocks too: the recorder writes through a mapping, where a full disk is a SIGBUS in the
 * middle of the program. Some file systems cannot; there a hole has to do.
 */
static bool reserve(int file, uint64_t size) {
#ifdef __linux__
    if (fallocate(file, 0, 0, (off_t)size) == 0)
        return true;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return false;
#endif
    return ftruncate(file, (off_t)size) == 0;
}

/* A new file: one of an earlier run may still be written by programs that went on. */
static void create(const char *path, uint64_t limit) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = EEXIST; /* a device, a directory */
        fail(path);
    }
    if (unlink(path) != 0 && errno != ENOENT)
        fail(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const struct fc_trace_header header = fc_trace_header(limit);
    if (file < 0)
        fail(path);
    if (!write_whole(file, &header, sizeof header) || !reserve(file, fc_trace_file_size(limit))) {
        int error = errno;
        unlink(path);
        errno = error;
        fail(path);
    }
    close(file);
}

/*
 * Replaces the file by one without the unused space. Not by cutting it off: what the program left
 * running still writes there.
 */
static void shrink(const char *path, const struct fc_trace *trace) {
    char *part;
    if (asprintf(&part, "%s.part", path) < 0)
        exit(FC_EXIT_FAILED);
    struct fc_trace_header header = trace->header;
    /* Unfinished records go, dropped calls stay counted. */
    header.calls -= trace->unfinished;
    header.capacity = trace->count;
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        fail(part);
    if (!write_whole(file, &header, sizeof header) ||
        !write_whole(file, trace->records, trace->count * sizeof *trace->records) ||
        rename(part, path) != 0) {
        int error = errno;
        unlink(part);
        errno = error;
        fail(part);
    }
    close(file);
    free(part);
}

static struct fc_trace read_trace(const char *path, int status) {
    struct fc_trace trace;
    struct fc_trace_error error = fc_trace_read(path, &trace);
    if (error.text[0] == '\0')
        return trace;
    fprintf(stderr, "fastcopy trace: %s: %s\n", path, error.text);
    exit(status);
}

static int show(const char *path, bool csv) {
    struct fc_trace trace = read_trace(path, FC_EXIT_USAGE);
    if (csv)
        fc_trace_sizes(&trace);
    else
        fc_trace_summary(&trace);
    free(trace.records);
    return FC_EXIT_OK;
}

/* Returns the exit status that a shell would show. */
static int run_program(char **program) {
    pid_t child = fork();
    if (child == 0)
        exit(fc_execute(command, program));
    if (child < 0)
        fail(program[0]);
    /* Ctrl-C is for the program; what it does of it is recorded. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            fail(program[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int record(char **program, const char *output, uint64_t limit) {
    fc_set_preload(command, "libfastcopy_trace.so", "FASTCOPY_TRACE_LIBRARY");
    create(output, limit);
    char path[PATH_MAX]; /* the program may change its directory */
    if (realpath(output, path) == NULL)
        fail(output);
    fc_set_environment(command, FC_TRACE_ENV, path);
    int status = run_program(program);
    struct fc_trace trace = read_trace(path, FC_EXIT_FAILED);
    shrink(path, &trace);
    fprintf(stderr, "fastcopy trace: %zu calls recorded in %s, %" PRIu64 " dropped%s\n",
            trace.count, output, trace.header.calls - fc_trace_count(&trace.header),
            trace.header.threads == 0 ? " (is it statically linked, or set-uid?)" : "");
    free(trace.records);
    return status;
}

static int trace(int argc, char **argv) {
    static const struct option table[] = {
        {"output", required_argument, NULL, 'o'}, {"limit", required_argument, NULL, 'l'},
        {"show", required_argument, NULL, 's'},   {"csv", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    const char *output = "fastcopy.trace", *file = NULL;
    uint64_t limit = DEFAULT_LIMIT;
    bool csv = false;
    for (int option; (option = getopt_long(argc, argv, "+o:", table, NULL)) != -1;)
        switch (option) {
        case 'o':
            output = optarg;
            break;
        case 'l':
            limit = fc_parse_number(command, "--limit", optarg, 1, LIMIT_MAX);
            break;
        case 's':
            file = optarg;
            break;
        case 'c':
            csv = true;
            break;
        case 'h':
            fc_help(command);
        default:
            fc_usage(command);
        }
    if (file != NULL && optind < argc)
        fc_usage_error(command, "--show runs no program");
    if (file == NULL && csv)
        fc_usage_error(command, "--csv goes with --show");
    if (file != NULL)
        return show(file, csv);
    if (optind == argc)
        fc_usage_error(command, "no program to run");
    return record(argv + optind, output, limit);
}

const struct fc_command fc_command_trace = {
    .name = "trace",
    .run = trace,
    .summary = "Records each call that a program makes, and shows what was recorded",
    .usage = "[-o FILE] [--limit=N] [--] PROGRAM [ARGUMENT]... | --show=FILE [--csv]",
    .options =
        "  -o, --output=FILE  where to record; default fastcopy.trace\n"
        "  --limit=N          record the first N calls, 24 bytes each, and count the rest; "
        "default\n"
        "                     4000000\n"
        "  --show=FILE        print a summary of what was recorded: operations, sizes, addresses,\n"
        "                     call sites\n"
        "  --csv              of that, only size,count lines, for fastcopy bench random --sizes\n"
        "  --help             this text\n"
        "\n"
        "fastcopy bench random --order=FILE replays the calls. A record holds the operation, the\n"
        "size, the low 12 bits of the addresses and their distance, the thread, and a hash of the\n"
        "return address: no data, names or arguments. docs/TRACE.md describes the file.\n"
        "Programs that PROGRAM starts are recorded with it. Calls that libc makes inside itself, "
        "and\n"
        "those that compilers replaced by instructions, are not seen. Statically linked and "
        "set-uid\n"
        "programs are not affected. FASTCOPY_TRACE_LIBRARY replaces the path of the library.\n"
        "\n"
        "Exit status: the program's (128 + N after signal N); 126 if it cannot be executed, 127 "
        "if\n"
        "there is none; with --show 2 if the file is no trace.\n",
};
