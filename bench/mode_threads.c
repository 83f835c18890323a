/* SPDX-License-Identifier: MIT */
/*
 * threads: several threads that copy at once, each its own buffers, on its own CPU. Caches and
 * memory that they share are the limit then, and a kernel that wins alone may lose.
 *
 * A call of the body is a copy by each thread of the crew; it ends when the last of them has ended.
 */
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

static const uint64_t all_sizes[] = {64 << 10, 1 << 20, 16 << 20, 0};
static const uint64_t brief_sizes[] = {1 << 20, 0};

/* ---- the crew ------------------------------------------------------------------------------- */

struct job {
    const struct fc_contender *contender;
    size_t n;
    uint64_t calls;
    unsigned threads; /* the first so many take part */
};

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t jobs;       /* how many there were */
    unsigned busy;       /* threads not done with the last; before the first: not ready */
    atomic_uint waiting; /* threads that will start it together, and are not here yet */
    struct job job;      /* calls 0: all go home */
    const struct fc_bench_options *options;
    uint64_t largest;
    struct member {
        struct crew *crew;
        unsigned index;
        pthread_t thread;
        struct fc_buffers buffers;
    } * members; /* the first is the main thread */
    unsigned count;
};

/*
 * A thread that is woken first must not copy alone while the others wake. It lets others run, for
 * there may be more threads than CPUs.
 */
static void start_together(struct crew *crew) {
    atomic_fetch_sub(&crew->waiting, 1);
    while (atomic_load(&crew->waiting) > 0)
        sched_yield();
}

static void do_part(struct member *member, const struct job *job) {
    const struct fc_call call = {member->buffers.dst, member->buffers.src, job->n};
    start_together(member->crew);
    fc_body_copy(job->contender, &call, job->calls);
}

