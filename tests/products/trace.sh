#!/bin/bash
# SPDX-License-Identifier: MIT
# libfastcopy_trace.so and `fastcopy trace`: each call is recorded, in order, and the program does not notice.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

programs=$here/programs
require python3

trace_py() {
    python3 "$here/trace.py" "$@"
}

# Before a command: records it into the file trace.
recorded=(env "LD_PRELOAD=$trace" FASTCOPY_TRACE=trace)

build() {
    compile program -fno-builtin -pthread "$programs/traced.c"
}

# record CASE [CAPACITY]: runs a case of traced.c; its records are in the file records.
record() {
    trace_py create trace "${2-1000000}"
    capture program "${recorded[@]}" ./program "$1"
    trace_py list trace >records
}

case_sequence() {
    build
    record sequence
    expect program 0
    [ "$(wc -l <program.out)" = 202 ] || fail "the program made other calls: the test is blind"
    cut -d' ' -f1-6 records | diff -u program.out - || fail "recorded otherwise than called"
    # One call site is one hash: the loop has five, and two come after it.
    [ "$(cut -d' ' -f7 records | sort | uniq -c | awk '{ print $1 }' | sort -n | xargs)" = '1 1 40 40 40 40 40' ] ||
        fail "call sites: $(cut -d' ' -f7 records | sort | uniq -c)"
}

# 168 records end where a page ends: one more would be seen.
case_limit() {
    build
    local limit
    for limit in 1 5 168; do
        record sequence $limit
        expect program 0
        head -$limit program.out | diff -u - <(cut -d' ' -f1-6 records) || fail "not the first $limit"
        [ "$(trace_py header trace)" = "1 $limit 202 0" ] || fail "counts: $(trace_py header trace)"
    done
    # What is written there after the start does not count.
    trace_py create trace 168
    capture program "${recorded[@]}" ./program overstate
    expect program 0
}

# Long enough that the threads run at once: none of four million calls is lost. Of the first, each thread's
# are whole and in its order, under one number.
case_threads() {
    build
    record threads 50000
    expect program 0
    [ "$(trace_py header trace)" = '4 50000 4000000 0' ] || fail "counts: $(trace_py header trace)"
    awk '{ group = $3 / 64
           if (!(group in number)) number[group] = $6
           if ($1 != "memcpy" || number[group] != $6 || $2 != calls[group]++ % 1000) { print NR ": " $0; exit 1 }
         }' records || fail "calls are torn, doubled or out of order"
    [ "$(wc -l <records)" = 50000 ] || fail "not all were written"
}

# A child goes on in the same file as another thread, and so does the program that it becomes.
case_fork() {
    build
    record family
    expect program 0
    seq 10 49 | diff -u - <(cut -d' ' -f2 records) || fail "calls are lost"
    [ "$(cut -d' ' -f6 records | uniq -c | xargs)" = '10 0 10 1 10 2 10 0' ] ||
        fail "threads: $(cut -d' ' -f6 records | uniq -c)"
    record family_of_threads
    expect program 0
    seq 10 59 | diff -u - <(cut -d' ' -f2 records) || fail "calls are lost"
    [ "$(cut -d' ' -f6 records | uniq -c | xargs)" = '10 0 10 1 10 2 10 3 10 0' ] ||
        fail "threads of a child: $(cut -d' ' -f6 records | uniq -c)"
}

# Handlers that copy while the interrupted code records.
case_signals() {
    build
    record signals 100
    expect program 0
    read -r made handled <program.out
    [ "$handled" -ge 2000 ] || fail "no signals: the test is blind"
    [ "$(trace_py header trace)" = "1 100 $((made + handled)) 0" ] || fail "counts: $(trace_py header trace)"
}

case_kill() {
    build
    record kill
    [ "$(cat program.status)" = 137 ] || fail "it was not killed"
    seq 50 59 | diff -u - <(cut -d' ' -f2 records) || fail "calls are lost"
}

# Calls before our relocations and constructor are counted and do no harm.
case_early() {
    compile libearly.so -shared -fPIC -fno-builtin -fno-stack-protector "$programs/early_library.c"
    compile program -fno-builtin "$programs/early.c" -L. -learly -Wl,-rpath,"$work"
    for now in '' 1; do
        trace_py create trace 1000
        capture early "${recorded[@]}" LD_BIND_NOW=$now ./program
        expect early 0
        printf 'resolver\npreinit\nconstructor\n' | diff - early.out || fail "an early call did wrong"
        # Three times 6 sizes by 10 names.
        [ "$(trace_py header trace)" = '0 1000 0 180' ] || fail "counts: $(trace_py header trace)"
    done
}

# Without the variable it does nothing but the work: no system call of its own.
case_startup() {
    require strace
    compile program "$programs/nothing.c"
    for library in "$preload" "$trace"; do
        # How often memory is mapped depends on the library's segments.
        strace -o calls -E LD_PRELOAD="$library" ./program || skip "strace cannot trace here"
        sed -E '/^(mmap|mprotect|munmap)\(/d; s/\(.*//' calls >"calls.${library##*/}"
    done
    diff -u "calls.${preload##*/}" "calls.${trace##*/}" || fail "the library makes system calls of its own"
}

