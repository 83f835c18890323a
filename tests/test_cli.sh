#!/bin/sh
# SPDX-License-Identifier: MIT
# The fastcopy command: arguments, output, exit statuses. Usage: test_cli.sh PATH_OF_FASTCOPY
# shellcheck disable=SC2016 # for the inner shell
# shellcheck source=tests/cli.sh
. "$(dirname "$0")/cli.sh"

# ---- arguments
expect_usage
expect_usage nonsense
expect_usage help nonsense
for command in info run trace check bench; do
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
expect_usage trace
expect_usage trace --csv
expect_usage trace --show=file surplus
expect_usage trace --limit=0 true
expect_usage trace --limit=x true
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
preload_refused=
if ! LD_PRELOAD=libdl.so.2 "$fastcopy" --version >/dev/null 2>&1; then
    echo 'skipped: run beside other preloads, and startup (an ASan build, which refuses any preload)'
    preload_refused=1
fi
"$fastcopy" run true 2>"$dir/err"
if grep -q 'not where it was installed' "$dir/err"; then
    echo 'skipped: run (libfastcopy_preload.so was not built)'
else
    expect 0 run -- true
    [ ! -s "$dir/err" ] || fail 'run prints something'
    expect 1 run false
    expect 7 run -- sh -c 'exit 7'
    expect 127 run -- "$dir/missing"
    expect 126 run -- "$dir"
    expect 0 run -- sh -c 'echo "$LD_PRELOAD"'
    says out 'libfastcopy_preload\.so$'
    if [ -z "$preload_refused" ]; then
        LD_PRELOAD=libdl.so.2 expect 0 run -- sh -c 'echo "$LD_PRELOAD"'
        says out 'libfastcopy_preload\.so:libdl\.so\.2$'
    fi
    expect 0 run --tunables=memcpy=generic --verbose true
    says err 'memmove: generic'
    # The program's options are its own.
    expect 0 run echo --verbose
    says out '^--verbose$'
fi

# ---- check
expect 0 check --op=memset --kernel=generic --seed=1
says out '^memset  *generic  *ok '
expect 0 check --op=copy_page --seed=1
says out '^copy_page  *generic  *ok '

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
    for op in memmove mempcpy memset memcpy_nt memset_nt; do
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

    # The modes; each is asked for little.
    quick() { # MODE OPTION...
        mode=$1
        shift
        expect 0 bench "$mode" --rounds=1 --kernels=generic --seed=1 --csv "$@"
    }
    quick random
    for mix in 0-64 0-128 0-512 'log 1-4K' kernel-build mean; do
        says out "^random,unpredictable,$mix,"
        says out "^random,repeating,$mix,"
    done
    quick random --op=memset
    says out '^random,unpredictable,kernel-build,139,generic,'
    printf '8,1\n64,1\n' >"$dir/small.csv"
    printf '0:0.5,512:0.5\n0:1\n1:0.5,64:0.5\n' >"$dir/fleet.csv"
    quick random --sizes="$dir/small.csv" --sizes="$dir/fleet.csv"
    says out '^random,unpredictable,small,36,generic,'
    says out '^random,unpredictable,fleet,256,generic,'
    says out '^random,repeating,mean,0,generic,'
    quick latency
    says out '^latency,chain first 8,64,'
    says out '^latency,chain last 8,1K,'
    says out '^latency,ping,8,'
    quick consumer --sizes=64K --other=1M
    says out '^consumer,copy + read dst,64K,65536,generic,'
    says out '^consumer,copy + read other,64K,65536,nt '
    quick overlap --sizes=1K
    says out '^overlap,1K forward,63,1024,generic,'
    says out '^overlap,1K backward,512,1024,generic,'
    quick threads --sizes=64K --threads=3
    says out '^threads,1 thread,64K,65536,generic,'
    says out '^threads,2 threads,64K all,131072,generic,'
    says out '^threads,3 threads,64K each,65536,generic,'
    [ "$(grep -c 'threads,64K all.*,libc,' "$dir/out")" -eq 6 ] ||
        fail 'not libc, A/A and generic by 2 and by 3 threads'
    expect 0 bench limits --rounds=1 --csv
    says out '^limits,by level,memory .*,load,'
    quick sweep --sizes=64,4K --of-limit
    says out '^sweep,aligned,64,.*,0\.0000$'
    says out '^sweep,aligned,4K,.*,[0-9]*[1-9][0-9]*\.[0-9]*$'

    # What was recorded is replayed, also by size.
    if "$fastcopy" trace -o "$dir/trace" -- sort "$0" >"$dir/out" 2>"$dir/err" && [ -s "$dir/trace" ]; then
        quick random --order="$dir/trace"
        says out '^random,in order,recorded,'
        says out '^random,in order,to 64,'
    else
        echo 'skipped: the replay of a trace (none could be recorded)'
    fi

    # A distribution that is none: the line, and why.
    refused() { # TEXT LINE REASON
        printf '%b' "$1" >"$dir/bad.csv"
        expect_usage bench random --sizes="$dir/bad.csv"
        says err "bad\.csv:$2: $3"
    }
    refused 'size,count\n64,x\n' 2 'not size,weight: .64,x.'
    refused '64\n' 1 'not size,weight'
    refused '8,1\n\n64,1\n' 2 'not size,weight'
    refused '8,1\n-64,1\n' 2 'not size,weight'
    refused '8,-1\n' 1 'not size,weight'
    refused '8,1,1\n' 1 'not size,weight'
    refused '8,nan\n' 1 'not size,weight'
    refused '8,0\n' 1 'no size occurs'
    refused 'size,count\n' 1 'no size occurs'
    refused '4294967296,1\n' 1 '.* too many'
    refused '0:0.5,8:z\n' 1 'not size:weight: .8:z.'
    refused '0:0.5,\n' 1 'not size:weight'
    refused '0:1\n0:1\n3:1\n' 3 '3 is no alignment'
    refused '0:1\n0:1\n1:1\n1:1\n' 4 'more than'
    refused '8,1\n\033[1m\n' 2 'not text'
    refused '8,1\n64,1\0\n' 2 'not text'
    : >"$dir/empty.csv"
    expect_usage bench random --sizes="$dir/empty.csv"
    expect_usage bench random --sizes="$dir/missing.csv"
    expect_usage bench random --sizes="$dir"
    expect_usage bench random --order="$dir/missing"
    expect_usage bench random --order="$dir/small.csv"
    # Sizes that no memory holds; options of other modes; operations that make no sense.
    for mode in overlap consumer threads; do
        expect_usage bench $mode --sizes=1T
    done
    expect_usage bench consumer --other=1024G
    expect_usage bench threads --threads=4096 --sizes=1G
    expect_usage bench threads --threads=0
    expect_usage bench sweep --threads=2
    expect_usage bench latency --sizes=64
    says err 'latency takes no --sizes'
    expect_usage bench random --of-limit
    for mode in latency consumer threads overlap; do
        expect_usage bench $mode --op=memset
    done

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

finish
