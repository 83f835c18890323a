/* SPDX-License-Identifier: MIT */
/* Loads libfastcopy twice; calls it also after it was closed. Prints the kernel that runs memcpy.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef void *copy_function(void *dst, const void *src, size_t n);
typedef const char *name_function(const char *op);

int main(int argc, char **argv) {
    char from[3000], to[3000];
    if (argc != 2)
        return 2;
    memset(from, 'x', sizeof from);
    copy_function *before = NULL;
    for (int turn = 0; turn < 2; turn++) {
        void *library = dlopen(argv[1], (turn ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        copy_function *copy = (copy_function *)dlsym(library, "fastcopy_memcpy");
        name_function *selected = (name_function *)dlsym(library, "fastcopy_selected");
        if (copy == NULL || selected == NULL || (before != NULL && copy != before))
            return 1;
        if (turn == 0)
            puts(selected("memcpy"));
        dlclose(library);
        before = copy;
        memset(to, 0, sizeof to);
        if (copy(to, from, sizeof to) != to || memcmp(to, from, sizeof to) != 0)
            return 1;
    }
    return 0;
}
