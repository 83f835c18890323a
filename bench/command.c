/* SPDX-License-Identifier: MIT */
/* `fastcopy bench`: options and modes. */
#include "bench.h"

#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "timer.h"

static const struct fc_bench_mode *const modes[] = {&fc_mode_sweep, &fc_mode_overhead,
                                                    &fc_mode_startup};
enum { MODES = sizeof modes / sizeof *modes };

static void interrupt(int signal) {
    (void)signal;
    fc_interrupted = 1;
}

/* The first Ctrl-C ends the measurement and prints what there is, the second ends the program. */
static void catch_interrupt(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
}

/* Moving to another CPU in the middle of a race costs caches and adds noise. */
static void pin(struct fc_bench_options *options) {
#ifdef __linux__
    cpu_set_t set;
    int cpu = options->cpu >= 0 ? options->cpu : sched_getcpu();
    if (cpu >= 0 && cpu < CPU_SETSIZE) {
        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        options->pinned = sched_setaffinity(0, sizeof set, &set) == 0;
    }
    if (options->cpu >= 0 && !options->pinned)
        fc_usage_error(&fc_command_bench, "--cpu: cannot run on CPU %d", options->cpu);
    options->cpu = cpu;
#else
    if (options->cpu >= 0)
        fc_usage_error(&fc_command_bench, "--cpu works on Linux only");
#endif
}

static uint64_t *parse_sizes(const char *text) {
    uint64_t *sizes = fc_allocate(strlen(text) + 2, sizeof *sizes);
    char *copy = strdup(text), *rest = copy;
    size_t count = 0;
    for (char *item; (item = strsep(&rest, ",")) != NULL;) {
        sizes[count] = fc_parse_size(&fc_command_bench, "--sizes", item);
        if (sizes[count++] == 0)
            fc_usage_error(&fc_command_bench, "--sizes: a size of 0 has no speed");
    }
    free(copy);
    return sizes;
}

enum {
    OPTION_OP = 256,
    OPTION_KERNELS,
    OPTION_BASELINE,
    OPTION_PEER,
    OPTION_MIN,
    OPTION_MAX,
    OPTION_SIZES,
    OPTION_SKEW,
    OPTION_HUGE,
    OPTION_ROUNDS,
    OPTION_RUNS,
    OPTION_SEED,
    OPTION_CPU,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_HELP
};

static void parse(int argc, char **argv, struct fc_bench_options *options) {
    static const struct option table[] = {
        {"op", required_argument, NULL, OPTION_OP},
        {"kernels", required_argument, NULL, OPTION_KERNELS},
        {"baseline", required_argument, NULL, OPTION_BASELINE},
        {"peer", required_argument, NULL, OPTION_PEER},
        {"min", required_argument, NULL, OPTION_MIN},
        {"max", required_argument, NULL, OPTION_MAX},
        {"sizes", required_argument, NULL, OPTION_SIZES},
        {"skew", required_argument, NULL, OPTION_SKEW},
        {"huge", no_argument, NULL, OPTION_HUGE},
        {"rounds", required_argument, NULL, OPTION_ROUNDS},
        {"runs", required_argument, NULL, OPTION_RUNS},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"cpu", required_argument, NULL, OPTION_CPU},
        {"csv", no_argument, NULL, OPTION_CSV},
        {"json", no_argument, NULL, OPTION_JSON},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    const struct fc_command *command = &fc_command_bench;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;)
        switch (option) {
        case OPTION_OP:
            options->op = fc_parse_op(command, optarg);
            break;
        case OPTION_KERNELS:
            options->kernels = optarg;
            break;
        case OPTION_BASELINE:
            options->baseline = optarg;
            break;
        case OPTION_PEER:
            if (options->peer_count == FC_PEERS_MAX)
                fc_usage_error(command, "at most %d peers", FC_PEERS_MAX);
            options->peers[options->peer_count++] = optarg;
            break;
        case OPTION_MIN:
            options->min = fc_parse_size(command, "--min", optarg);
            break;
        case OPTION_MAX:
            options->max = fc_parse_size(command, "--max", optarg);
            break;
        case OPTION_SIZES:
            options->sizes = parse_sizes(optarg);
            break;
        case OPTION_SKEW:
            options->skew = fc_parse_number(command, "--skew", optarg, 0, 4095);
            break;
        case OPTION_HUGE:
            options->huge = true;
            break;
        case OPTION_ROUNDS:
            options->rounds = (unsigned)fc_parse_number(command, "--rounds", optarg, 1, 1000000);
            break;
        case OPTION_RUNS:
            options->runs = (unsigned)fc_parse_number(command, "--runs", optarg, 1, 1000);
            break;
        case OPTION_SEED:
            options->seed = fc_parse_number(command, "--seed", optarg, 0, UINT64_MAX);
            break;
        case OPTION_CPU:
            options->cpu = (int)fc_parse_number(command, "--cpu", optarg, 0, 1023);
            break;
        case OPTION_CSV:
            options->format = FC_FORMAT_CSV;
            break;
        case OPTION_JSON:
#ifndef FC_WITH_JANSSON
            fc_usage_error(command, "--json: " FC_NO_JSON);
#endif
            options->format = FC_FORMAT_JSON;
            break;
        case OPTION_HELP:
            fc_help(command);
        default:
            fc_usage(command);
        }
}

