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
    const char **size_files;   /* every --sizes, for modes with size_files */
    size_t size_file_count;
    const char *order;     /* a recording, see order.h; NULL: none */
    uint64_t other;        /* bytes read after a copy; 0: the mode's own */
    unsigned threads;      /* at most; 0: one for each CPU */
    bool of_limit;         /* measure the limits too */
    uint64_t skew;         /* page offset of dst relative to src */
    unsigned rounds, runs; /* rounds 0: the mode's own */
    uint64_t seed;
    int cpu;   /* -1: any */
    int *cpus; /* those allowed before it was pinned, the one that it is on first; may be NULL */
    size_t cpu_count; /* at least 1 */
    bool pinned, huge;
    enum fc_format format;
    const char *output;     /* a file instead of stdout */
    const char *plot;       /* draw there; NULL: don't */
    bool sort;              /* by speedup */
    bool fail;              /* exit status 1 where something bad was found */
    bool brief;             /* for the report: few cells */
    double fail_below;      /* compare: exit status 1 below this ratio; 0: never */
    char *const *arguments; /* what follows the mode, as many as it takes */
};

struct fc_bench_mode {
    const char *name;
    int (*run)(const struct fc_bench_options *options);
    const char *help;
    unsigned arguments; /* how many it takes */
    const char *takes;  /* names of the options that few modes take, among them this one */
    bool size_files;    /* --sizes names files, rather than listing sizes */
};

/* One per file mode_*.c. */
extern const struct fc_bench_mode fc_mode_sweep, fc_mode_overhead, fc_mode_startup;
extern const struct fc_bench_mode fc_mode_matrix, fc_mode_align, fc_mode_pages, fc_mode_blocks,
    fc_mode_cliffs, fc_mode_report, fc_mode_compare;

/* All of them; ends with NULL. */
extern const struct fc_bench_mode *const fc_bench_modes[];
extern const struct fc_bench_mode fc_mode_random, fc_mode_latency, fc_mode_consumer, fc_mode_limits,
    fc_mode_threads, fc_mode_overlap, fc_mode_faults;

/* Keeps this thread on one of the CPUs, if that was allowed; counts round. */
void fc_pin_to(const struct fc_bench_options *options, size_t index);

/*
 * The mode random; for sweep with --order, too: a recording by size class, its calls in their
 * order.
 */
int fc_replay(const struct fc_bench_options *options, const char *mode);

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

/* Does --kernels, if it was given, name this kernel? */
bool fc_kernel_wanted(const struct fc_bench_options *options, const char *name);

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
enum { FC_FILL = 0x5a }; /* what memset sets */
void fc_body_copy(const struct fc_contender *contender, const void *call, uint64_t calls);
void fc_body_set(const struct fc_contender *contender, const void *call, uint64_t calls);

/* One call after the other through large buffers. */
struct fc_walk {
    struct fc_call call;       /* the first */
    size_t dst_step, src_step; /* 0: this pointer stays where it is */
    size_t use;     /* so many bytes of the destination are read after each call, line by line */
    uint64_t turns; /* calls until it starts again */
    uint64_t *turn; /* of the next call; kept from slice to slice, for a slice that began at the
                       start again would find there what the last one left in the cache */
};
void fc_body_walk(const struct fc_contender *contender, const void *walk, uint64_t calls);
void fc_body_walk_clear(const struct fc_contender *contender, const void *walk, uint64_t calls);

/* How long a buffer must be to be in no cache: the last level's size, within reason. */
size_t fc_memory_span(void);

/* One pass through a sequence of calls: see mix.h. */
struct fc_sequence {
    const struct fc_draw *draws, *end;
    unsigned char *dst;
    const unsigned char *src;
};
void fc_body_sequence(const struct fc_contender *contender, const void *sequence, uint64_t passes);
void fc_body_sequence_set(const struct fc_contender *contender, const void *sequence,
                          uint64_t passes);

