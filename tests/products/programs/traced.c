/* SPDX-License-Identifier: MIT */
/*
 * Makes calls that are known, for the recorder. `traced sequence` prints them as trace.py does, but
 * for the caller. What libc does inside itself, as printf does, is not recorded.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not builtins, and not known to the compiler. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile copy_end)(void *, const void *, size_t) = mempcpy;
static void *(*volatile set)(void *, int, size_t) = memset;
static void (*volatile old_move)(const void *, void *, size_t) = bcopy;
static void (*volatile clear)(void *, size_t) = bzero;

enum { ROOM = 100000 };
static char a[2 * ROOM], b[2 * ROOM];

static int sequence(void) {
    struct expected {
        const char *op;
        size_t size;
        char *dst, *src;
    } list[250];
    size_t count = 0;
    for (size_t i = 0; i < 40; i++) {
        size_t size = i * i * i;
        char *dst = a + 3 * i, *src = i % 3 == 0 ? a + i : b + i * i;
        copy(dst, src, size);
        list[count++] = (struct expected){"memcpy", size, dst, src};
        move(dst + 1, dst, size);
        list[count++] = (struct expected){"memmove", size, dst + 1, dst};
        move(dst, dst + 5000, size);
        list[count++] = (struct expected){"memmove", size, dst, dst + 5000};
        copy_end(dst, src, size);
        list[count++] = (struct expected){"mempcpy", size, dst, src};
        set(dst, -1, size);
        list[count++] = (struct expected){"memset", size, dst, NULL};
    }
    old_move(a, b, 77);
    list[count++] = (struct expected){"memmove", 77, b, a};
    clear(b, 78);
    list[count++] = (struct expected){"memset", 78, b, NULL};
    for (size_t i = 0; i < count; i++) {
        struct expected *e = &list[i];
        printf("%s %zu %d %d %td 0\n", e->op, e->size, (int)((uintptr_t)e->dst % 4096),
               (int)((uintptr_t)e->src % 4096), e->src != NULL ? e->dst - e->src : 0);
    }
    return 0;
}

enum { THREADS = 4, CALLS = 1000000 };
static pthread_barrier_t barrier;

/* The destination's address tells which thread it is, the size which of its calls. */
static void *thread(void *own) {
    pthread_barrier_wait(&barrier);
    for (size_t i = 0; i < CALLS; i++)
        copy(own, b, i % 1000);
    return NULL;
}

static int threads(void) {
    static char places[THREADS * 4096] __attribute__((aligned(4096)));
    pthread_t list[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&list[i], NULL, thread, places + 4096 * i + 64 * i) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(list[i], NULL);
    return 0;
}

static void ten(size_t first) {
    for (size_t i = 0; i < 10; i++)
        copy(a, b, first + i);
}

/* A process, its child, the program that the child becomes, and the process again. */
static int family(char *self) {
    ten(10);
    pid_t child = fork();
    if (child == 0) {
        ten(20);
        execl(self, self, "grown", (char *)NULL);
        _exit(1);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return 1;
    ten(40);
    return 0;
}

static void *twenty(void *unused) {
    ten(20);
    return unused;
}

/* A child whose second thread makes a call before its first one does, and a child of that one. */
static int family_of_threads(void) {
    ten(10);
    pid_t child = fork();
    if (child == 0) {
        pthread_t other;
        if (pthread_create(&other, NULL, twenty, NULL) != 0 || pthread_join(other, NULL) != 0)
            _exit(1);
        ten(30);
        child = fork();
        if (child == 0) {
            ten(40);
            _exit(0);
        }
        int status;
        _exit(child < 0 || waitpid(child, &status, 0) != child || status != 0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return 1;
    ten(50);
    return 0;
}

/* Someone else writes a larger capacity into the file, while it is mapped here. */
static int overstate(void) {
    const uint64_t much = UINT64_C(1) << 40;
    int file = open(getenv("FASTCOPY_TRACE"), O_WRONLY);
    if (file < 0 || pwrite(file, &much, sizeof much, 32) != sizeof much)
        return 1;
    close(file);
    for (int i = 0; i < 100; i++)
        ten(60);
    return 0;
}

static volatile size_t handled;

static void handle(int signal) {
    (void)signal;
    copy(b, b + 10000, 7);
    handled++;
}

static void *interrupt(void *main_thread) {
    while (handled < 2000)
        pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
    return NULL;
}

/* Prints how many calls it made, and how many its signal handler did. */
static int signals(void) {
    signal(SIGUSR1, handle);
    pthread_t self = pthread_self(), other;
    if (pthread_create(&other, NULL, interrupt, &self) != 0)
        return 1;
    size_t made = 0;
    for (; handled < 2000; made++)
        copy(a, a + 10000, 9);
    pthread_join(other, NULL);
    printf("%zu %zu\n", made, (size_t)handled);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "sequence") == 0)
        return sequence();
    if (strcmp(what, "threads") == 0)
        return threads();
    if (strcmp(what, "family") == 0)
        return family(argv[0]);
    if (strcmp(what, "family_of_threads") == 0)
        return family_of_threads();
    if (strcmp(what, "overstate") == 0)
        return overstate();
    if (strcmp(what, "signals") == 0)
        return signals();
    if (strcmp(what, "grown") == 0)
        ten(30);
    if (strcmp(what, "kill") == 0) {
        ten(50);
        kill(getpid(), SIGKILL);
    }
    return 0;
}
