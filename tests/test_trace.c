/* SPDX-License-Identifier: MIT */
/* The reader of trace files: what is in one comes out, and anything else is refused with a reason.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"
#include "trace/reader.h"
#ifdef FC_TEST_ORDER
#include "command.h"
#include "order.h"
#endif

enum { RECORDS = 6, UNFINISHED = 3 };

struct file {
    struct fc_trace_header header;
    struct fc_trace_record records[RECORDS];
};

static char path[] = "/tmp/fastcopy-test-XXXXXX";
static int descriptor;

static int setup(void **state) {
    (void)state;
    descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : 0;
}

static int teardown(void **state) {
    (void)state;
    return unlink(path);
}

static struct file example(void) {
    struct file file = {
        .header = fc_trace_header(RECORDS),
        .records = {
            {.size = 5, .caller = 1, .distance = 100, .dst = 104, .src = 4, .op = FC_TRACE_memcpy},
            {.size = 9, .caller = 2, .distance = -8, .dst = 0, .src = 8, .op = FC_TRACE_memmove},
            {.size = UINT64_MAX,
             .distance = INT32_MAX,
             .dst = 1,
             .src = 4095,
             .op = FC_TRACE_mempcpy},
            {.size = 77}, /* UNFINISHED */
            {.size = 0, .distance = INT32_MIN, .dst = 7, .thread = 1, .op = FC_TRACE_memcpy},
            {.size = 64, .dst = 4095, .op = FC_TRACE_memset},
        }};
    file.header.threads = 2;
    file.header.calls = RECORDS + 3;
    return file;
}

/* The reason why the first bytes of a file are refused; "" if they are not. */
static struct fc_trace trace;
static const char *reading_prefix(const struct file *file, size_t size) {
    static struct fc_trace_error error;
    assert_int_equal(pwrite(descriptor, file, size, 0), size);
    assert_int_equal(ftruncate(descriptor, (off_t)size), 0);
    free(trace.records);
    error = fc_trace_read(path, &trace);
    assert_true((error.text[0] == '\0') == (trace.records != NULL));
    return error.text;
}

static const char *reading(const struct file *file) {
    return reading_prefix(file, sizeof *file);
}

static void what_is_in_it_comes_out(void **state) {
    (void)state;
    struct file file = example();
    assert_string_equal(reading(&file), "");
    assert_memory_equal(&trace.header, &file.header, sizeof file.header);
    assert_int_equal(trace.count, RECORDS - 1);
    assert_int_equal(trace.unfinished, 1);
    for (size_t i = 0; i < trace.count; i++)
        assert_memory_equal(&trace.records[i], &file.records[i + (i >= UNFINISHED)],
                            sizeof trace.records[i]);
    /* Fewer calls than there is room for. */
    file.header.calls = 2;
    assert_string_equal(reading(&file), "");
    assert_int_equal(trace.count, 2);
    file.header.calls = 0;
    assert_string_equal(reading(&file), "");
    assert_int_equal(trace.count, 0);
}

static void cut_off(void **state) {
    (void)state;
    struct file file = example();
    for (size_t size = 0; size < sizeof file; size++)
        assert_string_equal(reading_prefix(&file, size),
                            size < sizeof file.header ? "too short for a trace"
                                                      : "a trace that was cut off: its header "
                                                        "counts more records than it holds");
}

/* Each bit of the header. */
static void wrong_header(void **state) {
    (void)state;
    static const struct {
        size_t offset, size;
        const char *reason; /* NULL: some values will do, others not */
    } fields[] = {
#define FIELD(name, reason)                                                                        \
    {offsetof(struct fc_trace_header, name), sizeof(((struct fc_trace_header *)0)->name), reason}
        FIELD(magic, "not a trace"),
        FIELD(byte_order, "a trace from a machine of the other byte order"),
        FIELD(version, "a trace of another version of the format"),
        FIELD(header_size, "a trace with a wrong header size"),
        FIELD(record_size, "a trace with a wrong record size"),
        FIELD(address_bits, NULL),
        FIELD(threads, NULL),
        FIELD(capacity, NULL),
        FIELD(calls, NULL),
        FIELD(early, ""),
        FIELD(zero, "a trace with a header that is not of its version"),
    };
    size_t covered = 0;
    for (size_t i = 0; i < COUNT(fields); i++) {
        covered += fields[i].size;
        for (size_t bit = 0; bit < 8 * fields[i].size; bit++) {
            struct file file = example();
            ((unsigned char *)&file)[fields[i].offset + bit / 8] ^= (unsigned char)(1 << bit % 8);
            const char *reason = reading(&file);
            if (fields[i].reason != NULL)
                assert_string_equal(reason, fields[i].reason);
            assert_true(trace.count <= RECORDS);
        }
    }
    assert_int_equal(covered, sizeof(struct fc_trace_header));

    struct file file = example();
    file.header.capacity = file.header.calls = UINT64_MAX;
    assert_string_not_equal(reading(&file), "");
    file = example();
    file.header.threads = 1;
    assert_string_equal(reading(&file), "record 4: a thread that took no number");
    for (uint32_t bits = 0; bits < 100; bits++) {
        file = example();
        file.header.address_bits = bits;
        const char *reason = reading(&file);
        assert_true((reason[0] == '\0') == (bits >= 12 && bits <= 16));
    }
}