/* Copies that wait for each other; a turn of ping is two. */
struct fc_chain {
    unsigned char *src, *dst;
    size_t n, at; /* the word that is passed on; both multiples of 8 */
    uint64_t mask;
};
void fc_body_chain(const struct fc_contender *contender, const void *chain, uint64_t turns);
void fc_body_ping(const struct fc_contender *contender, const void *chain, uint64_t turns);

/* ---- experiments ---------------------------------------------------------------------------- */

struct fc_result {
    struct fc_times times; /* median over runs of the medians over rounds */
    double ratio;          /* time of its reference / time: above 1 is faster than it */
    char verdict;          /* '+' faster, '-' slower, '=' not beyond the noise */
};

struct fc_cell {
    char group[48], label[48]; /* rows of one group stand together */
    const char *panel;         /* heat maps: where it is drawn; may be NULL */
    const void *work;          /* for the body */
    fc_body *body;             /* NULL: the experiment's */
    uint64_t calls;            /* of the contender in one call of the body; 0: one */
    size_t mean_of;            /* not raced: the geometric mean of so many cells before it */
    uint64_t bytes;            /* moved per call; 0: it has no GB/s */
    double limit;              /* GB/s that this machine could move at most; 0: not known */
    bool as_speed;             /* in text: GB/s rather than time */

    /* Filled by fc_experiment_run(). */
    unsigned runs;             /* how many were finished */
    struct fc_result *results; /* one per contender */
    double noise;              /* the A/A difference: of the baseline's medians; 0.01 is 1 % */
};

enum fc_plot {
    FC_PLOT_NONE,
    FC_PLOT_LINES, /* speed by size; a panel for each group */
    FC_PLOT_HEAT   /* groups down, labels across */
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

    /* A mode's own layout in text, after the head; NULL: rows are cells, columns contenders. */
    void (*print_text)(const struct fc_experiment *experiment,
                       const struct fc_bench_options *options);
    void *context; /* the mode's own */

    enum fc_plot plot;
    const char *plot_text; /* heat maps: what the colours show; above 1 is good */
    double (*plot_value)(const struct fc_experiment *experiment, const struct fc_cell *cell);
};

/*
 * A peer may have been named by mistake, and a wrong figure is worse than none: ends the program
 * where a contender does not do to dst what the operation is for. Fills src; it may overlap dst.
 */
void fc_contenders_verify(const struct fc_contenders *contenders, unsigned op, unsigned char *dst,
                          unsigned char *src, size_t n);

/* Ends the program where the operation is none that copies what src holds. */
void fc_require_copy(const struct fc_bench_options *options, const char *mode);

/* Two buffers of this size with room for offsets and the skew, or the end of the program. */
struct fc_buffers {
    unsigned char *src, *dst; /* dst: the skew is applied */
    void *memory;
    size_t size;
};
struct fc_buffers fc_buffers_map(const struct fc_bench_options *options, uint64_t size);
void fc_buffers_unmap(struct fc_buffers *buffers);

/* Measures, prints and releases the results. Returns the exit status. */
int fc_experiment_run(struct fc_experiment *experiment, const struct fc_bench_options *options);

/* The parts of it. */
int fc_experiment_measure(struct fc_experiment *experiment, const struct fc_bench_options *options);
void fc_experiment_release(struct fc_experiment *experiment);

/*
 * Output, in the format that the options ask for: once for each experiment; then the end, where
 * JSON is written, for it is one document.
 */
void fc_output(const struct fc_experiment *experiment, const struct fc_bench_options *options);
void fc_output_end(const struct fc_bench_options *options);

/* A figure with the three digits that a measurement has. */
struct fc_number {
    char text[16];
};
struct fc_number fc_number(double value);

#ifdef FC_WITH_JANSSON
#include <jansson.h>

/* The version of what docs/BENCH-JSON.md describes. */
#define FC_BENCH_SCHEMA 1

json_t *fc_bench_json(const struct fc_experiment *experiment,
                      const struct fc_bench_options *options);
json_t *fc_bench_json_document(const struct fc_bench_options *options, json_t *experiments);
#endif

/* Before anything is measured: can it be drawn at all? Ends the program if not. */
void fc_plot_check(const char *file);
void fc_plot(const struct fc_experiment *experiment, const char *file);

#endif
