/* SPDX-License-Identifier: MIT */
#include "stepper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* Loading and relocating a library takes some 20,000; more than this is a loop without end. */
#define STEP_LIMIT 5000000

#define INT3 0xcc

static void end(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void look(struct stepper_at *at) {
    if (ptrace(PTRACE_GETREGS, at->pid, NULL, &at->registers) != 0) {
        print_message("skipped: this system does not allow ptrace's GETREGS: %s\n",
                      strerror(errno));
        end(at->pid);
        skip();
    }
    uint64_t word = stepper_peek(at, at->registers.rip);
    memcpy(at->code, &word, sizeof word);
}

uint64_t stepper_peek(const struct stepper_at *at, uintptr_t address) {
    return (uint64_t)ptrace(PTRACE_PEEKTEXT, at->pid, (void *)address, NULL);
}

static void await_trap(const struct stepper_at *at) {
    int status;
    assert_int_equal(waitpid(at->pid, &status, 0), at->pid);
    if (!WIFSTOPPED(status))
        fail_msg("the child ended before the mark, status %#x", (unsigned)status);
    if (WSTOPSIG(status) != SIGTRAP) {
        end(at->pid);
        fail_msg("the child got signal %d", WSTOPSIG(status));
    }
}

/* The length of a rep movs or rep stos, or 0. */
static unsigned rep_length(const unsigned char *code) {
    unsigned prefixes = code[1] == 0x48 ? 2 : 1;
    unsigned char opcode = code[prefixes];
    bool rep = opcode == 0xa4 || opcode == 0xa5 || opcode == 0xaa || opcode == 0xab;
    return code[0] == 0xf3 && rep ? prefixes + 1 : 0;
}

/* A repeated instruction would be a step for each turn: a breakpoint after it instead. */
static void step(struct stepper_at *at) {
    unsigned length = rep_length(at->code);
    if (length == 0) {
        assert_int_equal(ptrace(PTRACE_SINGLESTEP, at->pid, NULL, NULL), 0);
        await_trap(at);
        return;
    }
    struct user_regs_struct registers;
    uintptr_t after = at->registers.rip + length;
    uint64_t word = stepper_peek(at, after);
    ptrace(PTRACE_POKETEXT, at->pid, (void *)after, (word & ~UINT64_C(0xff)) | INT3);
    assert_int_equal(ptrace(PTRACE_CONT, at->pid, NULL, NULL), 0);
    await_trap(at);
    ptrace(PTRACE_POKETEXT, at->pid, (void *)after, word);
    assert_int_equal(ptrace(PTRACE_GETREGS, at->pid, NULL, &registers), 0);
    registers.rip = after;
    assert_int_equal(ptrace(PTRACE_SETREGS, at->pid, NULL, &registers), 0);
}

void stepper_run(void (*run)(void *), void *argument, stepper_watch *watch, void *context) {
    struct stepper_at at;
    int status;
    fflush(NULL); /* the child's copy of the output is not to be written */
    at.pid = fork();
    assert_true(at.pid >= 0);
    if (at.pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(2);
        raise(SIGSTOP);
        run(argument);
        _exit(0);
    }
    assert_int_equal(waitpid(at.pid, &status, 0), at.pid);
    if (!WIFSTOPPED(status)) {
        print_message("skipped: this system does not allow ptrace\n");
        skip();
    }

    /* Executing a program is a trap, too. */
    do {
        assert_int_equal(ptrace(PTRACE_CONT, at.pid, NULL, NULL), 0);
        await_trap(&at);
        look(&at);
    } while ((stepper_peek(&at, at.registers.rip - 1) & 0xff) != INT3);

    for (unsigned long steps = 0; steps < STEP_LIMIT; steps++) {
        if (at.code[0] == INT3) {
            end(at.pid);
            return;
        }
        watch(&at, context);
        step(&at);
        look(&at);
    }
    end(at.pid);
    fail_msg("no end after %d steps", STEP_LIMIT);
}
