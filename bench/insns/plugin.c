/* SPDX-License-Identifier: MIT */
/*
 * A plugin for qemu-user 7.2: counts the instructions that its guest executes between the marks of
 * guest.c, and writes the number to standard output.
 *
 * Debian 12 packages no header for plugins. What is used is declared here, from QEMU's
 * documentation ("QEMU TCG Plugins"), version 1 of the interface.
 */
#include "marks.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;   /* instructions that are translated together */
struct qemu_plugin_insn; /* one of them */
enum { QEMU_PLUGIN_INLINE_ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*translated)(qemu_plugin_id_t,
                                                              struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int operation,
                                                void *counter, uint64_t amount);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id,
                                          void (*called)(qemu_plugin_id_t, unsigned vcpu,
                                                         int64_t number, uint64_t a1, uint64_t a2,
                                                         uint64_t a3, uint64_t a4, uint64_t a5,
                                                         uint64_t a6, uint64_t a7, uint64_t a8));

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

/* The guest has one thread, so one counter does. */
static uint64_t executed;
static uint64_t at_begin;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
        qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_tb_get_insn(tb, i),
                                                   QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
}

static void called(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t mark, uint64_t a2,
                   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8) {
    (void)id, (void)vcpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number != FC_MARK_SYSCALL)
        return;
    if (mark == FC_MARK_BEGIN)
        at_begin = executed;
    if (mark == FC_MARK_END) {
        printf("%" PRIu64 "\n", executed - at_begin);
        fflush(stdout);
    }
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
