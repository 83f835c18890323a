/* SPDX-License-Identifier: MIT */
/* `fastcopy check`: verifies the kernels on this machine. */
#include "command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dispatch.h"
#include "verify.h"

struct options {
    unsigned op; /* FC_OP_COUNT: all */
    const char *kernel;
    uint64_t seconds, seed;
};

static void parse(int argc, char **argv, struct options *options) {
    static const struct option table[] = {
        {"op", required_argument, NULL, 'o'},      {"kernel", required_argument, NULL, 'k'},
        {"seconds", required_argument, NULL, 't'}, {"seed", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    const struct fc_command *command = &fc_command_check;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;)
        switch (option) {
        case 'o':
            options->op = fc_parse_op(command, optarg);
            break;
        case 'k':
            options->kernel = optarg;
            break;
        case 't':
            options->seconds = fc_parse_number(command, "--seconds", optarg, 0, 86400);
            break;
        case 's':
            options->seed = fc_parse_number(command, "--seed", optarg, 0, UINT64_MAX);
            break;
        case 'h':
            fc_help(command);
        default:
            fc_usage(command);
        }
    if (optind < argc)
        fc_usage_error(command, "unexpected argument '%s'", argv[optind]);
}

/* memcpy and memmove are one function; it is verified once. */
static bool is_repeated(unsigned kernel, unsigned op) {
    for (unsigned earlier = 0; earlier < op; earlier++)
        if (fc_kernel_entry(kernel, earlier) == fc_kernel_entry(kernel, op))
            return true;
    return false;
}

static bool is_wanted(const struct options *options, unsigned kernel, unsigned op) {
    if (fc_kernel_entry(kernel, op) == NULL)
        return false;
    if (options->kernel != NULL && strcmp(options->kernel, fc_kernels[kernel].name) != 0)
        return false;
    return options->op == FC_OP_COUNT ? !is_repeated(kernel, op) : options->op == op;
}

/* How many kernels the options ask for, and how many of them this machine can run. */
static unsigned count_usable(const struct options *options, unsigned *wanted) {
    unsigned usable = 0;
    *wanted = 0;
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
            if (is_wanted(options, kernel, op)) {
                ++*wanted;
                usable += (fc_kernels[kernel].needs & ~fc_dispatch_state()->cpu.caps) == 0;
            }
    return usable;
}

static bool check(const struct options *options, unsigned kernel, unsigned op, double seconds) {
    printf("%-14s%-14s", fc_op_name(op), fc_kernels[kernel].name);
    if ((fc_kernels[kernel].needs & ~fc_dispatch_state()->cpu.caps) != 0) {
        puts("not usable here");
        return true;
    }
    fflush(stdout);
    struct fc_verdict verdict =
        fc_verify(&(struct fc_verify){.op = op,
                                      .function = fc_kernel_entry(kernel, op),
                                      .seed = options->seed,
                                      .seconds = seconds});
    if (verdict.ok)
        printf("ok      %10llu calls\n", (unsigned long long)verdict.calls);
    else
        printf("FAILED  %s\n", verdict.reason);
    return verdict.ok;
}

static int run(int argc, char **argv) {
    struct options options = {.op = FC_OP_COUNT, .seed = (uint64_t)time(NULL)};
    parse(argc, argv, &options);
    unsigned wanted, usable = count_usable(&options, &wanted);
    if (wanted == 0)
        fc_usage_error(&fc_command_check, "no such kernel '%s' of that operation", options.kernel);
    double seconds = usable > 0 ? (double)options.seconds / usable : 0;
    bool ok = true;
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
            if (is_wanted(&options, kernel, op))
                ok &= check(&options, kernel, op, seconds);
    printf("%s; seed %llu\n",
           ok ? "All kernels copy and set as they should" : "Some kernels FAILED",
           (unsigned long long)options.seed);
    return ok ? FC_EXIT_OK : FC_EXIT_FAILED;
}

const struct fc_command fc_command_check = {
    .name = "check",
    .run = run,
    .summary = "Verifies every kernel that this machine can run",
    .usage = "[OPTION]...",
    .options =
        "  --op=OP        only this operation\n"
        "  --kernel=NAME  only this kernel\n"
        "  --seconds=N    then make random calls for about N seconds; default 0\n"
        "  --seed=N       of what is random; default: the time\n"
        "  --help         this text\n"
        "\n"
        "Exit status: 1 if a kernel failed. The first call that did is printed, with offsets\n"
        "relative to a page.\n",
};
