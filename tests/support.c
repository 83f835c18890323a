/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool support_quick(void) {
    return getenv("FC_TEST_QUICK") != NULL;
}

bool support_emulated(void) {
    return getenv("FC_TEST_EMULATOR") != NULL;
}

/* ---- random numbers: xorshift64* ------------------------------------------------------------ */

static uint64_t seed, random_state;

uint64_t support_random(void) {
    if (seed == 0) {
        const char *given = getenv("FC_TEST_SEED");
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = given != NULL ? strtoull(given, NULL, 0)
                             : (uint64_t)now.tv_nsec << 20 ^ (uint64_t)now.tv_sec;
        seed += seed == 0;
        random_state = seed;
        print_message("seed: FC_TEST_SEED=%" PRIu64 "\n", seed);
    }
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(0x2545F4914F6CDD1D);
}

size_t support_random_below(size_t limit) {
    return (size_t)((support_random() >> 32) * limit >> 32);
}

/* ---- calls and failures --------------------------------------------------------------------- */

static struct {
    const struct subject *subject;
    const unsigned char *dst, *src; /* src is NULL for memset */
    int c;
    size_t n;
    size_t setting;
} current;

/* Also called in the fault handler: no stdio. */
static void describe_current(int fd) {
    if (current.subject == NULL)
        return;
    dprintf(fd, "  call: fastcopy_%s_%s(dst=%p, ", fc_op_name(current.subject->op),
            current.subject->variant->name, (const void *)current.dst);
    if (fc_op_sets(current.subject->op))
        dprintf(fd, "c=%#x, n=%zu), dst %% 4096 = %zu\n", (unsigned)current.c, current.n,
                (size_t)((uintptr_t)current.dst % 4096));
    else
        dprintf(fd,
                "src=%p, n=%zu), dst %% 4096 = %zu, src %% 4096 = %zu, dst - src = %" PRIdPTR "\n",
                (const void *)current.src, current.n, (size_t)((uintptr_t)current.dst % 4096),
                (size_t)((uintptr_t)current.src % 4096),
                (intptr_t)((uintptr_t)current.dst - (uintptr_t)current.src));
    const struct fc_thresholds *thresholds = &support_settings[current.setting];
    dprintf(fd, "  thresholds:");
#define FC_THRESHOLD(name, text) dprintf(fd, " " #name "=%" PRIu64, thresholds->name);
#include "thresholds.def"
#undef FC_THRESHOLD
    dprintf(fd, "\n  seed: %" PRIu64 "\n", seed);
}

void support_fail_at(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    print_error("\n");
    describe_current(2);
    _fail(file, line);
    abort(); /* not reached: _fail does not return */
}

void *support_copy(const struct subject *subject, void *dst, const void *src, size_t n) {
    current.subject = subject;
    current.dst = dst;
    current.src = src;
    current.n = n;
    return ((copy_function *)subject->variant->entry)(dst, src, n);
}

void *support_set(const struct subject *subject, void *dst, int c, size_t n) {
    current.subject = subject;
    current.dst = dst;
    current.c = c;
    current.n = n;
    return ((set_function *)subject->variant->entry)(dst, c, n);
}

void support_page(const struct subject *subject, void *dst, const void *src) {
    current.subject = subject;
    current.dst = dst;
    current.src = src;
    current.n = FASTCOPY_PAGE_SIZE;
    if (fc_op_copies_page(subject->op))
        ((page_copy_function *)subject->variant->entry)(dst, src);
    else
        ((page_clear_function *)subject->variant->entry)(dst);
}

/* A kernel that touches a guard page. Nothing can be resumed after that, so the program ends here.
 */
static void report_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    dprintf(2, "signal %d at address %p in\n", signal, info->si_addr);
    describe_current(2);
    _exit(1);
}

