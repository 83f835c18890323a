/* SPDX-License-Identifier: MIT */
#include "info.h"

#include "command.h"

static json_t *size_or_null(uint64_t size) {
    return size != 0 ? json_integer((json_int_t)size) : json_null();
}

static json_t *cpu(const struct fc_info *info) {
    const struct fc_cpu *cpu = &info->state->cpu;
    json_t *capabilities = json_array();
    for (unsigned bit = 0; bit != FC_CAP_COUNT; bit++)
        if ((cpu->caps >> bit & 1) != 0)
            json_array_append_new(capabilities, json_string(fc_cap_name(bit)));
    return json_pack("{ss ss si si si ss ss so}", "brand", cpu->brand, "vendor", cpu->vendor,
                     "family", (int)cpu->family, "model", (int)cpu->model, "stepping",
                     (int)cpu->stepping, "microarchitecture", fc_uarch_name(cpu->uarch), "read_by",
                     fc_info_reader(info), "capabilities", capabilities);
}

static json_t *caches(const struct fc_info *info) {
    json_t *caches = json_object();
    for (unsigned level = 0; level < FC_CACHE_LEVELS; level++) {
        const struct fc_cache *told = &info->state->cpu.cache[level],
                              *believed = &info->state->policy.cache[level];
        json_object_set_new(caches, fc_info_levels[level],
                            json_pack("{so ss so so so ss}", "cpu", size_or_null(told->size),
                                      "cpu_source", fc_source_name(told->source), "sysfs",
                                      size_or_null(info->sysfs[level]), "sysconf",
                                      size_or_null(info->sysconf[level]), "believed",
                                      size_or_null(believed->size), "believed_source",
                                      fc_source_name(believed->source)));
    }
    return caches;
}

static json_t *thresholds(const struct fc_info *info) {
    json_t *thresholds = json_object();
    for (unsigned i = 0; i < FC_THRESHOLD_COUNT; i++) {
        struct fc_info_threshold threshold = fc_info_threshold(info, i);
        json_object_set_new(thresholds, threshold.name,
                            json_pack("{sI ss ss}", "bytes", (json_int_t)threshold.value, "source",
                                      threshold.source, "meaning", threshold.text));
    }
    return thresholds;
}

static json_t *operations(const struct fc_info *info) {
    json_t *operations = json_object();
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        json_t *kernels = json_array();
        for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
            unsigned family = fc_kernels[kernel].family;
            if (family != fc_op_family(op))
                continue;
            bool usable = (fc_kernels[kernel].needs & ~info->state->cpu.caps) == 0;
            json_array_append_new(kernels,
                                  json_pack("{ss sb sb ss ss}", "name", fc_kernels[kernel].name,
                                            "usable", (int)usable, "selected",
                                            (int)(info->state->automatic[family] == kernel), "why",
                                            fc_info_reason(info, kernel).text, "summary",
                                            fc_kernel_summary(kernel)));
        }
        json_object_set_new(operations, fc_op_name(op), kernels);
    }
    return operations;
}

static json_t *complaints(const struct fc_info *info) {
    json_t *complaints = json_array();
    for (size_t i = 0; i < info->complaint_count; i++)
        json_array_append_new(complaints, json_pack("{ss ss}", "part", info->complaints[i].part,
                                                    "reason", info->complaints[i].reason));
    return complaints;
}

json_t *fc_info_json(const struct fc_info *info) {
    return json_pack("{ss ss ss sI so so so so so}", "version", fc_info_version, "architecture",
                     FC_ARCH_NAME, "dispatch", fastcopy_dispatch(), "page_size",
                     (json_int_t)info->page_size, "cpu", cpu(info), "caches", caches(info),
                     "thresholds", thresholds(info), "operations", operations(info),
                     "ignored_tunables", complaints(info));
}
