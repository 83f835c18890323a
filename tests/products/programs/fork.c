/* SPDX-License-Identifier: MIT */
/* Copies in a process, its children and grandchildren. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char a[200000], b[200000];

static int copies_wrong(int seed) {
    for (size_t n = 1; n < sizeof a; n = n * 3 + (size_t)seed) {
        memset(a, seed + (int)n, sizeof a);
        memset(b, 0, sizeof b);
        memcpy(b, a, n);
        if (memcmp(a, b, n) != 0 || b[n] != 0)
            return 1;
    }
    return 0;
}

static int family(int generations) {
    if (copies_wrong(generations + 1))
        return 1;
    if (generations == 0)
        return 0;
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(family(generations - 1));
        int status;
        wrong |= child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    return wrong | copies_wrong(generations + 1);
}

int main(void) {
    return family(2);
}
