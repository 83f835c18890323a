/* SPDX-License-Identifier: MIT */
/*
 * Which kernel runs: before anything was initialised, automatically, by fastcopy_select(), by
 * FASTCOPY_TUNABLES. The pointer form; the IFUNC form is tested on the shared library.
 *
 * With an argument this program is its own child: see report().
 */
#include "support.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- before any constructor ----------------------------------------------------------------- */

#define EARLY_SIZE 5000 /* memcpy_nt streams from 4096 on */
#define EARLY_ERRNO 4242

/* Written by run_early, so that the tests can ask about it later. */
static struct {
    bool ran, slots_empty, thresholds_empty, no_words;
    const char *failed;
    int errno_in_main;
} early;

static unsigned char early_src[EARLY_SIZE], early_dst[EARLY_SIZE];

static bool early_copied(copy_function *copy, size_t returned) {
    for (size_t n = 0; n <= EARLY_SIZE; n = 2 * n + 1) {
        for (size_t i = 0; i < EARLY_SIZE; i++) {
            early_src[i] = (unsigned char)(i * 7 + n);
            early_dst[i] = (unsigned char)~early_src[i];
        }
        if (copy(early_dst, early_src, n) != early_dst + returned * n)
            return false;
        for (size_t i = 0; i < EARLY_SIZE; i++)
            if ((early_dst[i] == early_src[i]) != (i < n))
                return false;
    }
    return true;
}

static bool early_set(set_function *set) {
    for (size_t n = 0; n <= EARLY_SIZE; n = 2 * n + 1) {
        for (size_t i = 0; i < EARLY_SIZE; i++)
            early_dst[i] = 1;
        if (set(early_dst, 0x1ab, n) != early_dst)
            return false;
        for (size_t i = 0; i < EARLY_SIZE; i++)
            if (early_dst[i] != (i < n ? 0xab : 1))
                return false;
    }
    return true;
}

static bool early_page(unsigned op, fastcopy_function *entry) {
    static _Alignas(FASTCOPY_PAGE_SIZE) unsigned char pages[2][FASTCOPY_PAGE_SIZE];
    for (size_t i = 0; i < FASTCOPY_PAGE_SIZE; i++) {
        pages[0][i] = 1;
        pages[1][i] = fc_op_copies_page(op) ? (unsigned char)(i * 7) : 0;
    }
    if (fc_op_copies_page(op))
        ((page_copy_function *)entry)(pages[0], pages[1]);
    else
        ((page_clear_function *)entry)(pages[0]);
    for (size_t i = 0; i < FASTCOPY_PAGE_SIZE; i++)
        if (pages[0][i] != pages[1][i])
            return false;
    return true;
}

static bool early_tried(unsigned op, fastcopy_function *entry) {
    static unsigned char dst[100], src[100];
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (unsigned char)(i * 7 + 1), dst[i] = 0;
    size_t left = fc_op_sets(op) ? ((try_set_function *)entry)(dst, 5, sizeof dst)
                                 : ((try_copy_function *)entry)(dst, src, sizeof dst);
    /* Refused, as by emulators: nothing is done. */
    if (left == sizeof dst && errno == ENOSYS)
        return dst[0] == 0 && dst[sizeof dst - 1] == 0;
    for (size_t i = 0; i < sizeof dst; i++)
        if (dst[i] != (fc_op_sets(op) ? 5 : src[i]))
            return false;
    return left == 0;
}

static bool early_works(unsigned op, fastcopy_function *entry) {
    if (fc_op_tries(op))
        return early_tried(op, entry);
    if (fc_op_is_page(op))
        return early_page(op, entry);
    if (fc_op_sets(op))
        return early_set((set_function *)entry);
    return early_copied((copy_function *)entry, op == FC_OP_mempcpy);
}

