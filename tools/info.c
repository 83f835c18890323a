/* SPDX-License-Identifier: MIT */
/* `fastcopy info`: what this machine is, and what the library makes of it. */
#include "info.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)
const char fc_info_version[] = STRING(FASTCOPY_VERSION_MAJOR) "." STRING(
    FASTCOPY_VERSION_MINOR) "." STRING(FASTCOPY_VERSION_PATCH);

const char *const fc_info_levels[FC_CACHE_LEVELS] = {"L1d", "L2", "L3"};

static struct fc_info info;

/* ---- collecting ----------------------------------------------------------------------------- */

/* A file of one cache in sysfs, without its newline; "" if there is none. */
static void read_sysfs(unsigned index, const char *name, char text[32]) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/%s", index, name);
    text[0] = '\0';
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    if (fgets(text, 32, file) != NULL)
        text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

static void collect_sysfs(void) {
    for (unsigned index = 0; index < 16; index++) {
        char level[32], type[32], size[32];
        read_sysfs(index, "level", level);
        read_sysfs(index, "type", type);
        read_sysfs(index, "size", size);
        unsigned long number = strtoul(level, NULL, 10);
        if (number >= 1 && number <= FC_CACHE_LEVELS && strcmp(type, "Instruction") != 0)
            info.sysfs[number - 1] = strtoull(size, NULL, 10) * 1024; /* "48K": always in K */
    }
}

static void collect_sysconf(void) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                _SC_LEVEL3_CACHE_SIZE};
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        long size = sysconf(names[level]);
        info.sysconf[level] = size > 0 ? (uint64_t)size : 0;
    }
#endif
}

static void complain(const char *part, size_t length, const char *reason) {
    struct fc_complaint *grown =
        realloc(info.complaints, (info.complaint_count + 1) * sizeof *info.complaints);
    char *copy = strndup(part, length);
    if (grown == NULL || copy == NULL)
        abort();
    info.complaints = grown;
    info.complaints[info.complaint_count++] = (struct fc_complaint){copy, reason};
}

const struct fc_info *fc_info_collect(void) {
    if (info.state == NULL) {
        info.state = fc_dispatch_state();
        info.page_size = sysconf(_SC_PAGESIZE);
        collect_sysfs();
        collect_sysconf();
        struct fc_tunables ignored;
        fc_tunables_parse(secure_getenv(FC_TUNABLES_ENV), &info.state->cpu, &ignored, complain);
    }
    return &info;
}

/* ---- explaining ----------------------------------------------------------------------------- */

const char *fc_info_reader(const struct fc_info *that) {
    switch (that->state->cpu.reader) {
    case FC_READER_CPU_FEATURES:
        return "cpu_features";
    case FC_READER_OWN:
        return "own reader";
    default:
        return "nobody";
    }
}

struct fc_reason fc_info_reason(const struct fc_info *that, unsigned kernel) {
    const struct fc_state *state = that->state;
    unsigned family = fc_kernels[kernel].family;
    uint64_t missing = fc_kernels[kernel].needs & ~state->cpu.caps;
    struct fc_reason reason = {""};
    if (missing != 0) {
        size_t length = (size_t)snprintf(reason.text, sizeof reason.text, "not usable: no");
        for (unsigned bit = 0; bit != FC_CAP_COUNT; bit++)
            if ((missing >> bit & 1) != 0 && length < sizeof reason.text)
                length += (size_t)snprintf(reason.text + length, sizeof reason.text - length, " %s",
                                           fc_cap_name(bit));
    } else
        snprintf(reason.text, sizeof reason.text, "%s",
                 state->automatic[family] != kernel ? "usable"
                 : state->tunables.forced[family] == (int)kernel
                     ? "selected: forced by " FC_TUNABLES_ENV
                     : "selected: first usable in the policy's order");
    return reason;
}

struct fc_info_threshold fc_info_threshold(const struct fc_info *that, unsigned threshold) {
    static const struct {
        const char *name, *text;
    } names[] = {
#define FC_THRESHOLD(name, text) {#name, text},
#include "thresholds.def"
#undef FC_THRESHOLD
    };
    const uint64_t values[] = {
#define FC_THRESHOLD(name, text) that->state->policy.thresholds.name,
#include "thresholds.def"
#undef FC_THRESHOLD
    };
    return (struct fc_info_threshold){
        .name = names[threshold].name,
        .text = names[threshold].text,
        .source = that->state->tunables.threshold_set[threshold] ? FC_TUNABLES_ENV : "policy",
        .value = values[threshold],
    };
}

/* ---- the command ---------------------------------------------------------------------------- */

static int run(int argc, char **argv) {
    static const struct option table[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const struct fc_command *command = &fc_command_info;
    bool json = false;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;)
        switch (option) {
        case 'j':
            json = true;
            break;
        case 'h':
            fc_help(command);
        default:
            fc_usage(command);
        }
    if (optind < argc)
        fc_usage_error(command, "unexpected argument '%s'", argv[optind]);
    if (!json) {
        fc_info_print(fc_info_collect());
        return FC_EXIT_OK;
    }
#ifdef FC_WITH_JANSSON
    json_t *document = fc_info_json(fc_info_collect());
    json_dumpf(document, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(document);
    return FC_EXIT_OK;
#else
    fc_usage_error(command, "--json: " FC_NO_JSON);
#endif
}

const struct fc_command fc_command_info = {
    .name = "info",
    .run = run,
    .summary = "Shows this machine, the kernels, and why each is or is not used",
    .usage = "[--json]",
    .options = "  --json         the same as JSON\n"
               "  --help         this text\n",
};
