/* SPDX-License-Identifier: MIT */
/* `fastcopy bench`: options and modes. */
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "timer.h"

const struct fc_bench_mode *const fc_bench_modes[] = {
    &fc_mode_sweep,   &fc_mode_matrix,   &fc_mode_align,
    &fc_mode_pages,   &fc_mode_blocks,   &fc_mode_cliffs,
    &fc_mode_random,  &fc_mode_latency,  &fc_mode_consumer,
    &fc_mode_threads, &fc_mode_overlap,  &fc_mode_faults,
    &fc_mode_limits,  &fc_mode_overhead, &fc_mode_startup,
    &fc_mode_report,  &fc_mode_compare,  NULL};

static void interrupt(int signal) {
    (void)signal;
    fc_interrupted = 1;
}

/* The first Ctrl-C ends the measurement and prints what there is, the second ends the program. */
static void catch_interrupt(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
}

#ifdef __linux__
static bool run_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0; /* 0: this thread */
}

/* Those that it may run on, the one that it is to run on first. */
static void list_cpus(struct fc_bench_options *options) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    options->cpus[options->cpu_count++] = options->cpu;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET((size_t)cpu, &set) && cpu != options->cpu)
            options->cpus[options->cpu_count++] = cpu;
}
#endif

/* Moving to another CPU in the middle of a race costs caches and adds noise. */
static void pin(struct fc_bench_options *options) {
#ifdef __linux__
    int wanted = options->cpu;
    options->cpus = fc_allocate(CPU_SETSIZE + 1, sizeof *options->cpus);
    options->cpu = wanted >= 0 ? wanted : sched_getcpu();
    if (options->cpu >= 0 && options->cpu < CPU_SETSIZE) {
        list_cpus(options);
        options->pinned = run_on(options->cpu);
    }
    if (wanted >= 0 && !options->pinned)
        fc_usage_error(&fc_command_bench, "--cpu: cannot run on CPU %d", wanted);
#else
    if (options->cpu >= 0)
        fc_usage_error(&fc_command_bench, "--cpu works on Linux only");
#endif
    if (options->cpu_count == 0)
        options->cpu_count = 1;
}

void fc_pin_to(const struct fc_bench_options *options, size_t index) {
#ifdef __linux__
    if (options->pinned)
        run_on(options->cpus[index % options->cpu_count]);
#else
    (void)options;
    (void)index;
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

/* Is it one of these words? */
static bool listed(const char *words, const char *word) {
    size_t length = strlen(word);
    for (; words != NULL && *words != '\0'; words += strspn(words, " ")) {
        size_t end = strcspn(words, " ");
        if (end == length && strncmp(words, word, length) == 0)
            return true;
        words += end;
    }
    return false;
}

/* An option that some mode says to take is refused by those that do not: it would change nothing.
 */
static void check_taken(const struct fc_bench_mode *mode, const char *option) {
    if (listed(mode->takes, option))
        return;
    for (size_t i = 0; fc_bench_modes[i] != NULL; i++)
        if (listed(fc_bench_modes[i]->takes, option))
            fc_usage_error(&fc_command_bench, "%s takes no --%s", mode->name, option);
}

static double parse_ratio(const char *option, const char *text) {
    char *end;
    double ratio = strtod(text, &end);
    if (end == text || *end != '\0' || !(ratio > 0 && ratio <= 1))
        fc_usage_error(&fc_command_bench, "%s takes a ratio up to 1, such as 0.95, not '%s'",
                       option, text);
    return ratio;
}

static const struct fc_bench_mode *find_mode(const char *name) {
    for (size_t i = 0; fc_bench_modes[i] != NULL; i++)
        if (strcmp(fc_bench_modes[i]->name, name) == 0)
            return fc_bench_modes[i];
    fc_usage_error(&fc_command_bench, "there is no mode '%s'", name);
}

/* Only when all else is known to be right: a wrong call leaves an old file as it was. */
static void redirect(const char *file) {
    if (freopen(file, "w", stdout) == NULL)
        fc_usage_error(&fc_command_bench, "--output: %s: %s", file, strerror(errno));
}

enum {
    OPTION_OP = 256,
    OPTION_KERNELS,
    OPTION_BASELINE,
    OPTION_PEER,
    OPTION_MIN,
    OPTION_MAX,
    OPTION_SIZES,
    OPTION_ORDER,
    OPTION_OTHER,
    OPTION_THREADS,
    OPTION_OF_LIMIT,
    OPTION_SKEW,
    OPTION_HUGE,
    OPTION_ROUNDS,
    OPTION_RUNS,
    OPTION_SEED,
    OPTION_CPU,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_PLOT,
    OPTION_SORT,
    OPTION_FAIL,
    OPTION_FAIL_BELOW,
    OPTION_HELP
};

/* Returns the mode. */
static const struct fc_bench_mode *parse(int argc, char **argv, struct fc_bench_options *options) {
    static const struct option table[] = {
        {"op", required_argument, NULL, OPTION_OP},
        {"kernels", required_argument, NULL, OPTION_KERNELS},
        {"baseline", required_argument, NULL, OPTION_BASELINE},
        {"peer", required_argument, NULL, OPTION_PEER},
        {"min", required_argument, NULL, OPTION_MIN},
        {"max", required_argument, NULL, OPTION_MAX},
        {"sizes", required_argument, NULL, OPTION_SIZES},
        {"order", required_argument, NULL, OPTION_ORDER},
        {"other", required_argument, NULL, OPTION_OTHER},
        {"threads", required_argument, NULL, OPTION_THREADS},
        {"of-limit", no_argument, NULL, OPTION_OF_LIMIT},
        {"skew", required_argument, NULL, OPTION_SKEW},
        {"huge", no_argument, NULL, OPTION_HUGE},
        {"rounds", required_argument, NULL, OPTION_ROUNDS},
        {"runs", required_argument, NULL, OPTION_RUNS},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"cpu", required_argument, NULL, OPTION_CPU},
        {"csv", no_argument, NULL, OPTION_CSV},
        {"json", no_argument, NULL, OPTION_JSON},
        {"output", required_argument, NULL, 'o'},
        {"plot", required_argument, NULL, OPTION_PLOT},
        {"sort", no_argument, NULL, OPTION_SORT},
        {"fail", no_argument, NULL, OPTION_FAIL},
        {"fail-below", required_argument, NULL, OPTION_FAIL_BELOW},
        {"help", no_argument, NULL, OPTION_HELP},
        {NULL, 0, NULL, 0},
    };
    const struct fc_command *command = &fc_command_bench;
    bool given[sizeof table / sizeof *table] = {false};
    options->size_files = fc_allocate((size_t)argc, sizeof *options->size_files);
    for (int option, index = -1; (option = getopt_long(argc, argv, "o:", table, &index)) != -1;
         index = -1) {
        if (index >= 0)
            given[index] = true;
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
            options->size_files[options->size_file_count++] = optarg;
            break;
        case OPTION_ORDER:
            options->order = optarg;
            break;
        case OPTION_OTHER:
            options->other = fc_parse_size(command, "--other", optarg);
            break;
        case OPTION_THREADS:
            options->threads = (unsigned)fc_parse_number(command, "--threads", optarg, 1, 4096);
            break;
        case OPTION_OF_LIMIT:
            options->of_limit = true;
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
        case 'o':
            options->output = optarg;
            break;
        case OPTION_PLOT:
            options->plot = optarg;
            break;
        case OPTION_SORT:
            options->sort = true;
            break;
        case OPTION_FAIL:
            options->fail = true;
            break;
        case OPTION_FAIL_BELOW:
            options->fail_below = parse_ratio("--fail-below", optarg);
            break;
        case OPTION_HELP:
            fc_help(command);
        default:
            fc_usage(command);
        }
    }
    const struct fc_bench_mode *mode =
        find_mode(optind < argc ? argv[optind] : fc_bench_modes[0]->name);
    for (size_t i = 0; table[i].name != NULL; i++)
        if (given[i])
            check_taken(mode, table[i].name);
    if (options->size_file_count > 0 && !mode->size_files)
        options->sizes = parse_sizes(options->size_files[options->size_file_count - 1]);
    return mode;
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
    const struct fc_bench_mode *mode = parse(argc, argv, &options);
    options.arguments = argv + optind + 1;
    if (fc_op_is_page(options.op))
        fc_usage_error(&fc_command_bench, "%s: see the mode pages", fc_op_name(options.op));
    int surplus = argc - optind - 1 - (int)mode->arguments;
    if (optind < argc && surplus > 0)
        fc_usage_error(&fc_command_bench, "%s takes no '%s'", mode->name, argv[argc - surplus]);
    if (mode->arguments > 0 && surplus < 0)
        fc_usage_error(&fc_command_bench, "%s takes %u files", mode->name, mode->arguments);
    if (options.plot != NULL)
        fc_plot_check(options.plot);
    pin(&options);
    fc_timer_init();
    catch_interrupt();
    if (options.output != NULL)
        redirect(options.output);
    int status = mode->run(&options);
    fc_output_end(&options);
    free(options.sizes);
    free(options.size_files);
    free(options.cpus);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("fastcopy bench: the output");
        return FC_EXIT_FAILED;
    }
    return status;
}

