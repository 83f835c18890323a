/* SPDX-License-Identifier: MIT */
/*
 * FASTCOPY_TUNABLES: what counts, what is ignored, and the complaint about each part that is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tunables.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A CPU that can run everything, and one that has the baseline only. */
static const struct fc_cpu able = {.caps = UINT64_MAX};
static const struct fc_cpu bare = {.caps = 0};

static struct {
    unsigned count;
    char part[64];
    const char *reason;
} complaints;

static void complain(const char *part, size_t length, const char *reason) {
    complaints.count++;
    size_t kept = length < sizeof(complaints.part) ? length : sizeof(complaints.part) - 1;
    memcpy(complaints.part, part, kept);
    complaints.part[kept] = '\0';
    complaints.reason = reason;
}

static struct fc_tunables parse(const char *text, const struct fc_cpu *cpu) {
    struct fc_tunables tunables;
    memset(&tunables, 0xff, sizeof(tunables)); /* everything must be filled in */
    memset(&complaints, 0, sizeof(complaints));
    fc_tunables_parse(text, cpu, &tunables, complain);
    return tunables;
}

static bool is_empty(const struct fc_tunables *tunables) {
    bool empty = !tunables->verbose && !tunables->cached_memory;
    for (unsigned i = 0; i < FC_FAMILY_COUNT; i++)
        empty = empty && tunables->forced[i] == -1;
    for (unsigned i = 0; i < FC_THRESHOLD_COUNT; i++)
        empty = empty && !tunables->threshold_set[i];
    return empty;
}

static void test_nothing(void **state) {
    (void)state;
    static const char *const texts[] = {NULL, "", ":", "::::"};
    for (unsigned i = 0; i < COUNT(texts); i++) {
        struct fc_tunables tunables = parse(texts[i], &able);
        assert_true(is_empty(&tunables));
        assert_int_equal(complaints.count, 0);
    }
}

#define NOT_A_PAIR "not of the form key=value"
#define NO_KEY "unknown key"
#define NO_SIZE "not a size"
#define TOO_SMALL "thresholds are 0 (never) or at least 256"
#define NO_KERNEL "no such kernel"
#define NO_BOOLEAN "takes 0 or 1"

static void test_malformed(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"x", NOT_A_PAIR},
        {"verbose", NOT_A_PAIR},
        {"memcpy", NOT_A_PAIR},
        {" ", NOT_A_PAIR},
        {"=", NO_KEY},
        {"=1", NO_KEY},
        {"==", NO_KEY},
        {"nonsense=1", NO_KEY},
        {" verbose=1", NO_KEY},
        {"verbose =1", NO_KEY},
        {"Verbose=1", NO_KEY},
        {"verbos=1", NO_KEY},
        {"verbosee=1", NO_KEY},
        {"memcp=generic", NO_KEY},
        {"memcpyy=generic", NO_KEY},
        {"copy_nothing=generic", NO_KEY},
        {"nt_thresholds=1M", NO_KEY},
        {"m\xc3\xa9moire=1", NO_KEY},
        {"\xff\xfe=\x80", NO_KEY},
        {"verbose=", NO_BOOLEAN},
        {"verbose=2", NO_BOOLEAN},
        {"verbose=10", NO_BOOLEAN},
        {"verbose=yes", NO_BOOLEAN},
        {"verbose=1 ", NO_BOOLEAN},
        {"verbose==1", NO_BOOLEAN},
#ifdef FC_TUNABLE_CACHED_MEMORY
        {"cached_memory=", NO_BOOLEAN},
        {"cached_memory=2", NO_BOOLEAN},
#else
        {"cached_memory=1", "means nothing on this architecture"},