static void run_early(void) {
    early.ran = true;
    early.slots_empty = early.thresholds_empty = true;
    early.no_words = fc_words_span == 0;
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        early.slots_empty &= fc_slots[op] == NULL;
#define FC_THRESHOLD(name, text) early.thresholds_empty &= fc_##name == 0;
#include "thresholds.def"
#undef FC_THRESHOLD

        /* The entries, on zero slots. */
#define FC_OP(op, family)                                                                          \
    if (!early_works(FC_OP_##op, (fastcopy_function *)fastcopy_##op))                              \
        early.failed = "fastcopy_" #op;
#include "ops.def"
#undef FC_OP

    /* And kernels by name: those that need nothing, since nobody knows this CPU yet. */
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
        for (unsigned op = 0; op < FC_OP_COUNT; op++)
            if (fc_kernels[kernel].needs == 0 && fc_op_family(op) == fc_kernels[kernel].family &&
                !early_works(op, fc_kernel_entry(kernel, op)))
                early.failed = fc_kernels[kernel].name;

    errno = EARLY_ERRNO;
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = run_early;

static void test_before_constructors(void **state) {
    (void)state;
    assert_true(early.ran);
    assert_true(early.slots_empty);
    assert_true(early.thresholds_empty);
    assert_true(early.no_words); /* nobody has chosen a kernel that does the same */
    if (early.failed != NULL)
        fail_msg("%s failed before constructors", early.failed);
}

/* The library's constructor ran between run_early and main. */
static void test_errno_untouched_by_startup(void **state) {
    (void)state;
    assert_int_equal(early.errno_in_main, EARLY_ERRNO);
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        assert_true((fc_slots[op] == NULL) ==
                    (fc_op_tries(op) != 0)); /* those wait for their handler */
}

/* ---- listing -------------------------------------------------------------------------------- */

static void test_variants(void **state) {
    (void)state;
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        size_t count = 0, expected = 0, selected = 0;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        assert_non_null(variants);
        for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++)
            expected += fc_kernels[kernel].family == fc_op_family(op);
        assert_int_equal(count, expected);
        for (size_t i = 0; i < count; i++) {
            assert_non_null((void *)(uintptr_t)variants[i].entry);
            assert_true(strlen(variants[i].name) > 0);
            assert_true(strlen(variants[i].summary) > 0);
            if (variants[i].needs[0] == '\0')
                assert_true(variants[i].usable);
            if (variants[i].selected) {
                selected++;
                assert_true(variants[i].usable);
                assert_string_equal(variants[i].name, fastcopy_selected(fc_op_name(op)));
            }
        }
        assert_int_equal(selected, 1);
        assert_ptr_equal(fastcopy_variants(fc_op_name(op), NULL), variants);
    }
}

static void test_unknown_operation(void **state) {
    (void)state;
    static const char *const names[] = {"", "memcp", "memcpyx", "MEMCPY", "strcpy"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t count = 99;
        errno = 0;
        assert_null(fastcopy_variants(names[i], &count));
        assert_int_equal(errno, EINVAL);
        assert_int_equal(count, 0);
        errno = 0;
        assert_null(fastcopy_selected(names[i]));
        assert_int_equal(errno, EINVAL);
        errno = 0;
        assert_int_equal(fastcopy_select(names[i], NULL), -1);
        assert_int_equal(errno, EINVAL);
    }
}

/* ---- selecting ------------------------------------------------------------------------------ */

static int back_to_automatic(void **state) {
    (void)state;
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        fastcopy_select(fc_op_name(op), NULL);
    return 0;
}

/* The variant of src/generic. */
static const char *portable(unsigned op) {
    return fc_op_tries(op) ? "syscall" : "generic";
}

static bool is_in_list(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

/* A kernel that faults does not run before its faults are handled. */
static void test_select_waits_for_the_handler(void **state) {
    (void)state;
    size_t count;
    const fastcopy_variant *variants = fastcopy_variants("try_memcpy", &count);
    const char *last = NULL;
    for (size_t i = 0; i < count; i++)
        if (variants[i].usable)
            last = variants[i].name;
    assert_int_equal(fastcopy_select("try_memcpy", last), 0);
    assert_string_equal(fastcopy_selected("try_memcpy"), "syscall");
    assert_int_equal(fastcopy_fault_install(), 0);
    assert_string_equal(fastcopy_selected("try_memcpy"), last);
}

static void test_select_moves_the_family(void **state) {
    (void)state;
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        size_t count;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        for (size_t i = 0; i < count; i++) {
            if (!variants[i].usable)
                continue;
            char before[FC_OP_COUNT][16];
            for (unsigned other = 0; other < FC_OP_COUNT; other++)
                snprintf(before[other], sizeof before[other], "%s",
                         fastcopy_selected(fc_op_name(other)));
            errno = 0;
            assert_int_equal(fastcopy_select(fc_op_name(op), variants[i].name), 0);
            assert_int_equal(errno, 0);
            for (unsigned other = 0; other < FC_OP_COUNT; other++) {
                bool moves = fc_op_family(other) == fc_op_family(op);
                assert_string_equal(fastcopy_selected(fc_op_name(other)),
                                    moves ? variants[i].name : before[other]);
            }
            /* What is said to run is what the slot holds. */
            assert_ptr_equal((void *)(uintptr_t)fc_slots[op], (void *)(uintptr_t)variants[i].entry);
            fastcopy_variants(fc_op_name(op), NULL);
            assert_true(variants[i].selected);
        }
    }
}

/* Small copies, which an entry may do itself: right with every kernel, at any overlap. */
static void test_entries_copy_small(void **state) {
    (void)state;
    enum { ROOM = 48, MOST = 40 };
    static copy_function *const entries[] = {fastcopy_memcpy, fastcopy_memmove, fastcopy_mempcpy};
    size_t count;
    const fastcopy_variant *variants = fastcopy_variants("memmove", &count);
    for (size_t i = 0; i < count; i++) {
        if (!variants[i].usable)
            continue;
        fastcopy_select("memmove", variants[i].name);
        for (size_t call = 0; call < COUNT(entries) * (MOST + 1) * (2 * ROOM + 1); call++) {
            copy_function *entry = entries[call % COUNT(entries)];
            size_t n = call / COUNT(entries) % (MOST + 1);
            ptrdiff_t distance = (ptrdiff_t)(call / COUNT(entries) / (MOST + 1)) - ROOM;
            unsigned char buffer[2 * ROOM + MOST], expected[sizeof buffer];
            for (size_t k = 0; k < sizeof buffer; k++)
                buffer[k] = expected[k] = (unsigned char)(k + 1);
            for (size_t k = 0; k < n; k++)
                expected[ROOM + distance + (ptrdiff_t)k] = (unsigned char)(ROOM + k + 1);
            unsigned char *dst = buffer + ROOM + distance;
            assert_ptr_equal(entry(dst, buffer + ROOM, n),
                             entry == fastcopy_mempcpy ? dst + n : dst);
            assert_memory_equal(buffer, expected, sizeof buffer);
        }
    }
}

/* Only in place of kernels that do the same: one that was chosen for small copies must get them. */
static void test_entries_copy_small_for_some(void **state) {
    (void)state;
    assert_int_equal(fastcopy_select("memmove", "generic"), 0);
    assert_int_equal(fc_words_span, 0);
#ifdef __x86_64__
    assert_int_equal(fastcopy_select("memmove", "sse2"), 0);
    assert_int_equal(fc_words_span, 24);
    assert_int_equal(fastcopy_select("memmove", "erms"), 0);
    assert_int_equal(fc_words_span, 0);
    if (fastcopy_select("memmove", "avx512_masked") == 0) /* where the CPU can run it */
        assert_int_equal(fc_words_span, 0);
#endif
}

static void test_null_returns_to_automatic(void **state) {
    (void)state;
    static const char *const memmoves[] = {"memcpy", "memmove", "mempcpy"};
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        const char *automatic = fastcopy_selected(fc_op_name(op));
        assert_int_equal(fastcopy_select(fc_op_name(op), portable(op)), 0);
        assert_string_equal(fastcopy_selected(fc_op_name(op)), portable(op));
        assert_int_equal(fastcopy_select(fc_op_name(op), NULL), 0);
        assert_string_equal(fastcopy_selected(fc_op_name(op)), automatic);
        assert_int_equal(fc_op_family(op) == FC_FAMILY_memmove,
                         is_in_list(fc_op_name(op), memmoves, COUNT(memmoves)));
    }
}

