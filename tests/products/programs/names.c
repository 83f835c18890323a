/* SPDX-License-Identifier: MIT */
/* Prints where each name that the preload library replaces is found: name, file. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    static const char *const names[] = {
        "memcpy", "memmove", "mempcpy",      "__mempcpy",     "memset",        "bcopy",
        "bzero",  "__bzero", "__memcpy_chk", "__memmove_chk", "__mempcpy_chk", "__memset_chk",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *address = dlsym(RTLD_DEFAULT, names[i]);
        Dl_info info;
        if (address == NULL || dladdr(address, &info) == 0)
            return 1;
        printf("%s %s\n", names[i], info.dli_fname);
    }
    return 0;
}
