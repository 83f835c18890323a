/* SPDX-License-Identifier: MIT */
/* Threads that copy while others load and unload the libraries that the arguments name. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 300

static void *copy(void *argument) {
    size_t n = 70000;
    char *a = malloc(n), *b = malloc(n);
    long wrong = a == NULL || b == NULL;
    for (int turn = 0; !wrong && turn < TURNS; turn++) {
        size_t part = n * (size_t)turn / TURNS + 1;
        memset(a, turn + *(int *)argument, part);
        memcpy(b, a, part);
        wrong |= memcmp(a, b, part) != 0;
    }
    free(a);
    free(b);
    return (void *)wrong;
}

static void *load(void *name) {
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = dlopen(name, turn % 2 != 0 ? RTLD_LAZY : RTLD_NOW);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return (void *)1L;
        }
        void *entry = dlsym(library, "fastcopy_memcpy");
        dlclose(library);
        /* A library of ours stays where it is. */
        char from[20] = "0123456789abcdefghi", to[20];
        if (entry != NULL) {
            ((void *(*)(void *, const void *, size_t))entry)(to, from, sizeof to);
            if (memcmp(to, from, sizeof to) != 0)
                return (void *)1L;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    enum { COPIERS = 3, MOST = 8 };
    pthread_t threads[MOST];
    int seeds[COPIERS], count = 0;
    for (; count < COPIERS; count++) {
        seeds[count] = count;
        if (pthread_create(&threads[count], NULL, copy, &seeds[count]) != 0)
            return 1;
    }
    for (int i = 1; i < argc && count < MOST; i++, count++)
        if (pthread_create(&threads[count], NULL, load, argv[i]) != 0)
            return 1;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        void *result;
        wrong |= pthread_join(threads[i], &result) != 0 || result != NULL;
    }
    return wrong;
}
