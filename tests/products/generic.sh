#!/bin/bash
# SPDX-License-Identifier: MIT
# The C kernels, which implement memcpy and memset, are not compiled into calls of them: with the flags of
# this build, at every level of optimisation, by every compiler at hand.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# check NM COMPILER...: the case's argument is the compiler.
check() {
    local nm=$1 flag level file count=0
    shift
    require "$1" "$nm"
    # Flags that this build's compiler knows and that one does not.
    local flags=()
    for flag in $load_path_flags; do
        if "$@" -Werror "$flag" -x c -c -o flag.o /dev/null 2>/dev/null; then
            flags+=("$flag")
        fi
    done
    for level in '-O0' '-O1' '-O2' '-O3' '-Os' '-O3 -flto' '-O3 -funroll-loops -ftree-vectorize'; do
        for file in "$source"/src/generic/*.c; do
            # shellcheck disable=SC2086 # flags
            "$@" -std=gnu11 $level "${flags[@]}" -fPIC -D_GNU_SOURCE -I"$source/src" \
                -I"$source/src/arch/other" -I"$source/include" -I. -c -o kernel.o "$file"
            # One another; the system calls that try.c is made of; on POWER: the table of contents; how -Os saves registers.
            "$nm" -u kernel.o | grep -vE ' (\.?(syscall|__errno_location)|\.TOC\.|_(save|rest)gpr[0-9_]+|\.?fc_[a-z_]+)$' >undefined || true
            [ ! -s undefined ] || fail "$* $level ${file##*/}: calls $(xargs <undefined)"
            "$nm" kernel.o >names
            grep -qE ' [TD] fastcopy_[a-z_]*_(generic|syscall)$' names || fail "$* $level: no machine code"
            count=$((count + 1))
        done
    done
    [ $count -ge 14 ] || fail "compiled only $count files"
}

mkdir -p fastcopy/kernels
cp "$source/src/generic/kernels.def" fastcopy/kernels/generic.def
for list in "$source"/src/arch/*/kernels.def; do
    cp "$list" "fastcopy/kernels/$(basename "$(dirname "$list")").def"
done

case_host() {
    check "$nm" "$cc"
}

case_clang() {
    check nm clang
}

case_cross() {
    check "$1-linux-gnu-nm" "$1-linux-gnu-gcc"
}

run_case "$@"
