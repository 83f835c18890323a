#!/bin/bash
# SPDX-License-Identifier: MIT
# libfastcopy on processors that this machine is not: under qemu-x86_64 no kernel is selected that the
# emulated processor cannot run (the consumer checks that), least of all AVX where OSXSAVE is clear.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# emulate CPU: the consumer, both ways linked. Leaves shared.out and static.out.
emulate() {
    [ "$arch" = x86_64 ] || skip "only for x86_64"
    require qemu-x86_64
    compile shared "$consumer" "$shared" -Wl,-rpath,"$(dirname "$soname")"
    compile static "$consumer" "$static"
    local kind
    for kind in shared static; do
        # qemu warns about features that it has not got.
        capture $kind qemu-x86_64 -cpu "$1" ./$kind
        [ "$(cat $kind.status)" = 0 ] || { cat $kind.err; fail "$kind: exit status $(cat $kind.status)"; }
        cat $kind.out
        grep -q '^memcpy ' $kind.out || fail "$kind: no kernel named"
    done
    # The checks of all kernels; not built with a sanitizer, whose shadow memory qemu cannot hold.
    local checks=$build/tests/test_kernels
    [ -x "$checks" ] || return 0
    nm "$checks" >names
    if ! grep -qE '__(asan|ubsan)_' names; then
        FC_TEST_QUICK=1 qemu-x86_64 -cpu "$1" "$checks" || fail "test_kernels"
    fi
}

without_avx() {
    emulate "$1"
    ! grep avx shared.out static.out || fail "AVX is selected on $1"
}

case_core2duo() {
    without_avx core2duo
}

case_Nehalem() {
    without_avx Nehalem
}

# CPUID says AVX2, the operating system saves no AVX state.
case_Haswell_no_xsave() {
    without_avx Haswell,-xsave
}

case_Haswell() {
    emulate Haswell
    grep -q avx static.out || fail "no AVX kernel is selected on Haswell"
    ! grep avx512 shared.out static.out || fail "AVX-512 is selected on Haswell"
}

case_max() {
    emulate max
}

run_case "$@"
