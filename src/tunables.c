/* SPDX-License-Identifier: MIT */
#include "tunables.h"

#include <limits.h>

struct span {
    const char *text;
    size_t length;
};

/* name is terminated, or an array that its last character fills. */
static bool equals(struct span span, const char *name) {
    for (size_t i = 0; i < span.length; i++)
        if (name[i] == '\0' || name[i] != span.text[i])
            return false;
    return name[span.length] == '\0';
}

static struct span until(const char *text, size_t length, char stop) {
    struct span span = {text, 0};
    while (span.length < length && text[span.length] != stop)
        span.length++;
    return span;
}

/* Digits with an optional K, M or G; false if it is anything else or does not fit. */
static bool parse_size(struct span span, uint64_t *size) {
    unsigned shift = 0;
    if (span.length > 0) {
        char unit = span.text[span.length - 1];
        if (unit == 'K' || unit == 'k')
            shift = 10;
        else if (unit == 'M' || unit == 'm')
            shift = 20;
        else if (unit == 'G' || unit == 'g')
            shift = 30;
        if (shift != 0)
            span.length--;
    }
    if (span.length == 0)
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < span.length; i++) {
        unsigned digit = (unsigned)(unsigned char)span.text[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value > UINT64_MAX >> shift)
        return false;
    *size = value << shift;
    return true;
}

/* The operation with this name, or FC_OP_COUNT. */
static unsigned find_op(struct span key) {
#define FC_OP(op, family)                                                                          \
    if (equals(key, #op))                                                                          \
        return FC_OP_##op;
#include "ops.def"
#undef FC_OP
    return FC_OP_COUNT;
}

static unsigned find_threshold(struct span key) {
#define FC_THRESHOLD(name, text)                                                                   \
    if (equals(key, #name))                                                                        \
        return FC_THRESHOLD_##name;
#include "thresholds.def"
#undef FC_THRESHOLD
    return FC_THRESHOLD_COUNT;
}

static int find_kernel(unsigned family, struct span name) {
    for (int kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
        if (fc_kernels[kernel].family == family && equals(name, fc_kernels[kernel].name))
            return kernel;
    return -1;
}

static const char *take_switch(struct span value, bool *on) {
    if (value.length != 1 || (value.text[0] != '0' && value.text[0] != '1'))
        return "takes 0 or 1";
    *on = value.text[0] == '1';
    return NULL;
}

/* Takes one key=value; returns why it was ignored, or NULL. */
static const char *take(struct span key, struct span value, const struct fc_cpu *cpu,
                        struct fc_tunables *tunables) {
    if (equals(key, "verbose"))
        return take_switch(value, &tunables->verbose);
    if (equals(key, "cached_memory")) {
#ifndef FC_TUNABLE_CACHED_MEMORY
        return "means nothing on this architecture";
#else
        return take_switch(value, &tunables->cached_memory);
#endif
    }
    unsigned op = find_op(key);
    if (op != FC_OP_COUNT) {
        unsigned family = fc_op_family(op);
        int kernel = find_kernel(family, value);
        if (kernel < 0)
            return "no such kernel";
        if ((fc_kernels[kernel].needs & ~cpu->caps) != 0)
            return "this CPU cannot run that kernel";
        tunables->forced[family] = kernel;
        return NULL;
    }
    unsigned threshold = find_threshold(key);
    if (threshold != FC_THRESHOLD_COUNT) {
        uint64_t size;
        if (!parse_size(value, &size))
            return "not a size";
        if (size != 0 && size < FC_THRESHOLD_MIN)
            return "thresholds are 0 (never) or at least 256";
        tunables->threshold_set[threshold] = true;
        tunables->threshold[threshold] = size;
        return NULL;
    }
    return "unknown key";
}

void fc_tunables_parse(const char *text, const struct fc_cpu *cpu, struct fc_tunables *tunables,
                       fc_tunables_complaint *complain) {
    for (unsigned i = 0; i < FC_FAMILY_COUNT; i++)
        tunables->forced[i] = -1;
    for (unsigned i = 0; i < FC_THRESHOLD_COUNT; i++)
        tunables->threshold_set[i] = false;
    tunables->verbose = tunables->cached_memory = false;
    if (text == NULL)
        return;

    for (;;) {
        size_t length = 0;
        while (text[length] != '\0' && text[length] != ':')
            length++;
        if (length > 0) {
            struct span key = until(text, length, '=');
            const char *reason = "not of the form key=value";
            if (key.length < length) {
                struct span value = {text + key.length + 1, length - key.length - 1};
                reason = take(key, value, cpu, tunables);
            }
            if (reason != NULL && complain != NULL)
                complain(text, length, reason);
        }
        if (text[length] == '\0')
            return;
        text += length + 1;
    }
}

void fc_tunables_apply(const struct fc_tunables *tunables, struct fc_thresholds *thresholds) {
#define FC_THRESHOLD(name, text)                                                                   \
    if (tunables->threshold_set[FC_THRESHOLD_##name])                                              \
        thresholds->name = tunables->threshold[FC_THRESHOLD_##name];
#include "thresholds.def"
#undef FC_THRESHOLD
}