static void print_modes(void) {
    puts("Modes:");
    for (size_t i = 0; fc_bench_modes[i] != NULL; i++)
        printf("  %-15s  %s%s\n", fc_bench_modes[i]->name, fc_bench_modes[i]->help,
               i == 0 ? " (the default)" : "");
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
        "  --op=OP          memcpy, memmove, mempcpy, memset, memcpy_nt or memset_nt; default\n"
        "                   memcpy (pages races the operations on pages)\n"
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
        "  --sizes=FILE     random: sizes as often as FILE says, in lines `size,count` or in the\n"
        "                   form of Fleetbench's files; may be repeated, then with the mean\n"
        "  --order=FILE     random, sweep: the calls that `fastcopy trace` recorded, in their "
        "order,\n"
        "                   as a whole and by size\n"
        "  --other=SIZE     consumer: of the other buffer; default half of the second cache\n"
        "  --threads=N      threads: up to so many; default one for each CPU\n"
        "  --of-limit       sweep: figures also as shares of what this machine can do (limits)\n"
        "  --skew=N         page offset of the destination relative to the source; default 2048,\n"
        "                   which is far from 4K aliasing\n"
        "  --huge           ask for huge pages; default: small pages\n"
        "  --rounds=N       rounds of each race; default: 31 in sweep, the mode's own elsewhere\n"
        "  --runs=N         repeat everything and show medians over the runs; default 1\n"
        "  --seed=N         of the random order; default: the time\n"
        "  --cpu=N          run on this CPU; default: the one that it starts on\n"
        "\n"
        "Output:\n"
        "  --sort           align: by speedup\n"
        "  --fail           cliffs: exit status 1 if one was found\n"
        "  --fail-below=R   compare: exit status 1 if a ratio is below R, beyond the noise\n"
        "  --plot=FILE      draw it too, by gnuplot, as FILE.svg, .png or .html: sweep, align, "
        "cliffs\n"
        "  -o, --output=FILE\n"
        "                   write there instead of to the terminal\n"
        "  --csv            comma-separated values\n"
        "  --json           JSON, with the machine and the options\n"
        "  --help           this text\n"
        "\n"
        "Ctrl-C ends the measurement and prints what is done.\n",
};
