#!/bin/bash
# SPDX-License-Identifier: MIT
# libfastcopy_preload.so under small programs: that it is used, from the first moment on, and costs nothing
# but memory.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

programs=$here/programs

# bound FILE SYMBOL VERSION: LD_DEBUG=bindings in FILE says that the program's symbol is ours.
bound() {
    grep -q "binding file \./program \[0\] to $preload \[0\]: normal symbol \`$2' \[$3\]" "$1" ||
        { grep "\`$2'" "$1" || true; fail "$2@$3 of the program is not bound to the preload library"; }
}

case_used() {
    compile program "$programs/names.c" -ldl
    "${preloaded[@]}" ./program >names
    [ "$(wc -l <names)" = 12 ] || fail "expected 12 names: $(cat names)"
    while read -r name file; do
        [ "$file" = "$preload" ] || fail "$name is in $file"
    done <names
}

case_versions() {
    [ "$arch" = x86_64 ] || skip "only x86_64 has memcpy@GLIBC_2.2.5"
    compile program -fno-builtin "$programs/versions.c"
    for now in '' 1; do
        LD_BIND_NOW=$now LD_DEBUG=bindings LD_DEBUG_OUTPUT=bindings "${preloaded[@]}" ./program ||
            fail "program: exit status $?"
        cat bindings.* >all
        bound all memcpy GLIBC_2.2.5
        bound all memcpy GLIBC_2.14
        rm bindings.*
    done
}

checked='memcpy memmove mempcpy memset'

case_chk_used() {
    compile program -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 "$programs/checked.c"
    LD_DEBUG=bindings LD_DEBUG_OUTPUT=bindings "${preloaded[@]}" ./program fits || fail "program: exit status $?"
    cat bindings.* >all
    for name in $checked; do
        bound all "__${name}_chk" GLIBC_2.3.4
    done
}

# Like glibc's own: same words, same signal.
case_chk_abort() {
    compile program -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 "$programs/checked.c"
    for name in $checked; do
        capture libc ./program "$name"
        [ "$(cat libc.status)" = 134 ] || fail "libc's __${name}_chk does not abort: the test is blind"
        grep -qxF '*** buffer overflow detected ***: terminated' libc.err || fail "$name: $(cat libc.err)"
        capture ours "${preloaded[@]}" ./program "$name"
        same libc ours
    done
}

# memcpy and its kin called before our relocations and our constructor.
# resolvers_may_call NOW: on ppc64 they may not, with any library: LD_BIND_NOW=1 runs them before the PLT of their own library
# is filled in, and a descriptor (ELFv1) of a library that is relocated later is not filled in either.
resolvers_may_call() {
    compile simple.so -shared -fPIC -fno-builtin -ffreestanding "$programs/simple_preload.c"
    capture control env LD_BIND_NOW="$1" ./program
    capture preload env LD_BIND_NOW="$1" "$(preloading "$work/simple.so")" ./program
    [ "$(cat control.status preload.status)" = $'0\n0' ]
}

# compile_early FLAG...: the program and the library that calls early.
compile_early() {
    compile libearly.so -shared -fPIC -fno-builtin -fno-stack-protector "$@" "$programs/early_library.c"
    compile program -fno-builtin "$@" "$programs/early.c" -L. -learly -Wl,-rpath,"$work"
}

case_early() {
    local now expected=$'resolver\npreinit\nconstructor'
    compile_early
    for now in '' 1; do
        if [ "$arch" = ppc64 ] && ! resolvers_may_call "$now"; then
            echo "LD_BIND_NOW=$now: resolvers crash without us, too: not tested"
            compile_early -DNO_RESOLVER
            expected=$'preinit\nconstructor'
        fi
        capture early "${preloaded[@]}" LD_BIND_NOW=$now ./program
        expect early 0
        echo "$expected" | diff - early.out || fail "not called as early as expected"
        # The test means something only if our own constructor comes after the library's.
        LD_DEBUG=files "${preloaded[@]}" ./program 2>&1 | sed -n 's/.*calling init: //p' >order
        [ "$(grep -n libearly order | cut -d: -f1)" -lt "$(grep -nF "$preload" order | cut -d: -f1)" ] ||
            fail "libearly's constructor came after ours: the test is blind"
    done
}

