/* SPDX-License-Identifier: MIT */
#include "info.h"

#include <stdio.h>

#include "command.h"

/* A size, or a dash where it is not known. */
static struct fc_size_text size_or_dash(uint64_t size) {
    return size != 0 ? fc_size_text(size) : (struct fc_size_text){"-"};
}

#if FC_INFO_CPU_FEATURES
#include <fcntl.h>
#include <unistd.h>

/* Everything that it finds; the library does not use it here, because it opens files. */
#ifdef __aarch64__
#include <cpuinfo_aarch64.h>
static void ask_cpu_features(char *text, size_t size) {
    const Aarch64Info cpu = GetAarch64Info();
    size_t length = (size_t)snprintf(text, size, "implementer 0x%02x, part 0x%03x;",
                                     (unsigned)cpu.implementer, (unsigned)cpu.part);
    for (unsigned i = 0; i < AARCH64_LAST_ && length < size; i++)
        if (GetAarch64FeaturesEnumValue(&cpu.features, (Aarch64FeaturesEnum)i))
            length += (size_t)snprintf(text + length, size - length, " %s",
                                       GetAarch64FeaturesEnumName((Aarch64FeaturesEnum)i));
}
#else
#include <cpuinfo_ppc.h>
static void ask_cpu_features(char *text, size_t size) {
    const PPCInfo cpu = GetPPCInfo();
    size_t length = (size_t)snprintf(text, size, "by the bits of AT_HWCAP:");
    for (unsigned i = 0; i < PPC_LAST_ && length < size; i++)
        if (GetPPCFeaturesEnumValue(&cpu.features, (PPCFeaturesEnum)i))
            length += (size_t)snprintf(text + length, size - length, " %s",
                                       GetPPCFeaturesEnumName((PPCFeaturesEnum)i));
}
#endif

/* Debian's build tells on stdout what it does where AT_HWCAP2 is 0. */
static void print_cpu_features(void) {
    char text[1024];
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (out >= 0)
        dup2(nowhere, STDOUT_FILENO);
    ask_cpu_features(text, sizeof text);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(nowhere);
    printf("              cpu_features: %s\n", text);
}
#endif

static void print_cpu(const struct fc_info *info) {
    const struct fc_cpu *cpu = &info->state->cpu;
    printf("CPU           %s\n", cpu->brand[0] != '\0' ? cpu->brand : "(no name)");
    char identity[128];
    fc_cpu_identity(cpu, identity, sizeof identity);
    printf("              %s%s%s\n", fc_uarch_name(cpu->uarch), identity[0] != '\0' ? "; " : "",
           identity);
    printf("Capabilities ");
    for (unsigned bit = 0; bit != FC_CAP_COUNT; bit++)
        if ((cpu->caps >> bit & 1) != 0)
            printf(" %s", fc_cap_name(bit));
    printf("\n              read by %s\n", fc_info_reader(info));
#if FC_INFO_CPU_FEATURES
    print_cpu_features();
#endif
    printf("Page size     %s\n", fc_size_text((uint64_t)info->page_size).text);
}

static void print_caches(const struct fc_info *info) {
    printf("\n%-6s%9s  %-24s%9s %9s %9s  %s\n", "Cache", "CPU", "told by", "sysfs", "sysconf",
           "believed", "from");
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        const struct fc_cache *told = &info->state->cpu.cache[level],
                              *believed = &info->state->policy.cache[level];
        printf("%-6s%9s  %-24s%9s %9s %9s  %s\n", fc_info_levels[level],
               size_or_dash(told->size).text, fc_source_name(told->source),
               size_or_dash(info->sysfs[level]).text, size_or_dash(info->sysconf[level]).text,
               size_or_dash(believed->size).text, fc_source_name(believed->source));
    }
}

static void print_thresholds(const struct fc_info *info) {
    printf("\n%-16s%9s  %-18s %s\n", "Threshold", "bytes", "from", "meaning");
    for (unsigned i = 0; i < FC_THRESHOLD_COUNT; i++) {
        struct fc_info_threshold threshold = fc_info_threshold(info, i);
        printf("%-16s%9s  %-18s %s\n", threshold.name,
               threshold.value != 0 ? fc_size_text(threshold.value).text : "never",
               threshold.source, threshold.text);
    }
}

static void print_family(const struct fc_info *info, unsigned family) {
    const char *separator = "";
    putchar('\n');
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        if (fc_op_family(op) == family) {
            printf("%s%s", separator, fc_op_name(op));
            separator = ", ";
        }
    putchar('\n');
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
        if (fc_kernels[kernel].family != family)
            continue;
        printf("  %c %-14s%-37s %s\n", info->state->automatic[family] == kernel ? '*' : ' ',
               fc_kernels[kernel].name, fc_kernel_summary(kernel),
               fc_info_reason(info, kernel).text);
    }
}

void fc_info_print(const struct fc_info *info) {
    printf("libfastcopy   %s, %s; this command's dispatch: %s\n", fc_info_version, FC_ARCH_NAME,
           fastcopy_dispatch());
    print_cpu(info);
    print_caches(info);
    print_thresholds(info);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
        print_family(info, family);
    if (info->complaint_count > 0)
        printf("\nIgnored in " FC_TUNABLES_ENV ":\n");
    for (size_t i = 0; i < info->complaint_count; i++)
        printf("  %s: %s\n", info->complaints[i].part, info->complaints[i].reason);
}