static void assert_refused(const char *op, const char *name, int error) {
    fastcopy_function *before[FC_OP_COUNT];
    for (unsigned i = 0; i < FC_OP_COUNT; i++)
        before[i] = fc_slots[i];
    errno = 0;
    assert_int_equal(fastcopy_select(op, name), -1);
    assert_int_equal(errno, error);
    for (unsigned i = 0; i < FC_OP_COUNT; i++)
        assert_true(fc_slots[i] == before[i]);
}

static void test_select_refuses(void **state) {
    (void)state;
    /* Not the automatic choice, so that "changed nothing" differs from "reset". */
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        assert_int_equal(fastcopy_select(fc_op_name(op), portable(op)), 0);
    assert_refused("memcp", "generic", EINVAL);
    assert_refused("memcp", "no-such-kernel", EINVAL);
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        assert_refused(fc_op_name(op), "no-such-kernel", ENOENT);
        assert_refused(fc_op_name(op), "", ENOENT);
        assert_refused(fc_op_name(op), "generi", ENOENT);
        assert_refused(fc_op_name(op), "genericx", ENOENT);
    }
}

/* On a CPU that offers nothing beyond the baseline, whatever this one is. */
static void test_select_refuses_what_the_cpu_lacks(void **state) {
    (void)state;
    uint64_t *caps = (uint64_t *)(uintptr_t)&fc_dispatch_state()->cpu.caps;
    uint64_t real = *caps;
    size_t refused = 0;
    *caps = 0;
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        size_t count;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        for (size_t i = 0; i < count; i++) {
            if (variants[i].needs[0] != '\0') {
                assert_refused(fc_op_name(op), variants[i].name, ENOEXEC);
                refused++;
            }
        }
    }
    *caps = real;
    if (refused == 0) {
        print_message("skipped: no kernel of this architecture needs anything\n");
        skip();
    }
}