# trace LIBRARY: what system calls the program makes with it preloaded, to the file trace.
trace() {
    if [ -n "$emulator" ]; then
        QEMU_STRACE=1 QEMU_SET_ENV=LD_PRELOAD=$1 ./program 2>trace
    else
        strace -f -o trace -E LD_PRELOAD="$1" ./program || skip "strace cannot trace here"
    fi
}

# Start-up makes the system calls of ld.so and no others: compared with an empty library. Where there is SVE it asks
# for the kernel's release.
case_startup() {
    [ -n "$emulator" ] || require strace
    echo >empty.c
    compile empty.so -shared -fPIC empty.c
    compile program "$programs/nothing.c"
    if [ "$arch" = aarch64 ]; then
        check_calls uname
        export QEMU_CPU=max,sve=off
    fi
    check_calls ''
}

# check_calls ADDED: the one call that the library makes, or none.
check_calls() {
    for library in "$work/empty.so" "$preload"; do
        # How often memory is mapped depends on the library's segments.
        trace "$library"
        sed -E "s,^[0-9]+ +,,; s,\"$library\",LIBRARY,; /^(mmap|mprotect|munmap)\(/d" trace |
            sed -E 's,^(open[a-z0-9]*\([^)]*\)).*,\1,; /^open/!s,\(.*,,' >"calls.${library##*/}"
    done
    grep -q openat calls.empty.so || fail "no openat in the trace: the test is blind"
    diff calls.empty.so "calls.${preload##*/}" >added || true
    [ "$(sed -n 's/^[<>] //p' added)" = "$1" ] || { cat added; fail "the library makes system calls of its own"; }
}

# The same from the kernel's side: any unusual system call kills the process.
case_seccomp() {
    compile strict "$programs/seccomp.c"
    compile program "$programs/nothing.c"
    capture allowed ./strict ./program
    [ "$(cat allowed.status)" != 99 ] || skip "no seccomp here: $(cat allowed.err)"
    expect allowed 0
    capture denied ./strict ./program getppid
    [ "$(cat denied.status)" = 159 ] || fail "the filter does not kill: the test is blind"
    for now in '' 1; do
        capture ours ./strict "${preloaded[@]}" LD_BIND_NOW=$now ./program
        expect ours 0
    done
}

case_no_proc() {
    require unshare
    compile program "$programs/nothing.c"
    hide=(unshare -m)
    [ "$(id -u)" = 0 ] || hide=(unshare -rm)
    "${hide[@]}" mount -t tmpfs none /proc 2>/dev/null || skip "no rights to hide /proc"
    # shellcheck disable=SC2016 # for the inner shell
    capture ours "${hide[@]}" sh -c 'mount -t tmpfs none /proc && mount -t tmpfs none /sys &&
        ! test -e /proc/self && LD_PRELOAD=$0 exec ./program' "$preload"
    expect ours 0
}

case_fork() {
    compile program "$programs/fork.c"
    for now in '' 1; do
        capture ours "${preloaded[@]}" LD_BIND_NOW=$now ./program
        expect ours 0
    done
}

# Threads that copy while others load and unload libraries, ours included: it stays (nodelete).
case_threads() {
    compile libother.so -shared -fPIC "$programs/other_library.c"
    compile program "$programs/threads.c" -pthread -ldl
    for now in '' 1; do
        capture ours "${preloaded[@]}" LD_BIND_NOW=$now ./program ./libother.so "$soname" "$preload"
        expect ours 0
    done
}

# A fault inside a kernel can be traced back to the caller: needs CFI in the assembly.
case_backtrace() {
    compile program -rdynamic -fno-builtin "$programs/backtrace.c"
    if [ -n "$emulator" ]; then
        capture libc ./program 8
        grep -B1 '(the_caller+' libc.out | grep -q libc ||
            skip "nor is libc's memcpy found behind the emulator's signal frame"
    fi
    for size in 8 100 1000 100000 10000000; do
        capture ours "${preloaded[@]}" ./program $size
        expect ours 0
        grep -qF "$preload" ours.out || fail "$size bytes: no frame of ours: the test is blind"
        grep -q '(the_caller+' ours.out || { cat ours.out; fail "$size bytes: the caller is not found"; }
    done
}

run_case "$@"
