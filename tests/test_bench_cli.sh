#!/bin/sh
# SPDX-License-Identifier: MIT
# `fastcopy bench`: peers, the modes whose layout is their own, files, comparisons, pictures.
# Usage: test_bench_cli.sh PATH_OF_FASTCOPY PEER_WITH_MEMCPY PEER_WITH_PEER_COPY
# shellcheck source=tests/cli.sh
. "$(dirname "$0")/cli.sh"
peer_memcpy=${2:?a peer that exports memcpy}
peer_symbol=${3:?a peer that exports peer_copy}

rows() { # NUMBER PATTERN
    found=$(grep -c -e "$2" "$dir/out")
    [ "$found" -eq "$1" ] || fail "$found lines with '$2', not $1"
}

# ---- arguments
expect_usage bench nonsense
says err "no mode 'nonsense'"
expect_usage bench matrix surplus
expect_usage bench matrix --op=memset
expect_usage bench pages --peer="$peer_memcpy"
expect_usage bench compare
expect_usage bench compare "$dir/a"
expect_usage bench align --sort --fail
expect_usage bench matrix --sizes=1048576G
expect_usage bench align --output="$dir/no/such/folder"
expect_usage bench compare "$dir/a" "$dir/b" --fail-below=2
expect_usage bench compare "$dir/a" "$dir/b" --fail-below=0.9x

# ---- peers
expect_usage bench --peer="$dir/missing.so"
expect_usage bench --peer="$peer_memcpy:nonsense"
expect_usage bench --peer="$peer_symbol" # it has no memcpy
quick='--rounds=1 --seed=1 --kernels=generic'
set -- --peer="$peer_memcpy" --peer="$peer_symbol:peer_copy"
if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
    set -- "$@" --peer=libc.so.6
fi
# shellcheck disable=SC2086 # options
expect 0 bench sweep $quick --sizes=64 --csv "$@"
for name in libc generic libtest_peer_memcpy.so peer_copy; do
    rows 2 "^sweep,[a-z]*,64,64,$name,"
