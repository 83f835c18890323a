/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include "memory.h"

enum { PAGE = 4096 };

struct fc_buffers fc_buffers_map(const struct fc_bench_options *options, uint64_t size) {
    /* A page more than the size takes is room for offsets within a page. */
    uint64_t half = size <= SIZE_MAX / 4 ? (size / PAGE + 2) * PAGE : 0;
    struct fc_buffers buffers = {.size = (size_t)(2 * half + PAGE)};
    buffers.memory = half > 0 ? fc_memory_map(buffers.size, options->huge) : NULL;
    if (buffers.memory == NULL)
        fc_usage_error(&fc_command_bench, "two buffers of %s do not fit into memory",
                       fc_size_text(size).text);
    buffers.src = buffers.memory;
    buffers.dst = buffers.src + half + options->skew;
    return buffers;
}

void fc_buffers_unmap(struct fc_buffers *buffers) {
    fc_memory_unmap(buffers->memory, buffers->size);
}