static int bench(int argc, char **argv) {
    struct fc_bench_options options = {
        .op = FC_OP_memcpy,
        .baseline = "libc",
        .min = 16,
        .max = 64 << 20,
        .skew = 2048,
        .runs = 1,
        .seed = (uint64_t)time(NULL),
        .cpu = -1,
    };
    parse(argc, argv, &options);
    const char *name = optind < argc ? argv[optind] : modes[0]->name;
    if (optind + 1 < argc)
        fc_usage_error(&fc_command_bench, "one mode at a time, not also '%s'", argv[optind + 1]);
    size_t mode = 0;
    while (mode < MODES && strcmp(modes[mode]->name, name) != 0)
        mode++;
    if (mode == MODES)
        fc_usage_error(&fc_command_bench, "there is no mode '%s'", name);
    pin(&options);
    fc_timer_init();
    catch_interrupt();
    int status = modes[mode]->run(&options);
    free(options.sizes);
    return status;
}

static void print_modes(void) {
    puts("Modes:");
    for (size_t i = 0; i < MODES; i++)
        printf("  %-15s  %s%s\n", modes[i]->name, modes[i]->help, i == 0 ? " (the default)" : "");
    putchar('\n');
}

const struct fc_command fc_command_bench = {
    .name = "bench",
    .run = bench,
    .summary = "Races the kernels against libc and other implementations, in one run",
    .usage = "[MODE] [OPTION]...",
    .print_before = print_modes,
    .options =
        "What is raced:\n"
        "  --op=OP          memcpy, memmove, mempcpy, memset or memcpy_nt; default memcpy\n"
        "  --kernels=A,B    these kernels; default: the selected one and all others usable here\n"
        "  --baseline=NAME  compare with this kernel or peer; default: libc\n"
        "  --peer=FILE[:SYMBOL]\n"
        "                   race this shared object's function too, the operation's name unless\n"
        "                   SYMBOL is given; may be repeated\n"
        "\n"
        "How:\n"
        "  --min=SIZE       smallest and largest size; default 16 and 64M, each four times the "
        "last\n"
        "  --max=SIZE\n"
        "  --sizes=A,B      these sizes instead\n"
        "  --skew=N         page offset of the destination relative to the source; default 2048,\n"
        "                   which is far from 4K aliasing\n"
        "  --huge           ask for huge pages; default: small pages\n"
        "  --rounds=N       rounds of each race; default 31\n"
        "  --runs=N         repeat everything and show medians over the runs; default 1\n"
        "  --seed=N         of the random order; default: the time\n"
        "  --cpu=N          run on this CPU; default: the one that it starts on\n"
        "\n"
        "Output:\n"
        "  --csv            comma-separated values\n"
        "  --json           JSON, with the machine and the options\n"
        "  --help           this text\n"
        "\n"
        "Ctrl-C ends the measurement and prints what is done.\n",
};