static void wrong_record(void **state) {
    (void)state;
#define WRONG(index, change, wanted)                                                               \
    do {                                                                                           \
        struct file file = example();                                                              \
        file.records[index].change;                                                                \
        assert_string_equal(reading(&file), "record " #index ": " wanted);                         \
    } while (0)
    WRONG(0, op = FC_TRACE_OP_COUNT, "no such operation");
    WRONG(5, op = 255, "no such operation");
    WRONG(1, zero = 1, "not of this version");
    WRONG(0, dst = 4096, "more address bits than the header says");
    WRONG(0, src = 65535, "more address bits than the header says");
    WRONG(0, distance = 101, "addresses that are not at their distance");
    WRONG(1, dst = 1, "addresses that are not at their distance");
    WRONG(2, thread = 2, "a thread that took no number");
    WRONG(5, src = 1, "a memset with a source");
    WRONG(5, distance = 1, "a memset with a source");
}

static void not_a_file(void **state) {
    (void)state;
    assert_string_equal(fc_trace_read("/", &trace).text, "not a regular file");
    assert_string_equal(fc_trace_read("/dev/zero", &trace).text, "not a regular file");
    assert_string_equal(fc_trace_read("/nonexistent", &trace).text, "No such file or directory");
}

/* Nothing else than the examples' ends: no crash, no more records than there are. */
static void random_changes(void **state) {
    (void)state;
    unsigned refused = 0;
    for (unsigned turn = 0; turn < 5000; turn++) {
        struct file file = example();
        for (size_t changes = 1 + support_random_below(4); changes > 0; changes--)
            ((unsigned char *)&file)[support_random_below(sizeof file)] =
                (unsigned char)support_random();
        size_t size =
            support_random_below(4) == 0 ? support_random_below(sizeof file) : sizeof file;
        refused += reading_prefix(&file, size)[0] != '\0';
        assert_true(trace.count + trace.unfinished <= RECORDS);
    }
    print_message("%u of 5000 refused\n", refused);
    assert_true(refused > 1000 && refused < 5000);
}

static void overlap(void **state) {
    (void)state;
    struct file file = example();
    assert_int_equal(fc_trace_overlap(&file.records[0]), 0);  /* 5 bytes, 100 apart */
    assert_int_equal(fc_trace_overlap(&file.records[1]), -8); /* 9 bytes, 8 apart */
    assert_int_equal(fc_trace_overlap(&file.records[4]), 0);  /* no bytes */
    file.records[1].size = 8;
    assert_int_equal(fc_trace_overlap(&file.records[1]), 0);
}

#ifdef FC_TEST_ORDER
/* In the place of the command's own, which would bring all of it. */
const struct fc_command fc_command_bench = {.name = "bench"};

void fc_usage_error(const struct fc_command *command, const char *format, ...) {
    (void)command;
    (void)format;
    _exit(FC_EXIT_USAGE);
}

static void as_an_order(void **state) {
    (void)state;
    static const uint8_t ops[] = {FC_OP_memcpy, FC_OP_memmove, FC_OP_mempcpy, FC_OP_memcpy,
                                  FC_OP_memset};
    struct file file = example();
    assert_string_equal(reading(&file), "");
    struct fc_order order = fc_order_read(path);
    assert_int_equal(order.count, RECORDS - 1);
    for (size_t i = 0; i < order.count; i++) {
        const struct fc_trace_record *record = &file.records[i + (i >= UNFINISHED)];
        assert_int_equal(order.calls[i].op, ops[i]);
        assert_int_equal(order.calls[i].size, record->size);
        assert_int_equal(order.calls[i].dst, record->dst);
        assert_int_equal(order.calls[i].src, record->src);
    }
    free(order.calls);

    /* Neither a trace without calls nor what is no trace can be replayed. */
    for (int nonsense = 0; nonsense < 2; nonsense++) {
        file = example();
        file.header.calls = 0;
        file.header.version += (uint32_t)nonsense;
        reading(&file);
        pid_t child = fork();
        if (child == 0) {
            fc_order_read(path);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == FC_EXIT_USAGE);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_it_comes_out),
        cmocka_unit_test(cut_off),
        cmocka_unit_test(wrong_header),
        cmocka_unit_test(wrong_record),
        cmocka_unit_test(not_a_file),
        cmocka_unit_test(random_changes),
        cmocka_unit_test(overlap),
#ifdef FC_TEST_ORDER
        cmocka_unit_test(as_an_order),
#endif
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