case_unset() {
    build
    trace_py create trace 1000
    cp trace before
    capture program env LD_PRELOAD="$trace" ./program sequence
    expect program 0
    cmp trace before || fail "recorded without the variable"
}

# A set-uid program ignores the variable. It is linked with the library: ld.so would not preload it.
case_setuid() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    require setpriv
    cp "$trace" ./libtrace.so
    compile secure "$programs/secure.c"
    compile program -fno-builtin -pthread "$programs/traced.c" ./libtrace.so -Wl,-rpath,"$work"
    trace_py create trace 1000
    cp trace before
    chmod 755 . ./*
    chmod 666 trace
    chown nobody secure program
    as_other=(setpriv --reuid=12345 --clear-groups --)
    capture program env FASTCOPY_TRACE=trace "${as_other[@]}" ./program sequence
    expect program 0
    ! cmp -s trace before || fail "nothing recorded without set-uid: the test is blind"
    chmod u+s secure program
    capture other "${as_other[@]}" ./secure
    [ "$(cat other.status)" = 1 ] || skip "set-uid has no effect here"
    cp before trace
    capture program env FASTCOPY_TRACE=trace "${as_other[@]}" ./program sequence
    expect program 0
    cmp trace before || fail "recorded a set-uid program"
}

# Whatever the variable names: the program runs as ever, and nothing is harmed.
case_silent_errors() {
    build
    mkdir folder
    mkfifo fifo
    echo 'not a trace' >text
    head -c 100000 /dev/urandom >random
    trace_py create cut 1000
    truncate -s 20000 cut
    trace_py create other 1000 # of version 2
    printf '\2' | dd of=other bs=1 seek=12 conv=notrunc status=none
    trace_py create locked 1000
    chmod 400 locked
    local name
    for name in '' missing folder fifo text random cut other locked /dev/null /dev/zero /dev/full; do
        [ ! -f "$name" ] || [ "$name" = locked ] || cp "$name" before
        capture program env LD_PRELOAD="$trace" FASTCOPY_TRACE="$name" timeout 10 ./program sequence
        expect program 0
        [ "$(wc -l <program.out)" = 202 ] || fail "FASTCOPY_TRACE=$name changes the output"
        [ ! -f "$name" ] || [ "$name" = locked ] || cmp "$name" before || fail "it wrote into $name"
    done
}

# trace_it STATUS ARGUMENT...: fastcopy trace, its output in trace_it.*
trace_it() {
    local wanted=$1
    shift
    capture trace_it "$fastcopy" trace "$@"
    [ "$(cat trace_it.status)" = "$wanted" ] || { cat trace_it.*; fail "fastcopy trace $*: not exit status $wanted"; }
}

says() {
    grep -qx -e "$2" "trace_it.$1" || { cat trace_it.*; fail "no '$2' in $1"; }
}

case_command() {
    [ -n "$fastcopy" ] || skip "the command was not built"
    build
    trace_it 0 -o out -- ./program sequence
    says err 'fastcopy trace: 202 calls recorded in out, 0 dropped'
    cut -d' ' -f1-6 <(trace_py list out) | diff -u trace_it.out - || fail "recorded otherwise than called"
    [ "$(stat -c %s out)" = $((64 + 202 * 24)) ] || fail "the file keeps what it did not need"
    # Another run replaces it; the program's options are its own, and so is its status.
    trace_it 7 --limit=3 -o out -- bash -c './program sequence; exit 7'
    says err 'fastcopy trace: 3 calls recorded in out, [0-9]* dropped'
    trace_it 137 -o out -- ./program kill
    says err 'fastcopy trace: 10 calls recorded in out, 0 dropped'
    trace_it 127 -o out -- ./missing
    trace_it 126 -o out -- "$work"
    trace_it 1 -o "$work" -- true
    trace_it 1 -o missing/out -- true
    trace_it 1 -o /dev/null -- true
    [ ! -e out.part ] || fail "leaves out.part"
    # It is written where it was asked for, wherever the program goes.
    trace_it 0 -o out -- env -C / "$work/program" sequence
    says err 'fastcopy trace: [2-9][0-9][0-9] calls recorded in out, 0 dropped'

    "$fastcopy" trace -o out -- ./program sequence >/dev/null 2>&1
    trace_it 0 --show=out
    says out '202 calls of 1 threads; 0 more were dropped, 0 unfinished, 0 came too early'
    says out '  memcpy  *40  19\.80% .*'
    says out '  memmove  *81  40\.10% .*'
    says out '  mempcpy  *40 .*'
    says out '  memset  *41 .*'
    says out '  64-127  *12 .*'
    says out '  343  *5 .*'
    trace_it 0 --show=out --csv
    head -1 trace_it.out | grep -qx 'size,count' || fail "no size,count"
    says out '64,5'
    says out '77,1'
    [ "$(sed 1d trace_it.out | awk -F, '{ n += $2 } END { print n }')" = 202 ] || fail "not all sizes"
    trace_it 2 --show="$here/trace.sh"
    says err 'fastcopy trace: .*/trace\.sh: not a trace'
    trace_it 2 --show=missing
    [ "$(wc -l <trace_it.err)" = 1 ] || fail "not one line"
}

run_case "$@"
