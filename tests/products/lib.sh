# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for those who read this file in
# What the scripts here share. Each takes one case's name, works in a directory of its own that is
# removed, and exits 0 (passed), 1 (failed: says what) or 77 (skipped: says why).
set -euo pipefail
arch='' build='' cc='' cxx='' emulator='' generated='' ifunc='' load_path_flags='' nm='' preload=''
shared='' soname='' source='' static='' trace='' fastcopy=''
# shellcheck source=/dev/null
. "${FC_PRODUCTS:?names products.env, see CMakeLists.txt}"

here=$source/tests/products
consumer=$source/tests/consumers/consumer.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ulimit -c 0
export LC_ALL=C
unset LD_PRELOAD LD_BIND_NOW FASTCOPY_TUNABLES FASTCOPY_TRACE

fail() {
    echo "FAILED: $*"
    exit 1
}

skip() {
    echo "SKIPPED: $*"
    exit 77
}

require() {
    local program
    for program; do
        command -v "$program" >/dev/null || skip "$program is not installed"
    done
}

# compile OUTPUT ARGUMENT...: with the compiler of this build, but not with its CMAKE_C_FLAGS. Where programs run under
# an emulator the output is a script that starts it on OUTPUT.elf.
compile() {
    local output=$1
    shift
    "$cc" -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I"$source/include" -I"$generated" -o "$output" "$@" || return
    if [ -n "$emulator" ] && [[ " $* " != *' -shared '* ]]; then
        mv "$output" "$output.elf"
        printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$(realpath "$output.elf")" >"$output"
        chmod +x "$output"
    fi
}

# elf PROGRAM: the file of what was compiled so.
elf() {
    if [ -n "$emulator" ]; then echo "$1.elf"; else echo "$1"; fi
}

# capture NAME COMMAND...: leaves NAME.out, NAME.err, NAME.status.
capture() {
    local name=$1 status=0
    shift
    # In a shell of its own, so that "Segmentation fault" of this one does not mix in.
    { (exec "$@") >"$name.out" 2>"$name.err" </dev/null; } 2>/dev/null || status=$?
    echo "$status" >"$name.status"
}

# expect NAME STATUS: a captured run ended so, and printed nothing on stderr.
expect() {
    [ "$(cat "$1.status")" = "$2" ] && [ ! -s "$1.err" ] && return
    cat "$1.out" "$1.err"
    fail "$1: exit status $(cat "$1.status"), expected $2 and nothing on stderr"
}

# same A B: two captured runs do not differ.
same() {
    local part
    for part in status out err; do
        diff -u "$1.$part" "$2.$part" || fail "$2: differs from $1 in $part"
    done
}

# preloading LIBRARY: for env, before a command: preloads it (not into the emulator itself).
preloading() {
    if [ -n "$emulator" ]; then echo "QEMU_SET_ENV=LD_PRELOAD=$1"; else echo "LD_PRELOAD=$1"; fi
}

# Before a command: runs it under the preload library.
preloaded=(env "$(preloading "$preload")")

# Runs the function with this script's argument as its name.
run_case() {
    declare -F "case_${1-}" >/dev/null || fail "usage: $0 CASE; no case '${1-}'"
    "case_$1" "${@:2}"
}