#endif
        {"memcpy=", NO_KERNEL},
        {"memcpy=nonsense", NO_KERNEL},
        {"memcpy=Generic", NO_KERNEL},
        {"memcpy=generi", NO_KERNEL},
        {"memcpy=generic2", NO_KERNEL},
        {"memcpy=generic ", NO_KERNEL},
        {"memcpy=g\xc3\xa9n\xc3\xa9rique", NO_KERNEL},
        {"memcpy=a_name_that_is_longer_than_any_kernel_has_room_for", NO_KERNEL},
        {"nt_threshold=", NO_SIZE},
        {"nt_threshold=K", NO_SIZE},
        {"nt_threshold=KK", NO_SIZE},
        {"nt_threshold=1KB", NO_SIZE},
        {"nt_threshold=1KK", NO_SIZE},
        {"nt_threshold=1T", NO_SIZE},
        {"nt_threshold=-1", NO_SIZE},
        {"nt_threshold=-1M", NO_SIZE},
        {"nt_threshold=+4096", NO_SIZE},
        {"nt_threshold= 4096", NO_SIZE},
        {"nt_threshold=4096 ", NO_SIZE},
        {"nt_threshold=0x1000", NO_SIZE},
        {"nt_threshold=1.5M", NO_SIZE},
        {"nt_threshold=1e6", NO_SIZE},
        {"nt_threshold=4,096", NO_SIZE},
        {"nt_threshold==4096", NO_SIZE},
        {"nt_threshold=\xd9\xa1\xd9\xa2\xd9\xa3\xd9\xa4", NO_SIZE}, /* Arabic digits */
        {"nt_threshold=18446744073709551616", NO_SIZE},
        {"nt_threshold=99999999999999999999", NO_SIZE},
        {"nt_threshold=18446744073709551615K", NO_SIZE},
        {"nt_threshold=18446744073709551615G", NO_SIZE},
        {"nt_threshold=18014398509481984K", NO_SIZE},
        {"nt_threshold=17179869184G", NO_SIZE},
        {"nt_threshold=1", TOO_SMALL},
        {"nt_threshold=255", TOO_SMALL},
        {"rep_movsb_min=0000000000000000000000000000000000000000255", TOO_SMALL},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct fc_tunables tunables = parse(cases[i].text, &able);
        if (!is_empty(&tunables) || complaints.count != 1 ||
            strcmp(complaints.reason, cases[i].reason) != 0)
            fail_msg("'%s': %u complaints, the last '%s', should be '%s'%s", cases[i].text,
                     complaints.count, complaints.count > 0 ? complaints.reason : "",
                     cases[i].reason, is_empty(&tunables) ? "" : "; it was taken");
        assert_string_equal(complaints.part, cases[i].text);

        /* What stands beside it counts all the same. */
        char text[256];
        assert_true(strlen(cases[i].text) + sizeof("memcpy=generic::verbose=1") < sizeof(text));
        strcpy(text, "memcpy=generic:");
        strcat(text, cases[i].text);
        strcat(text, ":verbose=1");
        tunables = parse(text, &able);
        assert_int_equal(complaints.count, 1);
        assert_string_equal(complaints.part, cases[i].text);
        assert_int_equal(tunables.forced[FC_FAMILY_memmove], FC_KERNEL_memmove_generic);
        assert_true(tunables.verbose);

        /* Nobody need listen. */
        fc_tunables_parse(text, &able, &tunables, NULL);
        assert_true(tunables.verbose);
    }
}

static void test_sizes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t size;
    } cases[] = {
        {"nt_threshold=0", 0},
        {"nt_threshold=0G", 0},
        {"nt_threshold=256", 256},
        {"nt_threshold=000256", 256},
        {"nt_threshold=1k", UINT64_C(1) << 10},
        {"nt_threshold=1K", UINT64_C(1) << 10},
        {"nt_threshold=32M", UINT64_C(32) << 20},
        {"nt_threshold=32m", UINT64_C(32) << 20},
        {"nt_threshold=3G", UINT64_C(3) << 30},
        {"nt_threshold=3g", UINT64_C(3) << 30},
        {"nt_threshold=18446744073709551615", UINT64_MAX},
        {"nt_threshold=17179869183G", UINT64_C(17179869183) << 30},
        {"nt_threshold=18014398509481983K", UINT64_C(18014398509481983) << 10},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct fc_tunables tunables = parse(cases[i].text, &able);
        assert_int_equal(complaints.count, 0);
        assert_true(tunables.threshold_set[FC_THRESHOLD_nt_threshold]);
        assert_int_equal(tunables.threshold[FC_THRESHOLD_nt_threshold], cases[i].size);
    }
}

