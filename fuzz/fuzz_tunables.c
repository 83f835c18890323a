/* SPDX-License-Identifier: MIT */
/* FASTCOPY_TUNABLES of any content: what is taken is usable, and complaints are about its parts. */
#include <stdlib.h>
#include <string.h>

#include "tunables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *text;

static void complain(const char *part, size_t length, const char *reason) {
    if (part < text || part + length > text + strlen(text) || length == 0 || reason[0] == '\0')
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* The first byte decides what the CPU can do. */
    const struct fc_cpu cpu = {.caps = size > 0 ? data[0] * UINT64_C(0x0101010101010101) : 0};
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return 0;
    size_t length = size > 0 ? size - 1 : 0;
    if (length > 0)
        memcpy(copy, data + 1, length);
    copy[length] = '\0';
    text = copy;

    struct fc_tunables tunables;
    fc_tunables_parse(copy, &cpu, &tunables, complain);
    for (unsigned family = 0; family < FC_FAMILY_COUNT; family++) {
        int kernel = tunables.forced[family];
        if (kernel < -1 || kernel >= FC_KERNEL_COUNT ||
            (kernel >= 0 &&
             (fc_kernels[kernel].family != family || (fc_kernels[kernel].needs & ~cpu.caps) != 0)))
            abort();
    }
    for (unsigned i = 0; i < FC_THRESHOLD_COUNT; i++)
        if (tunables.threshold_set[i] && tunables.threshold[i] != 0 &&
            tunables.threshold[i] < FC_THRESHOLD_MIN)
            abort();
    free(copy);
    return 0;
}