static void report_faults(void) {
    struct sigaction action = {.sa_sigaction = report_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static struct subject subjects[SUPPORT_MAX_SUBJECTS];
static char names[SUPPORT_MAX_SUBJECTS][32];

static unsigned find_kernel(unsigned family, const char *name) {
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
        if (fc_kernels[kernel].family == family && strcmp(fc_kernels[kernel].name, name) == 0)
            return kernel;
    return FC_KERNEL_COUNT;
}

static size_t list_tests(struct CMUnitTest *tests, CMUnitTestFunction function, bool pages) {
    size_t used = 0;
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        if ((fc_op_is_page(op) != 0) != pages || fc_op_tries(op) != 0)
            continue;
        size_t count;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        for (size_t i = 0; i < count; i++) {
            size_t place = 0;
            while (place < used && (subjects[place].variant->entry != variants[i].entry ||
                                    fc_op_family(subjects[place].op) != fc_op_family(op)))
                place++;
            subjects[place] =
                (struct subject){op, find_kernel(fc_op_family(op), variants[i].name), &variants[i]};
            snprintf(names[place], sizeof names[place], "%s_%s", fc_op_name(op), variants[i].name);
            tests[place] =
                (struct CMUnitTest){names[place], function, NULL, NULL, &subjects[place]};
            used += place == used;
        }
    }
    return used;
}

size_t support_kernel_tests(struct CMUnitTest *tests, CMUnitTestFunction function) {
    return list_tests(tests, function, false);
}

size_t support_page_tests(struct CMUnitTest *tests, CMUnitTestFunction function) {
    return list_tests(tests, function, true);
}

const struct subject *support_subject(void **state) {
    const struct subject *subject = *state;
    if (!subject->variant->usable) {
        print_message("skipped: this CPU lacks one of: %s\n", subject->variant->needs);
        skip();
    }
    current.subject = NULL;
    report_faults();
    return subject;
}

struct subject support_offender(unsigned op, const char *name, fastcopy_function *entry) {
    static fastcopy_variant variant;
    variant =
        (fastcopy_variant){.name = name, .needs = "", .summary = "", .entry = entry, .usable = 1};
    return (struct subject){op, FC_KERNEL_COUNT, &variant};
}

/* ---- threshold settings --------------------------------------------------------------------- */

const struct fc_thresholds support_settings[] = {
    [SUPPORT_NEVER] = {.rep_movsb_min = 0},
    [SUPPORT_STREAMING] = {.nt_threshold = 256},
    {.rep_movsb_min = 256,
     .rep_movsb_max = 1 << 20,
     .rep_stosb_min = 256,
     .rep_stosb_max = 1 << 20},
    {.rep_movsb_min = 512,
     .rep_movsb_max = 2048,
     .nt_threshold = 4096,
     .rep_stosb_min = 512,
     .rep_stosb_max = 2048},
    /* Contradictory, as the tunables may make it. */
    {.rep_movsb_min = 4096,
     .rep_movsb_max = 1024,
     .nt_threshold = 256,
     .rep_stosb_min = 4096,
     .rep_stosb_max = 1024},
};
const size_t support_settings_count = COUNT(support_settings);

void support_set_thresholds(size_t setting) {
    current.setting = setting;
    fc_dispatch_thresholds(&support_settings[setting]);
}

/* ---- buffers -------------------------------------------------------------------------------- */

void arena_create(struct arena *arena, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size = (size + page - 1) / page * page;
    unsigned char *map =
        mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    arena->data = map + page;
    arena->size = size;
    assert_int_equal(mprotect(arena->data, size, PROT_READ | PROT_WRITE), 0);
    arena->pristine = malloc(size);
    assert_non_null(arena->pristine);
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t value = support_random();
        memcpy(arena->pristine + i, &value, sizeof value);
    }
    arena_reset(arena);
}

void arena_reset(struct arena *arena) {
    memcpy(arena->data, arena->pristine, arena->size);
}

/* ---- this program again --------------------------------------------------------------------- */

#define MAX_WORDS 32

/* Replaces this process; the emulator, if there is one, comes first. */
static void execute(const struct child *child) {
    static char emulator[1024], self[4096];
    char *words[MAX_WORDS + 3];
    size_t count = 0;
    const char *given = getenv("FC_TEST_EMULATOR");
    if (given != NULL) {
        snprintf(emulator, sizeof emulator, "%s", given);
        for (char *word = strtok(emulator, " "); word != NULL && count < MAX_WORDS;
             word = strtok(NULL, " "))
            words[count++] = word;
    }
    if (child->program == NULL) {
        ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        if (length < 0)
            _exit(125);
    } else {
        snprintf(self, sizeof self, "%s", child->program);
    }
    words[count++] = self;
    words[count++] = (char *)(uintptr_t)child->argument;
    words[count] = NULL;
    unsetenv(FC_TUNABLES_ENV);
    if (child->variable != NULL)
        putenv((char *)(uintptr_t)child->variable);
    execvp(words[0], words);
    _exit(126);
}

void support_run(const struct child *child, struct outcome *outcome) {
    char *texts[] = {outcome->out, outcome->err, outcome->report};
    const size_t sizes[] = {sizeof outcome->out, sizeof outcome->err, sizeof outcome->report};
    size_t lengths[3] = {0};
    int pipes[3][2];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pipe(pipes[i]), 0);

    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        /* First out of the way of 1 to 3, then into place. */
        int high[3];
        for (int i = 0; i < 3; i++)
            high[i] = fcntl(pipes[i][1], F_DUPFD_CLOEXEC, 100);
        dup2(high[0], 1);
        dup2(high[1], 2);
        dup2(high[2], SUPPORT_REPORT_FD);
        execute(child);
    }

    struct pollfd polls[3];
    int open = 3;
    for (int i = 0; i < 3; i++) {
        close(pipes[i][1]);
        polls[i] = (struct pollfd){.fd = pipes[i][0], .events = POLLIN};
    }
    while (open > 0) {
        poll(polls, 3, -1);
        for (int i = 0; i < 3; i++) {
            if (polls[i].fd < 0 || polls[i].revents == 0)
                continue;
            /* One byte stays for the terminator; more than fits fails the test below. */
            ssize_t got = read(polls[i].fd, texts[i] + lengths[i], sizes[i] - lengths[i] - 1);
            if (got > 0) {
                lengths[i] += (size_t)got;
            } else {
                close(polls[i].fd);
                polls[i].fd = -1;
                open--;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        texts[i][lengths[i]] = '\0';
        assert_true(lengths[i] < sizes[i] - 1);
    }
    assert_int_equal(waitpid(pid, &outcome->status, 0), pid);
}