static void test_every_threshold_is_a_key(void **state) {
    (void)state;
#define FC_THRESHOLD(name, text)                                                                   \
    {                                                                                              \
        struct fc_tunables tunables = parse(#name "=12345", &able);                                \
        struct fc_thresholds at;                                                                   \
        memset(&at, 0, sizeof(at));                                                                \
        fc_tunables_apply(&tunables, &at);                                                         \
        assert_int_equal(complaints.count, 0);                                                     \
        assert_int_equal(at.name, 12345);                                                          \
        at.name = 0;                                                                               \
        static const struct fc_thresholds none;                                                    \
        assert_memory_equal(&at, &none, sizeof(at)); /* and no other */                            \
    }
#include "thresholds.def"
#undef FC_THRESHOLD
}

static void test_apply_keeps_what_is_not_set(void **state) {
    (void)state;
    struct fc_tunables tunables = parse("nt_threshold=0", &able);
    struct fc_thresholds at;
    memset(&at, 0x11, sizeof(at));
    fc_tunables_apply(&tunables, &at);
#define FC_THRESHOLD(name, text)                                                                   \
    assert_int_equal(at.name, FC_THRESHOLD_##name == FC_THRESHOLD_nt_threshold                     \
                                  ? 0                                                              \
                                  : UINT64_C(0x1111111111111111));
#include "thresholds.def"
#undef FC_THRESHOLD
}

/* Every operation's name as key, every kernel's as value, on both CPUs. */
static void test_kernels(void **state) {
    (void)state;
    static const char *const ops[] = {
#define FC_OP(op, family) #op "=",
#include "ops.def"
#undef FC_OP
    };
    static const unsigned families[] = {
#define FC_OP(op, family) FC_FAMILY_##family,
#include "ops.def"
#undef FC_OP
    };
    for (unsigned op = 0; op < COUNT(ops); op++)
        for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
            const char *name = fc_kernels[kernel].name;
            char text[64];
            strcpy(text, ops[op]);
            strcat(text, name);
            /* The same name in the operation's own family, if it is there. */
            int own = -1;
            for (int i = 0; i < FC_KERNEL_COUNT; i++)
                if (fc_kernels[i].family == families[op] && strcmp(fc_kernels[i].name, name) == 0)
                    own = i;

            struct fc_tunables tunables = parse(text, &able);
            assert_int_equal(tunables.forced[families[op]], own);
            assert_int_equal(complaints.count, own < 0 ? 1 : 0);
            if (own < 0)
                assert_string_equal(complaints.reason, NO_KERNEL);

            tunables = parse(text, &bare);
            bool usable = own >= 0 && fc_kernels[own].needs == 0;
            assert_int_equal(tunables.forced[families[op]], usable ? own : -1);
            assert_int_equal(complaints.count, usable ? 0 : 1);
            if (own >= 0 && !usable)
                assert_string_equal(complaints.reason, "this CPU cannot run that kernel");
            for (unsigned family = 0; family < FC_FAMILY_COUNT; family++)
                assert_true(family == families[op] || tunables.forced[family] == -1);
        }
}

#ifdef __x86_64__
/* One missing capability of two is enough. */
static void test_half_a_capability(void **state) {
    (void)state;
    struct fc_cpu half = {.caps = FC_CAP_AVX512F};
    struct fc_tunables tunables = parse("memcpy=avx512", &half);
    assert_true(is_empty(&tunables));
    assert_string_equal(complaints.reason, "this CPU cannot run that kernel");
    tunables = parse("memcpy=ssse3:memset=ssse3", &able); /* memset has no such kernel */
    assert_int_equal(tunables.forced[FC_FAMILY_memmove], FC_KERNEL_memmove_ssse3);
    assert_int_equal(tunables.forced[FC_FAMILY_memset], -1);
    assert_string_equal(complaints.part, "memset=ssse3");
}
#endif

