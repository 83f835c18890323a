/* SPDX-License-Identifier: MIT */
/*
 * The file is mapped shared, and every process of the traced program's tree appends to the same
 * one: what was written stays whatever becomes of the process (exec, _exit, kill -9), and after
 * fork there is nothing to do. A slot is claimed by one fetch_add: no lock that a signal handler,
 * a thread or a dead process could hold.
 *
 * `fastcopy trace` makes the file, at its full size: what can fail does so there. Here a file is
 * only opened, and mapped if it is a trace. Nothing is ever printed.
 */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* In .bss: calls come before relocation and before the constructor. */
static struct fc_trace_header *trace; /* NULL: not recording */
static uint64_t capacity;             /* as checked: the file's own may change */
static int decided;                   /* the constructor has been */
static uint64_t early;                /* calls until then */

/*
 * A process's number: on a page that reads as 0 in a forked child, which then takes the next one.
 * No ancestor has the same, and so each thread of the child sees that it is in another process than
 * the thread that it may be a copy of.
 */
static uint32_t *process; /* NULL: not to be had */
static uint32_t last_process;

/* The thread's number + 1, and the process that it belongs to. In the static TLS block: no call, no
 * allocation. */
static __thread uint32_t thread __attribute__((tls_model("initial-exec")));
static __thread uint32_t thread_process __attribute__((tls_model("initial-exec")));

static uint32_t process_number(void) {
    if (process == NULL)
        return 1;
    uint32_t number = __atomic_load_n(process, __ATOMIC_RELAXED);
    if (number == 0) {
        /* Counted before it is seen: a child that is forked now counts on from there. */
        uint32_t next = __atomic_add_fetch(&last_process, 1, __ATOMIC_SEQ_CST);
        if (__atomic_compare_exchange_n(process, &number, next, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            number = next; /* else another thread of this process was first, and number is its */
    }
    return number;
}

static uint16_t thread_number(void) {
    uint32_t number = process_number();
    if (thread_process != number) {
        /* A signal handler that gets in between takes another number: one more thread, no harm. */
        thread = __atomic_add_fetch(&trace->threads, 1, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        thread_process = number;
    }
    return thread <= UINT16_MAX ? (uint16_t)(thread - 1) : UINT16_MAX;
}

static int32_t clamp(intptr_t distance) {
    return distance > INT32_MAX ? INT32_MAX : distance < INT32_MIN ? INT32_MIN : (int32_t)distance;
}

/* Fibonacci hashing: the high half of the product depends on every bit of the address. */
static uint32_t hash(const void *address) {
    return (uint32_t)((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

void fc_trace_record(enum fc_trace_op op, const void *dst, uintptr_t src, size_t n,
                     const void *caller) {
    struct fc_trace_header *header = __atomic_load_n(&trace, __ATOMIC_ACQUIRE);
    if (header == NULL) {
        if (!__atomic_load_n(&decided, __ATOMIC_RELAXED))
            __atomic_fetch_add(&early, 1, __ATOMIC_RELAXED);
        return;
    }
    uint16_t number = thread_number();
    uint64_t slot = __atomic_fetch_add(&header->calls, 1, __ATOMIC_RELAXED);
    if (slot >= capacity)
        return;
    struct fc_trace_record *record = (struct fc_trace_record *)(header + 1) + slot;
    const uintptr_t low = ((uintptr_t)1 << FC_TRACE_ADDRESS_BITS) - 1;
    record->size = n;
    record->caller = hash(caller);
    record->dst = (uint16_t)((uintptr_t)dst & low);
    if (op != FC_TRACE_memset) {
        record->src = (uint16_t)(src & low);
        record->distance = clamp((intptr_t)((uintptr_t)dst - src));
    }
    record->thread = number;
    /* Last, so that a record with an operation is whole. */
    __atomic_store_n(&record->op, (uint8_t)op, __ATOMIC_RELEASE);
}

/* NULL if it is no trace, or none that this version may write. */
static struct fc_trace_header *map(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return NULL;
    struct fc_trace_header *header = MAP_FAILED;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size >= (off_t)sizeof *header)
        header = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (header == MAP_FAILED)
        return NULL;
    capacity = __atomic_load_n(&header->capacity, __ATOMIC_RELAXED);
    if (fc_trace_check(header, (uint64_t)status.st_size) == NULL &&
        header->address_bits == FC_TRACE_ADDRESS_BITS &&
        capacity <= fc_trace_room((uint64_t)status.st_size))
        return header;
    munmap(header, (size_t)status.st_size);
    return NULL;
}

static uint32_t *map_process_page(void) {
#ifdef MADV_WIPEONFORK
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    uint32_t *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) == 0)
        return page;
    if (page != MAP_FAILED)
        munmap(page, size);
#endif
    return NULL; /* then a child's thread goes on under the number of the one that forked */
}

__attribute__((constructor)) static void construct(void) {
    int saved = errno;
    const char *path = secure_getenv(FC_TRACE_ENV);
    struct fc_trace_header *header = path != NULL ? map(path) : NULL;
    if (header != NULL) {
        process = map_process_page();
        __atomic_fetch_add(&header->early, early, __ATOMIC_RELAXED);
        __atomic_store_n(&trace, header, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&decided, 1, __ATOMIC_RELAXED);
    errno = saved;
}
