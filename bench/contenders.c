/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct fc_contender *fc_contenders_add(struct fc_contenders *contenders, const char *label,
                                       fastcopy_function *function) {
    struct fc_contender *list =
        realloc(contenders->list, (contenders->count + 1) * sizeof *contenders->list);
    if (list == NULL) {
        perror("fastcopy");
        exit(FC_EXIT_FAILED);
    }
    contenders->list = list;
    struct fc_contender *added = &list[contenders->count++];
    *added = (struct fc_contender){.function = function};
    snprintf(added->label, sizeof added->label, "%s", label);
    return added;
}

static fastcopy_function *find_symbol(void *handle, const char *symbol) {
    /* ISO C has no conversion from an object pointer to a function pointer; POSIX says it works. */
    fastcopy_function *function;
    *(void **)&function = dlsym(handle, symbol);
    return function;
}

fastcopy_function *fc_libc_function(const char *name) {
    /* Asked by file name, glibc answers with its own function also under LD_PRELOAD. */
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    return find_symbol(libc != NULL ? libc : RTLD_NEXT, name);
}

fastcopy_function *fc_peer_function(const char *file, const char *symbol, const char **error) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        *error = dlerror();
        return NULL;
    }
    fastcopy_function *function = find_symbol(handle, symbol);
    if (function == NULL) {
        *error = dlerror();
        return NULL;
    }
    /* dlsym also looks through what the object depends on: that would measure libc under its name.
     */
    struct link_map *map;
    Dl_info where;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && dladdr(*(void **)&function, &where) != 0 &&
        strcmp(map->l_name, where.dli_fname) != 0) {
        *error = "it has no such function of its own";
        return NULL;
    }
    return function;
}

fastcopy_function *fc_product_function(const char *file, const char *symbol) {
    char path[PATH_MAX];
    const char *error = "not found";
    fastcopy_function *function =
        fc_find_file(file, path) ? fc_peer_function(path, symbol, &error) : NULL;
    if (function == NULL)
        fprintf(stderr, "fastcopy bench: %s: %s: %s\n", file, symbol, error);
    return function;
}

typedef const fastcopy_variant *variants_function(const char *op, size_t *count);

/* Of libfastcopy.so, or our own. */
static variants_function *find_variants(void) {
    static variants_function *variants;
    if (variants == NULL)
        variants = (variants_function *)fc_product_function(FC_SHARED_LIBRARY, "fastcopy_variants");
    if (variants == NULL)
        variants = fastcopy_variants;
    return variants;
}

const fastcopy_variant *fc_bench_variants(const char *op, size_t *count) {
    return find_variants()(op, count);
}

bool fc_bench_variants_are_near(void) {
    return find_variants() == fastcopy_variants;
}

fastcopy_function *fc_empty_function(unsigned op) {
    return fc_product_function("libfastcopy_empty.so",
                               fc_op_sets(op) ? "fastcopy_empty_set" : "fastcopy_empty_copy");
}

/* FILE.so[:symbol]; labelled with the file's name, or the symbol's if that was given. */
static void add_peer(struct fc_contenders *contenders, const struct fc_bench_options *options,
                     const char *peer) {
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s", peer);
    const char *label = strrchr(peer, '/') != NULL ? strrchr(peer, '/') + 1 : peer;
    const char *symbol = fc_op_name(options->op);
    char *colon = strrchr(file, ':');
    if (colon != NULL) {
        *colon = '\0';
        label = symbol = colon + 1;
    }
    const char *error = NULL;
    fastcopy_function *function = fc_peer_function(file, symbol, &error);
    if (function == NULL)
        fc_usage_error(&fc_command_bench, "--peer %s: %s: %s", file, symbol, error);
    fc_contenders_add(contenders, label, function);
}

static bool listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *item = list; item != NULL; item = strchr(item, ',')) {
        item += *item == ',';
        if (strncmp(item, name, length) == 0 && (item[length] == ',' || item[length] == '\0'))
            return true;
    }
    return false;
}

bool fc_kernel_wanted(const struct fc_bench_options *options, const char *name) {
    return options->kernels == NULL || listed(options->kernels, name);
}

