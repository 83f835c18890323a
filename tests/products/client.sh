#!/bin/bash
# SPDX-License-Identifier: MIT
# Real programs under libfastcopy_preload.so (with a second argument, "trace": libfastcopy_trace.so, recording):
# stdout, stderr and exit status as without it, lazy and with LD_BIND_NOW=1. Each case is a program and what it does in an empty directory; whatever it writes there is
# compared too.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# shellcheck source=/dev/null
. "$here/client_scripts.sh"

client=${1-}
declare -F "run_$client" >/dev/null || fail "usage: $0 CLIENT; no client '$client'"
require "${client/#asan/cc}"

# valgrind 3.19 gives up on clang's DWARF 5.
if [ "$client" = valgrind ]; then
    objcopy --strip-debug "$preload" "$work/libfastcopy_preload.so"
    preload=$work/libfastcopy_preload.so
fi

if [ "${2-}" = trace ]; then
    require python3
    preload=$trace
    export FASTCOPY_TRACE=$work/trace
fi

# Real data, the same for every run: our sources, and a few megabytes of a shared library.
mkdir data
cp -r "$source/src" data/sources
cp "$shared" data/library
for _ in {1..30}; do
    cat data/library
done >data/big

# run NAME VARIABLE=VALUE...: the client's script in a fresh directory; NAME.{out,err,status,tree}.
run() {
    local name=$1
    shift
    mkdir place
    # The directory has the same name in each run: programs print it.
    # shellcheck disable=SC2016 # for the inner shell
    capture "$name" env "$@" HOME="$work/place" TZ=UTC DATA="$work/data" CC="$cc" \
        bash -c 'cd place && . "$0" && set -eu && "$1"' "$here/client_scripts.sh" "run_$client"
    if [ "$(cat "$name.status")" = 77 ]; then
        cat "$name.out"
        exit 77
    fi
    find place -type f ! -path '*/unstable/*' -exec sha256sum {} + | sort -k2 >"$name.tree"
    rm -rf place
}

for now in '' 1; do
    run "without$now" LD_BIND_NOW=$now
    [ -z "${FASTCOPY_TRACE-}" ] || python3 "$here/trace.py" create trace 100000
    run "with$now" LD_BIND_NOW=$now LD_PRELOAD="$preload"
    same "without$now" "with$now"
    diff -u "without$now.tree" "with$now.tree" || fail "it wrote other files"
    [ -z "${FASTCOPY_TRACE-}" ] || [ "$(python3 "$here/trace.py" list trace | wc -l)" -ge 100 ] ||
        fail "hardly a call was recorded"
    [ -s "without$now.out" ] || fail "no output: nothing was tested"
    [ "$(cat "without$now.status")" = 0 ] || { cat "without$now".*; fail "fails without the library too"; }
done