/* ---- selecting while others copy ------------------------------------------------------------ */

static bool stop;
static bool wrong;

static void *copy_all_the_time(void *unused) {
    unsigned char src[300], dst[300];
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (unsigned char)(i * 31);
    for (unsigned round = 0; !__atomic_load_n(&stop, __ATOMIC_RELAXED); round++) {
        size_t n = round % (sizeof src + 1);
        for (size_t i = 0; i < sizeof dst; i++)
            dst[i] = (unsigned char)~src[i];
        bool bad = fastcopy_mempcpy(dst, src, n) != dst + n || memcmp(dst, src, n) != 0;
        bad |= fastcopy_memset(dst, 0x77, n) != dst || (n > 0 && dst[n - 1] != 0x77);
        bad |= fastcopy_memcpy_nt(dst, src, n) != dst || memcmp(dst, src, n) != 0;
        if (bad)
            __atomic_store_n(&wrong, true, __ATOMIC_RELAXED);
    }
    return unused;
}

static void *select_all_the_time(void *unused) {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        for (unsigned op = 0; op < FC_OP_COUNT; op++) {
            size_t count;
            const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
            for (size_t i = 0; i < count; i++)
                if (variants[i].usable && fastcopy_select(fc_op_name(op), variants[i].name) != 0)
                    __atomic_store_n(&wrong, true, __ATOMIC_RELAXED);
            if (fastcopy_selected(fc_op_name(op)) == NULL ||
                fastcopy_select(fc_op_name(op), NULL) != 0)
                __atomic_store_n(&wrong, true, __ATOMIC_RELAXED);
        }
    return unused;
}

static void test_concurrent_select(void **state) {
    (void)state;
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL,
                                        i % 2 == 0 ? copy_all_the_time : select_all_the_time, NULL),
                         0);
    usleep(support_quick() ? 100000 : 500000);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    assert_false(wrong);
    /* Whatever the order was, each slot holds a kernel of its own operation. */
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        size_t count, found = 0;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        for (size_t i = 0; i < count; i++)
            found += variants[i].entry == fc_slots[op];
        assert_int_equal(found, 1);
    }
}

