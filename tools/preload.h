/* SPDX-License-Identifier: MIT */
/* Programs with a preload library: what `fastcopy run` and `fastcopy trace` share. */
#ifndef FC_PRELOAD_H
#define FC_PRELOAD_H

#include "command.h"

/* setenv that ends the program where there is no memory. */
void fc_set_environment(const struct fc_command *command, const char *name, const char *value);

/*
 * Puts one of our libraries into LD_PRELOAD: the one that the environment variable override names,
 * else the file of this name. Ends the program where that cannot be.
 */
void fc_set_preload(const struct fc_command *command, const char *file, const char *override);

/* Becomes the program; returns the exit status for where that fails. */
int fc_execute(const struct fc_command *command, char **program);

#endif