static void report_done(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    if (--crew->busy == 0)
        pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

static void wait_for_all(struct crew *crew) {
    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

/* Memory belongs to the node of the CPU that touches it first: so each touches its own, there. */
static void move_in(struct member *member) {
    const struct fc_bench_options *options = member->crew->options;
    fc_pin_to(options, member->index);
    member->buffers = fc_buffers_map(options, member->crew->largest);
}

static void *live(void *data) {
    struct member *member = data;
    struct crew *crew = member->crew;
    move_in(member);
    report_done(crew);
    for (uint64_t seen = 0;;) {
        pthread_mutex_lock(&crew->lock);
        while (crew->jobs == seen)
            pthread_cond_wait(&crew->changed, &crew->lock);
        seen = crew->jobs;
        struct job job = crew->job;
        pthread_mutex_unlock(&crew->lock);
        if (job.calls == 0)
            return NULL;
        if (member->index < job.threads) {
            do_part(member, &job);
            report_done(crew);
        }
    }
}

static void announce(struct crew *crew, const struct job *job) {
    pthread_mutex_lock(&crew->lock);
    crew->job = *job;
    crew->jobs++;
    crew->busy = job->threads;
    atomic_store(&crew->waiting, job->threads);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

static void gather_crew(struct crew *crew) {
    crew->busy = crew->count;
    crew->members = fc_allocate(crew->count, sizeof *crew->members);
    for (unsigned i = 0; i < crew->count; i++) {
        struct member *member = &crew->members[i];
        *member = (struct member){.crew = crew, .index = i};
        if (i == 0)
            continue;
        if (pthread_create(&member->thread, NULL, live, member) != 0)
            fc_usage_error(&fc_command_bench, "cannot start %u threads", crew->count);
    }
    move_in(&crew->members[0]);
    report_done(crew);
    wait_for_all(crew);
}

static void dismiss_crew(struct crew *crew) {
    announce(crew, &(struct job){.calls = 0});
    for (unsigned i = 1; i < crew->count; i++)
        pthread_join(crew->members[i].thread, NULL);
    for (unsigned i = 0; i < crew->count; i++)
        fc_buffers_unmap(&crew->members[i].buffers);
    free(crew->members);
}

/* ---- the mode ------------------------------------------------------------------------------- */

struct work {
    struct crew *crew;
    size_t n;
    unsigned threads;
};

static FC_BODY void body(const struct fc_contender *contender, const void *work, uint64_t calls) {
    const struct work *this = work;
    struct job job = {contender, this->n, calls, this->threads};
    announce(this->crew, &job);
    do_part(&this->crew->members[0], &job);
    report_done(this->crew);
    wait_for_all(this->crew);
}

/* 1, 2, 4, ... and the number itself. */
static unsigned next_number(unsigned threads, unsigned most) {
    return threads < most && 2 * threads > most ? most : 2 * threads;
}

struct table {
    struct fc_cell *cells;
    struct work *works;
    size_t count;
};

/* What each thread does is measured; what all do together is shown below it. */
static void add_rows(struct table *table, struct crew *crew, uint64_t n, unsigned threads) {
    for (unsigned all = 0; all < (threads > 1 ? 2 : 1); all++) {
        struct fc_cell *cell = &table->cells[table->count];
        struct work *work = &table->works[table->count++];
        *work = (struct work){crew, n, threads};
        snprintf(cell->group, sizeof cell->group, "%u thread%s", threads, threads > 1 ? "s" : "");
        snprintf(cell->label, sizeof cell->label, "%s%s", fc_size_text(n).text,
                 threads == 1 ? ""
                 : all        ? " all"
                              : " each");
        cell->work = work;
        cell->mean_of = all;
        cell->bytes = all ? threads * n : n;
        cell->as_speed = true;
    }
}

static int run(const struct fc_bench_options *options) {
    const uint64_t *sizes = options->sizes != NULL ? options->sizes
                            : options->brief       ? brief_sizes
                                                   : all_sizes;
    struct crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER,
                        .options = options,
                        .count =
                            options->threads > 0 ? options->threads : (unsigned)options->cpu_count};
    size_t count = 0, numbers = 0;
    for (; sizes[count] != 0; count++)
        crew.largest = sizes[count] > crew.largest ? sizes[count] : crew.largest;
    for (unsigned threads = 1; threads <= crew.count; threads = next_number(threads, crew.count))
        numbers++;
    if (crew.largest > UINT64_MAX / 2 / crew.count ||
        !fc_memory_fits(2 * crew.largest * crew.count))
        fc_usage_error(&fc_command_bench, "%u times two buffers of %s do not fit into memory",
                       crew.count, fc_size_text(crew.largest).text);

    struct table table = {.cells = fc_allocate(2 * count * numbers, sizeof *table.cells),
                          .works = fc_allocate(2 * count * numbers, sizeof *table.works)};
    for (unsigned threads = 1; threads <= crew.count; threads = next_number(threads, crew.count))
        for (size_t i = 0; i < count; i++)
            add_rows(&table, &crew, sizes[i], threads);
    fc_require_copy(options, "threads");
    char title[96];
    snprintf(title, sizeof title, "%s by 1 to %u threads at once, %zu CPUs: bytes copied",
             fc_op_name(options->op), crew.count, options->cpu_count);
    struct fc_experiment experiment = {
        .mode = "threads",
        .title = title,
        .group_name = "threads",
        .label_name = "size",
        .body = body,
        .contenders = fc_contenders_gather(options),
        .cells = table.cells,
        .count = table.count,
        .rounds = 9,
        .slice = 5e6, /* starting together takes some microseconds */
        .time_unit = "ns",
    };
    gather_crew(&crew);
    fc_contenders_verify(&experiment.contenders, options->op, crew.members[0].buffers.dst,
                         crew.members[0].buffers.src, sizes[0]);
    int status = fc_experiment_run(&experiment, options);
    dismiss_crew(&crew);
    free(experiment.contenders.list);
    free(table.works);
    free(table.cells);
    return status;
}

const struct fc_bench_mode fc_mode_threads = {
    .name = "threads",
    .run = run,
    .help = "several threads that copy at once: each, and all together",
    .takes = "sizes skew threads",
};