done
if [ $# -eq 3 ]; then
    rows 2 '^sweep,[a-z]*,64,64,libc.so.6,'
else
    echo 'skipped: libc.so.6 as a peer (this is no glibc)'
fi

# ---- modes: each in its layout, each with all of its cells
# shellcheck disable=SC2086
{
    expect 0 bench matrix $quick --sizes=4K,64
    rows 15 '^[a-z]* to [a-z]* [0-9]*-[0-9]*  *4K  *64$'
    rows 15 '^ *generic\*\?  *[0-9]*  *[0-9]*$'
    expect 0 bench align $quick --sizes=64,1K --sort
    rows 24 '^[0-9]*([0-9]*/[0-9]*) '
    # Down the columns, the first is the fastest.
    [ "$(awk -F'[ x]+' '/^[0-9]+\(/ { if (last != "" && $4 > last) print; last = $4 }' "$dir/out" |
        wc -l)" -eq 0 ] || fail 'align --sort is not sorted'
    expect 0 bench pages $quick
    rows 6 'page, .* trial 1 .* median$'
    says out '^memset generic'
    rows 0 ' avx' # --kernels
    expect 0 bench blocks $quick --sizes=4K,1M --csv
    rows 2 '^blocks,.*,generic,'
    expect 0 bench cliffs $quick
    says out ' cells; the worst 50 rows'
    says out '^[0-9]* of them are cliffs\.$'
    expect 0 bench align $quick --sizes=64 --csv --output="$dir/written"
    [ "$(grep -c ^align "$dir/written")" -eq 108 ] || fail '--output does not hold the output'
}

# ---- JSON, compare, report
if ! "$fastcopy" bench --sizes=64 --rounds=1 --json >"$dir/out" 2>"$dir/err"; then
    echo 'skipped: compare and report --json (no jansson)'
    expect_usage bench compare a b
    says err jansson
else
    says out '"schema": 1'
    for key in brand caches kernel libc seed skew experiments; do
        says out "\"$key\":"
    done
    # made NAME BASELINE_NS KERNEL_NS [AA [MIN_NS]]: a file with one cell.
    made() {
        cat >"$dir/$1" <<END
{"schema": 1, "machine": {"cpu": {"brand": "${brand-made up}"}}, "experiments": [
  {"mode": "sweep", "operation": "memcpy", "cells": [
    {"group": "aligned", "label": "64", "aa_difference": ${4-0.01}, "results": [
      {"contender": "libc", "ns": $2, "ns_min": $2},
      {"contender": "A/A", "ns": $2, "ns_min": $2},
      {"contender": "avx", "ns": $3, "ns_min": ${5-$3}}]}]}]}
END
    }
    made a 10 10
    made same 10 10.05
    made slower 10 12.5
    made faster 10 5
    made noisy 10 12.5 0.4
    made drifted 12.5 12.5
    made disturbed 10 12.5 0.01 10
    brand=another made elsewhere 12.5 12.5
    # verdict FILE WANTED: against a.
    verdict() {
        expect 0 bench compare "$dir/a" "$dir/$1" --csv
        says out "^sweep,memcpy,aligned,64,avx,.*,$2\$"
        rows 2 ,
    }
    verdict same =
    verdict slower -
    verdict faster +
    verdict noisy =
    verdict drifted =
    verdict disturbed =
    verdict elsewhere -
    expect 0 bench compare "$dir/a" "$dir/slower"
    says out '^ 0.80-   1.0%       10.0       12.5  sweep memcpy aligned 64 avx$'
    expect 1 bench compare "$dir/a" "$dir/slower" --fail-below=0.9
    expect 0 bench compare "$dir/a" "$dir/slower" --fail-below=0.7
    expect 0 bench compare "$dir/a" "$dir/noisy" --fail-below=0.9
    expect 0 bench compare "$dir/a" "$dir/faster" --fail-below=1

    expect_usage bench compare "$dir/a" "$dir/missing"
    echo '{"schema": 1,' >"$dir/broken"
    expect_usage bench compare "$dir/a" "$dir/broken"
    says err 'broken: line '
    echo '[]' >"$dir/broken"
    expect_usage bench compare "$dir/a" "$dir/broken"
    sed 's/"schema": 1/"schema": 99/' "$dir/a" >"$dir/broken"
    expect_usage bench compare "$dir/a" "$dir/broken"
    says err 'schema is 99'
    sed 's/"ns": 10,/"ns": "fast",/' "$dir/a" >"$dir/broken"
    expect_usage bench compare "$dir/a" "$dir/broken"
    sed 's/memcpy/memset/' "$dir/a" >"$dir/other"
    expect_usage bench compare "$dir/a" "$dir/other"
    says err 'no cell in common'

    # What bench writes, compare reads.
    for file in one two; do
        expect 0 bench --sizes=64 --rounds=3 --kernels=generic --json -o "$dir/$file"
    done
    expect 0 bench compare "$dir/one" "$dir/two" --csv
    rows 2 '^sweep,memcpy,.*,64,generic,'

    expect 0 bench report --rounds=1 --kernels=generic -o "$dir/report"
    for mode in $("$fastcopy" bench --help | sed -n '/^Modes:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        case $mode in
        report | compare) ;;
        *) grep -q "\"mode\": \"$mode\"" "$dir/report" || fail "report: nothing of $mode" ;;
        esac
    done
    grep -q -F "\"kernel\": \"$(uname -s) $(uname -r) $(uname -m)\"" "$dir/report" ||
        fail 'report: the kernel is not as uname tells it'
    for secret in "$(uname -n)" "$(id -un)" "$HOME" "$dir"; do
        # Some words would be found in any report.
        case $secret in '' | localhost | ? | ?? | ???) continue ;; esac
        ! grep -q -w -F -e "$secret" "$dir/report" || fail "report: it contains $secret"
    done
    expect 0 bench compare "$dir/report" "$dir/report"
fi

# ---- pictures
expect_usage bench align --plot="$dir/picture.gif"
printf '#!/bin/sh\nPATH=/nonexistent exec "%s" "$@"\n' "$fastcopy" >"$dir/without_gnuplot"
chmod +x "$dir/without_gnuplot"
with_gnuplot=$fastcopy
fastcopy=$dir/without_gnuplot
expect_usage bench align --plot="$dir/picture.svg"
says err 'gnuplot is not installed'
fastcopy=$with_gnuplot
expect_usage bench matrix --plot="$dir/picture.svg"
if command -v gnuplot >/dev/null; then
    expect_usage bench align --plot="$dir/no/such/folder.svg"
    # shellcheck disable=SC2086
    {
        expect 0 bench sweep $quick --sizes=64,1K,64K --plot="$dir/picture.svg"
        grep -q '^<svg' "$dir/picture.svg" || fail 'no svg'
        grep -q 'generic' "$dir/picture.svg" || fail 'the svg has no legend'
        expect 0 bench align $quick --sizes=64 --plot="$dir/picture.html"
        [ "$(head -n 1 "$dir/picture.html")" = '<!DOCTYPE html>' ] || fail 'no html'
        grep -q '^<svg' "$dir/picture.html" || fail 'the html has no picture'
        expect 0 bench cliffs $quick --plot="$dir/picture.png"
        [ "$(dd if="$dir/picture.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG ] || fail 'no png'
    }
    [ ! -s "$dir/err" ] || fail 'gnuplot complains'
else
    echo 'skipped: pictures (no gnuplot)'
fi
finish