static void test_the_last_one_wins(void **state) {
    (void)state;
    struct fc_tunables tunables =
        parse("verbose=1:verbose=0:nt_threshold=1M:nt_threshold=2M:nt_threshold=3T", &able);
    assert_false(tunables.verbose);
    assert_int_equal(tunables.threshold[FC_THRESHOLD_nt_threshold], UINT64_C(2) << 20);
    assert_int_equal(complaints.count, 1); /* of those that can be used */

    /* Operations of one family share the kernel, and so the last of their keys. */
    for (unsigned kernel = 0; kernel < FC_KERNEL_COUNT; kernel++) {
        if (fc_kernels[kernel].family != FC_FAMILY_memmove)
            continue;
        char text[64] = "memcpy=generic:mempcpy=";
        strcat(text, fc_kernels[kernel].name);
        tunables = parse(text, &able);
        assert_int_equal(tunables.forced[FC_FAMILY_memmove], kernel);
    }
}

static void test_empty_parts(void **state) {
    (void)state;
    struct fc_tunables tunables = parse(":::verbose=1::memset=generic:", &able);
    assert_int_equal(complaints.count, 0);
    assert_true(tunables.verbose);
    assert_int_equal(tunables.forced[FC_FAMILY_memset], FC_KERNEL_memset_generic);
}

/* In a block of its very size, so that a sanitiser sees any byte read beyond it. */
static void test_very_long(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    static const char fills[] = {'9', 'a', ':', '=', '\xff'};
    static const char *const heads[] = {"", "nt_threshold=", "memcpy=", "verbose="};
    for (unsigned i = 0; i < COUNT(fills); i++)
        for (unsigned j = 0; j < COUNT(heads); j++) {
            char *text = malloc(SIZE);
            assert_non_null(text);
            memset(text, fills[i], SIZE);
            memcpy(text, heads[j], strlen(heads[j]));
            text[SIZE - 1] = '\0';
            struct fc_tunables tunables = parse(text, &able);
            assert_true(is_empty(&tunables));
            free(text);
        }

    char *zeros = malloc(SIZE);
    assert_non_null(zeros);
    memset(zeros, '0', SIZE);
    memcpy(zeros, "nt_threshold=", 13);
    memcpy(zeros + SIZE - 4, "512", 4);
    struct fc_tunables tunables = parse(zeros, &able);
    assert_int_equal(tunables.threshold[FC_THRESHOLD_nt_threshold], 512);
    free(zeros);
}

/* Every cut of a good text, each in a block of its very size. */
static void test_every_prefix(void **state) {
    (void)state;
    static const char text[] = "memcpy=generic:nt_threshold=32M:verbose=1";
    for (size_t length = 0; length < sizeof(text); length++) {
        char *cut = malloc(length + 1);
        assert_non_null(cut);
        memcpy(cut, text, length);
        cut[length] = '\0';
        struct fc_tunables tunables = parse(cut, &able);
        assert_int_equal(tunables.verbose, length == sizeof(text) - 1);
        assert_true(complaints.count <= 1);
        free(cut);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_every_threshold_is_a_key),
        cmocka_unit_test(test_apply_keeps_what_is_not_set),
        cmocka_unit_test(test_kernels),
#ifdef __x86_64__
        cmocka_unit_test(test_half_a_capability),
#endif
        cmocka_unit_test(test_the_last_one_wins),
        cmocka_unit_test(test_empty_parts),
        cmocka_unit_test(test_very_long),
        cmocka_unit_test(test_every_prefix),
    };
    return cmocka_run_group_tests_name("tunables", tests, NULL, NULL);
}
