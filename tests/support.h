/* SPDX-License-Identifier: MIT */
/*
 * What the tests share: the list of kernels under test, buffers between guard pages, threshold
 * settings, a report of the exact call that went wrong, and running this program again as a child.
 *
 * Environment: FC_TEST_SEED=N repeats a run, FC_TEST_QUICK=1 tests a sample (for emulators),
 * FC_TEST_EMULATOR="program args" is what runs this program (set by CMake under cross compilation).
 */
#ifndef FC_SUPPORT_H
#define FC_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include "dispatch.h"

typedef void *copy_function(void *dst, const void *src, size_t n);
typedef void *set_function(void *dst, int c, size_t n);
typedef size_t try_copy_function(void *dst, const void *src, size_t n);
typedef size_t try_set_function(void *dst, int c, size_t n);
typedef void page_copy_function(void *dst, const void *src);
typedef void page_clear_function(void *dst);

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool support_quick(void);
bool support_emulated(void);

/* The seed is drawn and printed at the first use. */
uint64_t support_random(void);
size_t support_random_below(size_t limit);

/* ---- kernels -------------------------------------------------------------------------------- */

/* One entry point of one kernel. */
struct subject {
    unsigned op;     /* enum fc_op */
    unsigned kernel; /* enum fc_kernel_id */
    const fastcopy_variant *variant;
};

#define SUPPORT_MAX_SUBJECTS (FC_OP_COUNT * FC_KERNEL_COUNT)

/*
 * Writes one cmocka test for each entry point that fastcopy_variants() lists, named OP_VARIANT;
 * returns how many. Entries that are another operation's too (memcpy is memmove) come once, as the
 * last of them.
 */
size_t support_kernel_tests(struct CMUnitTest *tests, CMUnitTestFunction function);
/* The same for the operations on pages, which the above leaves out: they take other arguments. */
size_t support_page_tests(struct CMUnitTest *tests, CMUnitTestFunction function);

/* The test's subject; skips the test, saying why, if this CPU cannot run it. Reports faults from
 * here on. */
const struct subject *support_subject(void **state);

/* Kernels that are wrong on purpose, for tests of tests: a subject with this entry. */
struct subject support_offender(unsigned op, const char *name, fastcopy_function *entry);

/* ---- threshold settings --------------------------------------------------------------------- */

/* Settings in which every path of the kernels is reached at small sizes. */
enum { SUPPORT_NEVER, SUPPORT_STREAMING };
extern const struct fc_thresholds support_settings[];
extern const size_t support_settings_count;

/* Puts one into force. */
void support_set_thresholds(size_t setting);

/* ---- buffers -------------------------------------------------------------------------------- */

/* Memory whose first byte follows, and whose last byte precedes, an inaccessible page. */
struct arena {
    unsigned char *data;
    unsigned char *pristine; /* what data holds between calls: random bytes */
    size_t size;
};

void arena_create(struct arena *arena, size_t size);
void arena_reset(struct arena *arena);

/* ---- calls and failures --------------------------------------------------------------------- */

/* Calls the kernel; until the next call, failures and faults are reported as this call's. */
void *support_copy(const struct subject *subject, void *dst, const void *src, size_t n);
void *support_set(const struct subject *subject, void *dst, int c, size_t n);
void support_page(const struct subject *subject, void *dst, const void *src);

/* Fails the test: the reason, then the call in full. */
#define support_fail(...) support_fail_at(__FILE__, __LINE__, __VA_ARGS__)
void support_fail_at(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* ---- this program again --------------------------------------------------------------------- */

/* File descriptor on which children report; stdout and stderr are the library's to keep silent. */
#define SUPPORT_REPORT_FD 3

struct outcome {
    int status; /* as from waitpid */
    char out[4096], err[8192], report[4096];
};

struct child {
    const char *program;  /* NULL: this one */
    const char *argument; /* its only argument */
    const char *variable; /* "NAME=value" to add to the environment, or NULL */
};

/* Starts it, collects what it writes, waits. */
void support_run(const struct child *child, struct outcome *outcome);

#endif
