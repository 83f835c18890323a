/* SPDX-License-Identifier: MIT */
#include "preload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fc_set_environment(const struct fc_command *command, const char *name, const char *value) {
    if (setenv(name, value, 1) != 0) {
        fprintf(stderr, "fastcopy %s: %s\n", command->name, strerror(errno));
        exit(FC_EXIT_FAILED);
    }
}

void fc_set_preload(const struct fc_command *command, const char *file, const char *override) {
    char path[PATH_MAX];
    const char *library = getenv(override);
    if (library == NULL) {
        if (!fc_find_file(file, path)) {
            fprintf(stderr, "fastcopy %s: %s is not where it was installed; set %s to its path\n",
                    command->name, file, override);
            exit(FC_EXIT_FAILED);
        }
        library = path;
    }
    if (strpbrk(library, ": ") != NULL) {
        fprintf(stderr, "fastcopy %s: %s: LD_PRELOAD cannot hold a path with a blank or a colon\n",
                command->name, library);
        exit(FC_EXIT_FAILED);
    }
    /* Ours goes first: of two libraries that define memcpy, the first is used. */
    const char *others = getenv("LD_PRELOAD");
    char *list;
    if (others == NULL || others[0] == '\0')
        fc_set_environment(command, "LD_PRELOAD", library);
    else if (asprintf(&list, "%s:%s", library, others) > 0)
        fc_set_environment(command, "LD_PRELOAD", list);
    else
        exit(FC_EXIT_FAILED);
}

int fc_execute(const struct fc_command *command, char **program) {
    execvp(program[0], program);
    int error = errno;
    fprintf(stderr, "fastcopy %s: %s: %s\n", command->name, program[0], strerror(error));
    return error == ENOENT ? 127 : 126; /* as the shell and env have it */
}
