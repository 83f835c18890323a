#!/bin/sh
# SPDX-License-Identifier: MIT
# The fastcopy command: arguments, output, exit statuses. Usage: test_cli.sh PATH_OF_FASTCOPY
set -u
fastcopy=${1:?the path of the fastcopy command}
unset FASTCOPY_TUNABLES LD_PRELOAD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT... runs the command; its output is in $dir/out and $dir/err.
expect() {
    wanted=$1
    shift
    "$fastcopy" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "fastcopy $*: exit status $status, not $wanted"
}

# A wrong argument: one line that says why, then the usage, nothing on stdout.
expect_usage() {
    expect 2 "$@"
    if [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" -ne 2 ] || ! sed -n 2p "$dir/err" | grep -q '^Usage: '
    then fail "fastcopy $*: not an error line and a usage line"
    fi
}

says() { # FILE PATTERN
    grep -q -e "$2" "$dir/$1" || fail "no '$2' in $1"
}

# ---- arguments
expect_usage
expect_usage nonsense
expect_usage help nonsense
for command in info run check bench; do
    expect_usage $command --nonsense
    expect 0 help $command
    says out "^Usage: fastcopy $command"
    expect 0 $command --help
    says out "^Usage: fastcopy $command"
done
expect 0 --help
says out '^Usage: fastcopy COMMAND'
expect 0 help
expect 0 --version
says out '^fastcopy [0-9]'
expect_usage info surplus
expect_usage run
expect_usage check --op=nonsense
expect_usage check --kernel=nonsense
expect_usage check --seconds=-1
expect_usage check surplus

# ---- info
expect 0 info
says out '^libfastcopy '
says out '^memcpy, memmove, mempcpy$'
says out '^  \* .* selected: first usable'
[ "$(awk 'length > 100' "$dir/out" | wc -l)" -eq 0 ] || fail 'info is wider than 100 columns'
FASTCOPY_TUNABLES=memcpy=generic:nonsense=1:nt_threshold=1M expect 0 info
says out '^  \* generic .* selected: forced by FASTCOPY_TUNABLES'
says out '^  nonsense=1: '
says out '^nt_threshold  *1M  FASTCOPY_TUNABLES'
if "$fastcopy" info --json >"$dir/out" 2>"$dir/err"; then
    if command -v python3 >/dev/null; then
        python3 -m json.tool <"$dir/out" >/dev/null || fail 'info --json is not JSON'
    fi
    says out '"version"'
else
    expect_usage info --json
    says err jansson
fi

# ---- run
"$fastcopy" run true 2>"$dir/err"
if grep -q 'not where it was installed' "$dir/err"; then
    echo 'skipped: run (libfastcopy_preload.so was not built)'
elif grep -q 'ASan runtime does not come first' "$dir/err"; then
    echo 'skipped: run and startup (this is an ASan build, which refuses any preload)'
    preload_refused=1
else
    expect 0 run -- true
    [ ! -s "$dir/err" ] || fail 'run prints something'
    expect 1 run false
    expect 7 run -- sh -c 'exit 7'
    expect 127 run -- "$dir/missing"
    expect 126 run -- "$dir"
    expect 0 run -- sh -c 'echo "$LD_PRELOAD"'
    says out 'libfastcopy_preload\.so$'
    LD_PRELOAD=libdl.so.2 expect 0 run -- sh -c 'echo "$LD_PRELOAD"'
    says out 'libfastcopy_preload\.so:libdl\.so\.2$'
    expect 0 run --tunables=memcpy=generic --verbose true
    says err 'memmove: generic'
    # The program's options are its own.
    expect 0 run echo --verbose
    says out '^--verbose$'
fi

# ---- check
expect 0 check --op=memset --kernel=generic --seed=1
says out '^memset  *generic  *ok '

# ---- bench
if "$fastcopy" bench --help | grep -q '^Modes:'; then
    expect_usage bench nonsense
    expect_usage bench sweep overhead
    expect_usage bench --op=nonsense
    expect_usage bench --kernels=generic,nonsense
    expect_usage bench --baseline=nonsense
    expect_usage bench --sizes=64,
    expect_usage bench --sizes=0
    expect_usage bench --sizes=1T
    expect_usage bench --sizes=1048576G
    expect_usage bench --sizes=99999999999999999999
    expect_usage bench --min=2M --max=1M
    expect_usage bench --rounds=0
    expect_usage bench --cpu=1023
    expect_usage bench --peer="$dir/missing.so"
    if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
        expect_usage bench --peer=libc.so.6:nonsense
        # A function of an object that it depends on; one that does not copy.
        expect_usage bench --peer=libm.so.6:memcpy
        expect_usage bench --peer=libc.so.6:memcmp --sizes=64
    else
        echo 'skipped: peers that are part of glibc'
    fi

    expect 0 bench --sizes=64 --rounds=3 --kernels=generic --peer=libc.so.6:memmove
    says out '^64 '
    expect 0 bench --sizes=1K,1m --rounds=3 --kernels=generic --csv
    says out '^sweep,aligned,1K,1024,'
    says out '^sweep,aligned,1M,1048576,'
    expect 0 bench sweep --sizes=64,4K --rounds=3 --kernels=generic --runs=2 --csv
    [ "$(grep -c ^sweep "$dir/out")" -eq 12 ] || fail 'not a line for each cell and contender'
    says out '^sweep,misaligned,4K,4096,generic,'
    for op in memmove mempcpy memset memcpy_nt; do
        expect 0 bench --op=$op --sizes=64 --rounds=3 --kernels=generic --baseline=generic --csv
        says out '^sweep,aligned,64,64,libc,'
    done
    if "$fastcopy" bench --sizes=64 --rounds=3 --json >"$dir/out" 2>"$dir/err"; then
        if command -v python3 >/dev/null; then
            python3 -m json.tool <"$dir/out" >/dev/null || fail 'bench --json is not JSON'
        fi
    else
        expect_usage bench --json
        says err jansson
    fi
    expect 0 bench overhead --rounds=3
    says out 'preload'
    if [ -z "${preload_refused-}" ]; then
        expect 0 bench startup --rounds=3
        says out '^true '
    fi
    # Ctrl-C: what was measured is printed.
    "$fastcopy" bench --sizes=64,1K --rounds=31 --runs=1000 --csv >"$dir/out" 2>"$dir/err" &
    sleep 2
    kill -INT $!
    wait $!
    status=$?
    [ $status -eq 130 ] || fail "bench after Ctrl-C: exit status $status, not 130"
    says out '^sweep,'
else
    echo 'skipped: bench (not in this build)'
    expect_usage bench
fi

[ $failures -eq 0 ] && echo 'ok'
[ $failures -eq 0 ]