/* ---- FASTCOPY_TUNABLES: in children --------------------------------------------------------- */

/* The child's part: what was chosen, on a descriptor of its own. */
static _Noreturn void report(void) {
    fastcopy_fault_install();
    dprintf(SUPPORT_REPORT_FD, "secure=%lu", getauxval(AT_SECURE));
    for (unsigned op = 0; op < FC_OP_COUNT; op++)
        dprintf(SUPPORT_REPORT_FD, " %s=%s", fc_op_name(op), fastcopy_selected(fc_op_name(op)));
#define FC_THRESHOLD(name, text) dprintf(SUPPORT_REPORT_FD, " " #name "=%" PRIu64, fc_##name);
#include "thresholds.def"
#undef FC_THRESHOLD
    dprintf(SUPPORT_REPORT_FD, " errno=%d ", early.errno_in_main);
    _exit(0); /* not exit(): LeakSanitizer cannot run in a set-uid program */
}

static const struct outcome *run_with(const char *variable) {
    static struct outcome outcome;
    support_run(&(struct child){.argument = "report", .variable = variable}, &outcome);
    assert_int_equal(outcome.status, 0);
    return &outcome;
}

static void assert_says(const char *text, const char *part) {
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in: %s", part, text);
}

static size_t occurrences(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

static void assert_silent(const struct outcome *outcome) {
    assert_string_equal(outcome->out, "");
    assert_string_equal(outcome->err, "");
}

static void test_tunables_honoured(void **state) {
    (void)state;
    const struct outcome *outcome =
        run_with("FASTCOPY_TUNABLES=memcpy=generic:memset=generic:nt_threshold=3M:"
                 "rep_movsb_min=1K:rep_movsb_max=0:rep_stosb_min=777");
    assert_silent(outcome);
    assert_says(outcome->report, " memcpy=generic ");
    assert_says(outcome->report, " memmove=generic ");
    assert_says(outcome->report, " mempcpy=generic ");
    assert_says(outcome->report, " memset=generic ");
    assert_says(outcome->report, " nt_threshold=3145728 ");
    assert_says(outcome->report, " rep_movsb_min=1024 ");
    assert_says(outcome->report, " rep_movsb_max=0 ");
    assert_says(outcome->report, " rep_stosb_min=777 ");
    assert_says(outcome->report, " errno=4242 ");
}

static void test_tunables_every_kernel(void **state) {
    (void)state;
    for (unsigned op = 0; op < FC_OP_COUNT; op++) {
        size_t count;
        const fastcopy_variant *variants = fastcopy_variants(fc_op_name(op), &count);
        for (size_t i = 0; i < count; i++) {
            char variable[96], expected[96];
            snprintf(variable, sizeof variable, FC_TUNABLES_ENV "=%s=%s", fc_op_name(op),
                     variants[i].name);
            snprintf(expected, sizeof expected, " %s=%s ", fc_op_name(op), variants[i].name);
            const struct outcome *outcome = run_with(variable);
            assert_silent(outcome);
            if (variants[i].usable)
                assert_says(outcome->report, expected);
        }
    }
}

static void test_tunables_malformed(void **state) {
    (void)state;
    static const char *const values[] = {
        "FASTCOPY_TUNABLES=",
        "FASTCOPY_TUNABLES=:::",
        "FASTCOPY_TUNABLES=memcpy",
        "FASTCOPY_TUNABLES=memcpy=",
        "FASTCOPY_TUNABLES=memcpy=no-such-kernel:strcpy=generic:=generic:=",
        "FASTCOPY_TUNABLES=nt_threshold=1:rep_movsb_min=-4096:rep_stosb_min=4096X",
        "FASTCOPY_TUNABLES=nt_threshold=99999999999999999999999:rep_movsb_min=0x1000",
        "FASTCOPY_TUNABLES=verbose=2:verbose=:verbose",
    };
    char expected[sizeof((struct outcome *)0)->report];
    memcpy(expected, run_with(NULL)->report, sizeof expected);
    for (size_t i = 0; i < COUNT(values); i++) {
        const struct outcome *outcome = run_with(values[i]);
        assert_silent(outcome);
        assert_string_equal(outcome->report, expected);
    }
    /* What is well-formed beside it counts. */
    assert_says(run_with("FASTCOPY_TUNABLES=nonsense:memset=generic:nt_threshold=x")->report,
                " memset=generic ");
}

static void test_silent_by_default(void **state) {
    (void)state;
    assert_silent(run_with(NULL));
    assert_silent(run_with("FASTCOPY_TUNABLES=verbose=0:memcpy=generic"));
}

static void test_verbose(void **state) {
    (void)state;
    const struct outcome *outcome = run_with(
        "FASTCOPY_TUNABLES=verbose=1:memset=generic:memcpy=no-such-kernel:nt_threshold=3M");
    assert_string_equal(outcome->out, "");
    static const char *const once[] = {
        "fastcopy: memmove: ",
        "fastcopy: memset: generic (forced by FASTCOPY_TUNABLES)",
        "fastcopy: memcpy_nt: ",
        "fastcopy: nt_threshold: 3145728 (set by FASTCOPY_TUNABLES)",
        "fastcopy: rep_movsb_min: ",
        "memcpy=no-such-kernel: ignored: no such kernel",
        " dispatch\n",
    };
    for (size_t i = 0; i < COUNT(once); i++)
        if (occurrences(outcome->err, once[i]) != 1)
            fail_msg("'%s' is not exactly once in: %s", once[i], outcome->err);
}

/* A copy of this program that belongs to nobody and is set-uid: the kernel marks its runs as
 * secure. */
static void test_tunables_ignored_when_secure(void **state) {
    (void)state;
    const uid_t nobody = 65534;
    static const char variable[] = "FASTCOPY_TUNABLES=memset=generic:verbose=1";
    if (support_emulated() || geteuid() != 0) {
        print_message("skipped: making a set-uid program takes root and no emulator\n");
        skip();
    }
    char folder[] = "/tmp/fastcopy-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char program[64], command[256];
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(command, sizeof command, "cp /proc/%ld/exe %s", (long)getpid(), program);
    assert_int_equal(system(command), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chown(program, nobody, nobody), 0);
    assert_int_equal(chmod(program, 04755), 0);

    struct outcome secure;
    support_run(&(struct child){program, "report", variable}, &secure);
    unlink(program);
    rmdir(folder);
    assert_int_equal(secure.status, 0);
    if (strstr(secure.report, "secure=1 ") == NULL) {
        print_message("skipped: set-uid has no effect here (nosuid or no_new_privs)\n");
        skip();
    }
    const char *automatic = strchr(run_with(NULL)->report, ' ');
    assert_silent(&secure);
    assert_string_equal(strchr(secure.report, ' '), automatic);
    /* The same variable does count otherwise. */
    assert_says(run_with(variable)->report, " memset=generic ");
}

int main(int argc, char **argv) {
    early.errno_in_main = errno;
    (void)argv;
    if (argc > 1)
        report();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_constructors),
        cmocka_unit_test(test_errno_untouched_by_startup),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_unknown_operation),
        cmocka_unit_test_teardown(test_select_waits_for_the_handler, back_to_automatic),
        cmocka_unit_test_teardown(test_select_moves_the_family, back_to_automatic),
        cmocka_unit_test_teardown(test_entries_copy_small, back_to_automatic),
        cmocka_unit_test_teardown(test_entries_copy_small_for_some, back_to_automatic),
        cmocka_unit_test_teardown(test_null_returns_to_automatic, back_to_automatic),
        cmocka_unit_test_teardown(test_select_refuses, back_to_automatic),
        cmocka_unit_test_teardown(test_select_refuses_what_the_cpu_lacks, back_to_automatic),
        cmocka_unit_test_teardown(test_concurrent_select, back_to_automatic),
        cmocka_unit_test(test_tunables_honoured),
        cmocka_unit_test(test_tunables_every_kernel),
        cmocka_unit_test(test_tunables_malformed),
        cmocka_unit_test(test_silent_by_default),
        cmocka_unit_test(test_verbose),
        cmocka_unit_test(test_tunables_ignored_when_secure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