static void check_names(const struct fc_bench_options *options) {
    size_t count;
    const fastcopy_variant *kernels = fc_bench_variants(fc_op_name(options->op), &count);
    for (const char *list = options->kernels; list != NULL && *list != '\0';) {
        size_t length = strcspn(list, ","), i = 0;
        while (i < count &&
               (strlen(kernels[i].name) != length || strncmp(kernels[i].name, list, length) != 0))
            i++;
        if (i == count)
            fc_usage_error(&fc_command_bench, "%s has no kernel '%.*s'", fc_op_name(options->op),
                           (int)length, list);
        list += length + (list[length] == ',');
    }
}

/* libc's function of the operation; the ordinary one for a streaming one, which libc does not
 * offer. */
static fastcopy_function *libc_op(unsigned op) {
    fastcopy_function *function = fc_libc_function(fc_op_name(op));
    return function != NULL ? function : fc_libc_function(fc_op_sets(op) ? "memset" : "memcpy");
}

/* The kernels that are wanted and usable; selected ones, or the others. */
static void add_kernels(struct fc_contenders *contenders, const struct fc_bench_options *options,
                        bool selected) {
    size_t count;
    const fastcopy_variant *kernel = fc_bench_variants(fc_op_name(options->op), &count);
    for (; count-- > 0; kernel++) {
        bool named = options->kernels != NULL && listed(options->kernels, kernel->name);
        if (kernel->selected != selected ||
            (options->kernels != NULL && !named && strcmp(options->baseline, kernel->name) != 0))
            continue;
        if (kernel->usable)
            fc_contenders_add(contenders, kernel->name, kernel->entry)->selected = selected;
        else if (named)
            fprintf(stderr, "fastcopy bench: this CPU cannot run %s (needs %s): skipped\n",
                    kernel->name, kernel->needs);
    }
}

struct fc_contenders fc_contenders_gather(const struct fc_bench_options *options) {
    struct fc_contenders all = {NULL, 0};
    check_names(options);
    fc_contenders_add(&all, "libc", libc_op(options->op));
    add_kernels(&all, options, true);
    add_kernels(&all, options, false);
    for (size_t i = 0; i < options->peer_count; i++)
        add_peer(&all, options, options->peers[i]);

    size_t baseline = 0;
    while (baseline < all.count && strcmp(all.list[baseline].label, options->baseline) != 0)
        baseline++;
    if (baseline == all.count)
        fc_usage_error(&fc_command_bench, "--baseline: there is no '%s' to race here",
                       options->baseline);
    struct fc_contenders ordered = {NULL, 0};
    *fc_contenders_add(&ordered, "", NULL) = all.list[baseline];
    fc_contenders_add(&ordered, "A/A", all.list[baseline].function);
    for (size_t i = 0; i < all.count; i++)
        if (i != baseline)
            *fc_contenders_add(&ordered, "", NULL) = all.list[i];
    free(all.list);
    return ordered;
}

void fc_contenders_verify(const struct fc_contenders *contenders, unsigned op, unsigned char *dst,
                          unsigned char *src, size_t n) {
    unsigned char *expected = fc_allocate(n, 1);
    bool set = fc_op_sets(op);
    for (size_t i = 0; i < contenders->count; i++) {
        const struct fc_contender *contender = &contenders->list[i];
        const struct fc_call call = {dst, src, n};
        memset(dst, ~FC_FILL, n);
        fc_memory_fill(src, n); /* after dst, for it may be a part of it */
        if (set)
            memset(expected, FC_FILL, n);
        else
            memcpy(expected, src, n);
        (set ? fc_body_set : fc_body_copy)(contender, &call, 1);
        for (size_t k = 0; k < n; k++)
            if (dst[k] != expected[k])
                fc_usage_error(&fc_command_bench, "%s is wrong: byte %zu of %zu was not %s",
                               contender->label, k, n, set ? "set" : "copied");
    }
    free(expected);
}

void fc_require_copy(const struct fc_bench_options *options, const char *mode) {
    if (fc_op_sets(options->op))
        fc_usage_error(&fc_command_bench, "%s: memset copies nothing", mode);
}
