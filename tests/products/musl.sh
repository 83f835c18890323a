#!/bin/bash
# SPDX-License-Identifier: MIT
# musl has no IFUNC: the libraries built with musl-gcc, and programs that use them.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case_build() {
    require musl-gcc cmake
    cmake -S "$source" -B b -DCMAKE_C_COMPILER=musl-gcc -DFASTCOPY_USE_CPU_FEATURES=OFF \
        -DFASTCOPY_BUILD_TOOLS=OFF >log 2>&1 || { cat log; fail "cmake"; }
    cmake --build b -j2 >log 2>&1 || { cat log; fail "build"; }
    cc=musl-gcc
    generated=$work/b/include
    compile shared "$consumer" b/libfastcopy.so -Wl,-rpath,"$work/b"
    compile static -static "$consumer" b/libfastcopy.a
    local kind
    for kind in shared static; do
        capture $kind ./$kind
        expect $kind 0
        grep -qx 'dispatch pointer' $kind.out || fail "$kind: $(head -1 $kind.out)"
        capture forced env FASTCOPY_TUNABLES=memcpy=generic ./$kind
        grep -qx 'memcpy generic' forced.out || fail "$kind: FASTCOPY_TUNABLES is ignored"
    done
    # An ordinary program, under a preload library for its libc.
    compile program "$here/programs/fork.c"
    capture preloaded env LD_PRELOAD="$work/b/libfastcopy_preload.so" ./program
    expect preloaded 0
    require python3
    python3 "$here/trace.py" create trace 100
    capture traced env LD_PRELOAD="$work/b/libfastcopy_trace.so" FASTCOPY_TRACE=trace ./program
    expect traced 0
    [ "$(python3 "$here/trace.py" list trace | wc -l)" = 100 ] || fail "calls were not recorded"
}

run_case "$@"
