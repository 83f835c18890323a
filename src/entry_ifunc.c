/* SPDX-License-Identifier: MIT */
/*
 * The operations as GNU IFUNC symbols: the dynamic linker asks once and binds callers to the kernel
 * itself. Only for the shared library that programs link: their dependencies are relocated before
 * them. (A preloaded library is relocated after the libraries that bind to it; see
 * docs/ARCHITECTURE.md.)
 */
#include <elf.h>
#include <link.h>

#include "dispatch.h"

/* The start of the process's stack: argc, argv, NULL, environment, NULL, auxiliary vector. */
extern void *__libc_stack_end __attribute__((weak));

/*
 * Was this object relocated? A program that binds to it without naming it in DT_NEEDED may ask
 * before. `self` holds its own address only after relocation.
 */
static int relocated(void) {
    static void *volatile self = (void *)&self;
    return self == (void *)&self;
}

/* FASTCOPY_TUNABLES from above the stack: getenv cannot be called yet. NULL in set-uid programs. */
static const char *read_environment(void) {
    if (&__libc_stack_end == NULL || __libc_stack_end == NULL)
        return NULL;
    uintptr_t argc = *(uintptr_t *)__libc_stack_end;
    char **environment = (char **)__libc_stack_end + 1 + argc + 1;
    const char *found = NULL;
    char **variable = environment;
    for (; *variable != NULL; variable++) {
        static const char name[] = FC_TUNABLES_ENV "=";
        size_t i = 0;
        while (name[i] != '\0' && (*variable)[i] == name[i])
            i++;
        if (name[i] == '\0' && found == NULL)
            found = *variable + i;
    }
    for (const ElfW(auxv_t) *entry = (const ElfW(auxv_t) *)(variable + 1); entry->a_type != AT_NULL;
         entry++)
        if (entry->a_type == AT_SECURE)
            return entry->a_un.a_val != 0 ? NULL : found;
    return NULL;
}

static fastcopy_function *resolve(unsigned op) {
    if (relocated())
        fc_dispatch_init(read_environment());
    fastcopy_function *kernel = __atomic_load_n(&fc_slots[op], __ATOMIC_ACQUIRE);
    return kernel != NULL ? kernel : fc_kernel_entry(fc_family_baseline(fc_op_family(op)), op);
}

/* What glibc hands to resolvers: on AArch64 what the CPU can do. */
#ifndef FC_RESOLVER_PARAMETERS
#define FC_RESOLVER_PARAMETERS void
#define FC_RESOLVER_TAKE
#endif

/* The declaration in fastcopy.h, with its resolver. */
#define FC_OP(op, family)                                                                          \
    __attribute__((used)) static __typeof__(fastcopy_##op) *resolve_##op(FC_RESOLVER_PARAMETERS) { \
        FC_RESOLVER_TAKE                                                                           \
        return (__typeof__(fastcopy_##op) *)resolve(FC_OP_##op);                                   \
    }                                                                                              \
    extern __typeof__(fastcopy_##op) fastcopy_##op __attribute__((ifunc("resolve_" #op)));
#define FC_TRY_OP(op, family) /* in fault.c: their kernels change when the handler is installed */
#include "ops.def"
#undef FC_OP

const char fc_dispatch_form[] = "ifunc";
const int fc_dispatch_movable = 0;
const unsigned char fc_dispatch_serves[FC_OP_COUNT] = {
#define FC_OP(op, family) 1,
#include "ops.def"
#undef FC_OP
};
