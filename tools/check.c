/* SPDX-License-Identifier: MIT */
/* `fastcopy check`: verifies the kernels on this machine. */
#include "command.h"

#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dispatch.h"
#include "faults.h"
#include "verify.h"

struct options {
    unsigned op; /* FC_OP_COUNT: all */
    const char *kernel;
    uint64_t seconds, seed, cases;
    bool faults;
    char *peer, *init; /* FILE:SYMBOL; a function of that file to be called before */
};

static void parse(int argc, char **argv, struct options *options) {
    static const struct option table[] = {
        {"op", required_argument, NULL, 'o'},      {"kernel", required_argument, NULL, 'k'},
        {"seconds", required_argument, NULL, 't'}, {"seed", required_argument, NULL, 's'},
        {"faults", no_argument, NULL, 'f'},        {"cases", required_argument, NULL, 'c'},
        {"peer", required_argument, NULL, 'p'},    {"init", required_argument, NULL, 'i'},
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
        case 'f':
            options->faults = true;
            break;
        case 'c':
            options->cases = fc_parse_number(command, "--cases", optarg, 1, UINT64_MAX);
            break;
        case 'p':
            options->peer = optarg;
            break;
        case 'i':
            options->init = optarg;
            break;
        case 'h':
            fc_help(command);
        default:
            fc_usage(command);
        }
    if (optind < argc)
        fc_usage_error(command, "unexpected argument '%s'", argv[optind]);
    if (options->peer != NULL && strrchr(options->peer, ':') == NULL)
        fc_usage_error(command, "--peer takes FILE:SYMBOL, not '%s'", options->peer);
    if (!options->faults && (options->peer != NULL || options->cases != 0))
        fc_usage_error(command, "--peer and --cases go with --faults");
    if (options->init != NULL && options->peer == NULL)
        fc_usage_error(command, "--init goes with --peer");
}

/* memcpy and memmove are one function; it is verified once. */
static bool is_repeated(unsigned kernel, unsigned op) {
    for (unsigned earlier = 0; earlier < op; earlier++)
        if (fc_kernel_entry(kernel, earlier) == fc_kernel_entry(kernel, op))
            return true;
    return false;
}

static bool is_wanted(const struct options *options, unsigned kernel, unsigned op) {
    if (fc_kernel_entry(kernel, op) == NULL || (fc_op_tries(op) != 0) != options->faults)
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

/* ---- --faults: copies that survive bad addresses -------------------------------------------- */

static fc_try_copy *given(const void *argument) {
    return (fc_try_copy *)(uintptr_t)argument;
}

/* In the child: whatever the file does when it is loaded is its own affair. */
static fc_try_copy *load_peer(const void *argument) {
    const struct options *options = argument;
    char *symbol = strrchr(options->peer, ':');
    *symbol++ = '\0';
    void *library = dlopen(options->peer, RTLD_NOW | RTLD_LOCAL);
    void *function = library != NULL ? dlsym(library, symbol) : NULL;
    void *init = function != NULL && options->init != NULL ? dlsym(library, options->init) : NULL;
    if (function == NULL || (options->init != NULL && init == NULL)) {
        fprintf(stderr, "fastcopy check: %s\n", dlerror());
        return NULL;
    }
    if (init != NULL)
        ((void (*)(void))(uintptr_t)init)();
    return (fc_try_copy *)(uintptr_t)function;
}

static bool tell(const struct fc_faults *faults) {
    fflush(stdout);
    struct fc_faults_verdict verdict = fc_check_faults(faults);
    if (verdict.ok)
        printf("ok      %10llu calls\n", (unsigned long long)verdict.cases);
    else
        printf("FAILED  after %llu calls: %s\n", (unsigned long long)verdict.cases, verdict.reason);
    return verdict.ok;
}

static bool check_faults_of(const struct options *options, unsigned kernel, unsigned op) {
    printf("%-14s%-14s", fc_op_name(op), fc_kernels[kernel].name);
    if ((fc_kernels[kernel].needs & ~fc_dispatch_state()->cpu.caps) != 0) {
        puts("not usable here");
        return true;
    }
    bool by_system = fc_kernel_faults(kernel)[0] == 0;
    char from = 0, to = 0;
    if (by_system && fastcopy_try_memcpy_nosig(&to, &from, 1) != 0) {
        puts("not usable here: no process_vm_readv (an emulator, or seccomp)");
        return true;
    }
    fastcopy_function *entry = fc_kernel_entry(kernel, op);
    struct fc_faults faults = {.prepare = given,
                               .argument = (const void *)(uintptr_t)entry,
                               .ours = true,
                               .past_count = (fc_kernels[kernel].traits & FC_TRAIT_PAST_COUNT) != 0,
                               .seed = options->seed,
                               .cases = options->cases};
    if (op == FC_OP_try_memset)
        faults.set = (fc_try_set *)(uintptr_t)entry;
    return tell(&faults);
}

static int run_faults(struct options *options) {
    if (options->cases == 0)
        options->cases = 1500000;
    bool ok = true;
    if (options->peer != NULL) {
        printf("%s ", options->peer);
        ok = tell(&(struct fc_faults){.prepare = load_peer,
                                      .argument = options,
                                      .seed = options->seed,
                                      .cases = options->cases});
    } else {
        for (unsigned op = FC_OP_try_memcpy; op <= FC_OP_try_memset; op++)
            for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
                if (is_wanted(options, kernel, op))
                    ok &= check_faults_of(options, kernel, op);
    }
    printf("%s; seed %llu\n", ok ? "All counts are right" : "Some counts or bytes are WRONG",
           (unsigned long long)options->seed);
    return ok ? FC_EXIT_OK : FC_EXIT_FAILED;
}

static int run(int argc, char **argv) {
    struct options options = {.op = FC_OP_COUNT, .seed = (uint64_t)time(NULL)};
    parse(argc, argv, &options);
    if (options.faults)
        return run_faults(&options);
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
        "  --faults       the kernels of try_memcpy and try_memset instead: each count and each "
        "byte,\n"
        "                 near bad addresses of every kind, as a loop by bytes would leave them\n"
        "  --cases=N      with --faults: so many calls of each; default 1500000\n"
        "  --peer=FILE:SYMBOL\n"
        "                 with --faults: another function of try_memcpy's type instead, of a "
        "shared\n"
        "                 object; its own handler of faults is for its constructor to install, or\n"
        "  --init=SYMBOL  for this function of that file, without arguments\n"
        "  --help         this text\n"
        "\n"
        "Exit status: 1 if a kernel failed. The first call that did is printed, with offsets\n"
        "relative to a page.\n",
};
