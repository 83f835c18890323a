#!/bin/bash
# SPDX-License-Identifier: MIT
# The products on another machine, under its emulator: loaded before a program, linked, static and static-pie.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

programs=$here/programs
: "${FC_TEST_EMULATOR:?the emulator and its arguments}"
read -ra emulator <<<"$FC_TEST_EMULATOR"

# emulated VARIABLE=VALUE... -- PROGRAM ARGUMENT...
emulated() {
    local set=()
    while [ "$1" != -- ]; do
        set+=(-E "$1")
        shift
    done
    shift
    "${emulator[@]}" "${set[@]}" "$@"
}

# Every entry that the program binds to is ours, lazily and not, also before our relocations.
case_preload() {
    local now name file
    compile program "$programs/names.c" -ldl
    compile libearly.so -shared -fPIC -fno-builtin -fno-stack-protector "$programs/early_library.c"
    compile early -fno-builtin "$programs/early.c" -L. -learly -Wl,-rpath,"$work"
    for now in '' 1; do
        emulated "LD_PRELOAD=$preload" "LD_BIND_NOW=$now" -- ./program >names 2>err
        [ ! -s err ] || fail "stderr: $(cat err)"
        [ "$(wc -l <names)" = 12 ] || fail "expected 12 names: $(cat names)"
        while read -r name file; do
            [ "$file" = "$preload" ] || fail "$name is in $file"
        done <names
        emulated "LD_PRELOAD=$preload" "LD_BIND_NOW=$now" -- ./early >out 2>err || fail "early: exit status $?"
        [ ! -s err ] || fail "early: stderr: $(cat err)"
        printf 'resolver\npreinit\nconstructor\n' | diff - out || fail "not called as early as expected"
    done
}

# What runs is what is said to run, and FASTCOPY_TUNABLES moves it, in each form.
case_linked() {
    local form now flags directory
    directory=$(dirname "$soname")
    for form in shared static static_pie; do
        case $form in
            shared) flags=(-L"$directory" -lfastcopy "-Wl,-rpath,$directory") ;;
            static) flags=(-static "$static") ;;
            static_pie) flags=(-static-pie "$static") ;;
        esac
        compile program "$consumer" "${flags[@]}"
        for now in '' 1; do
            emulated "LD_BIND_NOW=$now" -- ./program >out 2>err || fail "$form: exit status $?: $(cat out err)"
            [ ! -s err ] || fail "$form: stderr: $(cat err)"
            emulated "LD_BIND_NOW=$now" FASTCOPY_TUNABLES=memcpy=generic:verbose=1 -- ./program >out 2>err ||
                fail "$form, forced: exit status $?"
            grep -q 'memcpy: generic (forced by FASTCOPY_TUNABLES)' err || fail "$form: FASTCOPY_TUNABLES is ignored"
        done
    done
}

run_case "$@"
