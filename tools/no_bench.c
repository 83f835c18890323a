/* SPDX-License-Identifier: MIT */
/* `fastcopy bench` in a build without it. */
#include "command.h"

#include <string.h>

static int bench(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        fc_help(&fc_command_bench);
    fc_usage_error(&fc_command_bench, "this build is without it (FASTCOPY_BUILD_BENCH=OFF)");
}

const struct fc_command fc_command_bench = {
    .name = "bench",
    .run = bench,
    .summary = "Not in this build",
    .usage = "[--help]",
    .options = "Built with FASTCOPY_BUILD_BENCH=ON it measures the kernels.\n",
};
