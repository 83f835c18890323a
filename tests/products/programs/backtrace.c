/* SPDX-License-Identifier: MIT */
/* Faults in memcpy, at a size of the argument's, and prints the stack as the handler sees it. */
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handle(int signal) {
    void *frames[32];
    (void)signal;
    backtrace_symbols_fd(frames, backtrace(frames, 32), 1);
    _exit(0);
}

void *the_caller(size_t n);

/* Not a tail call, which would leave no frame. */
__attribute__((noinline)) void *the_caller(size_t n) {
    static char target[1 << 24];
    char *volatile end = memcpy(target, (void *)16, n);
    return end + 1;
}

int main(int argc, char **argv) {
    signal(SIGSEGV, handle);
    return argc != 2 || the_caller((size_t)atol(argv[1])) != NULL;
}
