/* SPDX-License-Identifier: MIT */
/*
 * Looks at each instruction that a child process executes between two marks. x86_64 Linux only.
 */
#ifndef FC_STEPPER_H
#define FC_STEPPER_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

/* What the child is about to execute. */
struct stepper_at {
    pid_t pid;
    struct user_regs_struct registers;
    unsigned char code[8]; /* 0xff where the memory ends before that */
};

typedef void stepper_watch(const struct stepper_at *at, void *context);

/* int3: the child stops here when it is traced. told is in rdi at the first instruction that is
 * watched. */
static inline __attribute__((always_inline)) void stepper_mark(const void *told) {
    __asm__ volatile("int3" : : "D"(told) : "memory");
}

/*
 * Calls run(argument) in a child, which may execute another program; it has to pass two marks. The
 * watcher sees each instruction after the first one and before the second one, rep movs and rep
 * stos once; the child ends there. Skips the test where the system refuses to trace (containers,
 * emulators).
 */
void stepper_run(void (*run)(void *argument), void *argument, stepper_watch *watch, void *context);

/* A word of the child's memory. */
uint64_t stepper_peek(const struct stepper_at *at, uintptr_t address);

#endif
