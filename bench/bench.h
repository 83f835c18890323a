/* SPDX-License-Identifier: MIT */
/*
 * bench: what the modes of `fastcopy bench` share. A mode describes an experiment, which is a
 * table: the contenders are its columns, the cells to race them in its rows. fc_experiment_run()
 * races and prints it.
 */
#ifndef FC_BENCH_H
#define FC_BENCH_H

#include <limits.h>

#include "command.h"
#include "engine.h"
#include "registry.h"

enum fc_format { FC_FORMAT_TEXT, FC_FORMAT_CSV, FC_FORMAT_JSON };

enum { FC_PEERS_MAX = 16 };

#define FC_SHARED_LIBRARY "libfastcopy.so.0"

struct fc_bench_options {
    unsigned op; /* enum fc_op */
    const char *kernels, *baseline;
    const char *peers[FC_PEERS_MAX];
    size_t peer_count;
    uint64_t min, max, *sizes; /* sizes ends with 0; NULL: the mode's own, from min to max */
    uint64_t skew;             /* page offset of dst relative to src */
    unsigned rounds, runs;     /* rounds 0: the mode's own */
    uint64_t seed;
    int cpu; /* -1: any */
    bool pinned, huge;
    enum fc_format format;
};

struct fc_bench_mode {
    const char *name;
    int (*run)(const struct fc_bench_options *options);
    const char *help;
};

/* One per file mode_*.c. */
extern const struct fc_bench_mode fc_mode_sweep, fc_mode_overhead, fc_mode_startup;

/* ---- contenders ----------------------------------------------------------------------------- */

struct fc_contenders {
    struct fc_contender *list;
    size_t count;
};

/*
 * What the options ask for: the baseline, the baseline again (their difference shows the noise, and
 * is called A/A), then kernels and peers. Ends the program where an option names what does not
 * exist.
 */
struct fc_contenders fc_contenders_gather(const struct fc_bench_options *options);

/* Appends one, compared with the first; valid until the next is added. */
struct fc_contender *fc_contenders_add(struct fc_contenders *contenders, const char *label,
                                       fastcopy_function *function);

/* libc's own function of this name, whatever was preloaded; NULL if it has none. */
fastcopy_function *fc_libc_function(const char *name);

/* A shared object's function, loaded apart from all else; NULL and the reason in *error. */
fastcopy_function *fc_peer_function(const char *file, const char *symbol, const char **error);

/* The same of one of our own, by its name alone; NULL and a note on stderr. */
fastcopy_function *fc_product_function(const char *file, const char *symbol);

/*
 * The kernels to race: those of libfastcopy.so, for they must be as far away as libc is. A call to
 * a function within 2 GiB is cheaper on some cores (Golden Cove: by two cycles, a third of a small
 * copy), so that kernels inside this command would win races that they lose in a program. Without
 * that library they are all there is, and the output says so.
 */
const fastcopy_variant *fc_bench_variants(const char *op, size_t *count);
bool fc_bench_variants_are_near(void);

/* A function of a library that does nothing: what a call costs. NULL if it is not installed. */
fastcopy_function *fc_empty_function(unsigned op);

/* ---- bodies --------------------------------------------------------------------------------- */

/* One call after the other with the same arguments. */
struct fc_call {
    void *dst;
    const void *src;
    size_t n;
};
void fc_body_copy(const struct fc_contender *contender, const void *call, uint64_t calls);
void fc_body_set(const struct fc_contender *contender, const void *call, uint64_t calls);

/* ---- experiments ---------------------------------------------------------------------------- */

struct fc_result {
    struct fc_times times; /* median over runs of the medians over rounds */
    double ratio;          /* time of its reference / time: above 1 is faster than it */
    char verdict;          /* '+' faster, '-' slower, '=' not beyond the noise */
};

struct fc_cell {
    char group[24], label[24]; /* rows of one group stand together */
    const void *work;          /* for the body */
    uint64_t bytes;            /* moved per call; 0: it has no GB/s */
    bool as_speed;             /* in text: GB/s rather than time */

    /* Filled by fc_experiment_run(). */
    unsigned runs;             /* how many were finished */
    struct fc_result *results; /* one per contender */
    double noise;              /* the A/A difference: of the baseline's medians; 0.01 is 1 % */
};

struct fc_experiment {
    const char *mode, *title;
    const char *group_name; /* what the cells' keys are: "alignment", */
    const char *label_name; /* "size" */
    fc_body *body;
    struct fc_contenders contenders;
    struct fc_cell *cells;
    size_t count;
    unsigned rounds;       /* where the options don't say */
    double slice;          /* nanoseconds */
    bool as_difference;    /* in text: differences of times rather than ratios */
    const char *time_unit; /* in text: "ns" or "us" */
    double empty_call;     /* nanoseconds that the body spends on an empty function; 0: unknown */
};

/* Returns the exit status. */
int fc_experiment_run(struct fc_experiment *experiment, const struct fc_bench_options *options);

/* Output, in the format that the options ask for. */
void fc_output(const struct fc_experiment *experiment, const struct fc_bench_options *options);
void fc_output_json(const struct fc_experiment *experiment, const struct fc_bench_options *options);

#endif
