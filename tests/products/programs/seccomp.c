/* SPDX-License-Identifier: MIT */
/*
 * Runs a program under a filter that kills it at any system call but those that ld.so and libc need
 * to start and end a process. Exit status 99: no seccomp here.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(call)                                                                                \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

int main(int argc, char **argv) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(__NR_execve),
        ALLOW(__NR_exit_group),
        ALLOW(__NR_openat),
        ALLOW(__NR_read),
        ALLOW(__NR_pread64),
        ALLOW(__NR_write),
        ALLOW(__NR_close),
        ALLOW(__NR_fstat),
        ALLOW(__NR_newfstatat),
        ALLOW(__NR_faccessat),
#ifdef __NR_access
        ALLOW(__NR_access),
#endif
        ALLOW(__NR_brk),
        ALLOW(__NR_mmap),
        ALLOW(__NR_munmap),
        ALLOW(__NR_mprotect),
#ifdef __NR_arch_prctl
        ALLOW(__NR_arch_prctl),
#endif
        ALLOW(__NR_set_tid_address),
        ALLOW(__NR_set_robust_list),
        ALLOW(__NR_rseq),
        ALLOW(__NR_prlimit64),
        ALLOW(__NR_getrandom),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("seccomp");
        return 99;
    }
    execv(argv[1][0] == '.' || argv[1][0] == '/' ? argv[1] : "/usr/bin/env", argv + 1);
    return 99;
}
