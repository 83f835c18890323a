#!/bin/bash
# SPDX-License-Identifier: MIT
# What <fastcopy/fastcopy.h> makes of copies whose size the compiler knows: calls or no calls, by the symbols
# that the object file asks for. (programs/constant.c tests what is copied.)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

programs=$here/programs
functions=$'fastcopy_memcpy\nfastcopy_memmove\nfastcopy_mempcpy'
strict=(-Wall -Wextra -Wshadow -Wconversion -Wcast-align -Wcast-qual -Wundef -pedantic -Werror)
strict_cxx=("${strict[@]}" -Wold-style-cast -Wzero-as-null-pointer-constant)

# compiler NM COMMAND...: whose code the next checks are about.
compiler() {
    nm=$1
    shift
    compiler=("$@")
    require "$1" "$nm"
}

# calls EXPECTED FLAG...: compiled with these flags, the program asks for these functions and for no others.
calls() {
    local expected=$1
    shift
    "${compiler[@]}" "${strict[@]}" -fPIC -I"$source/include" -c "$programs/constant_code.c" -o code.o "$@"
    # On x86_64 and POWER: the tables of addresses.
    "$nm" -u code.o | sed 's/.* //' | grep -vE '^(_GLOBAL_OFFSET_TABLE_|\.TOC\.)$' >undefined || true
    [ "$(<undefined)" = "$expected" ] ||
        fail "${compiler[*]} $*: calls '$(xargs <undefined)', expected '$(xargs <<<"$expected")'"
    "$nm" code.o >names
    grep -q ' [TD] user_mempcpy' names || fail "${compiler[*]} $*: no code, the test is blind"
}

# macros EXPECTED FLAG...: how many of the three names are macros.
macros() {
    local expected=$1
    shift
    "${compiler[@]}" -I"$source/include" -dM -E "$programs/constant_code.c" '-DSIZES(X)=' "$@" >macros
    [ "$(grep -cE 'define fastcopy_mem(cpy|move|pcpy)\(' macros)" = "$expected" ] ||
        fail "${compiler[*]} $*: not $expected macros"
}

# On an architecture that expands constant sizes.
check_expanded() {
    local level some='-DSIZES(X)=X(0) X(1) X(3) X(7) X(15) X(16) X(24) X(33) X(100) X(127) X(128)'
    macros 3 -O2
    calls '' -O2 '-DSIZES=SIZES_0_32'
    calls '' -O2 '-DSIZES=SIZES_33_128'
    for level in -O1 -O3 '-O2 -ffreestanding -fno-builtin' '-O2 -fno-inline'; do
        # shellcheck disable=SC2086 # flags
        calls '' $level "$some"
    done
    calls "$functions" -O2 '-DSIZES=SIZES_129'
    # No larger than calls.
    calls '' -Os '-DSIZES=SIZES_0_32'
    calls "$functions" -Os '-DSIZES(X)=X(33)'
}

# Where the functions are meant.
check_called() {
    macros 0 -O0
    macros 0 -O2 -DFASTCOPY_NO_INLINE
    calls "$functions" -O0 '-DSIZES=SIZES_0_32'
    calls "$functions" -O2 -DFASTCOPY_NO_INLINE '-DSIZES=SIZES_0_32'
    calls "$functions" -O2 -DVARIABLE
    calls "$functions" -O2 -DPARENTHESES
}

# check_all TARGET: that of the compiler.
check_all() {
    case $1 in
        x86_64* | aarch64* | powerpc64*) check_expanded ;;
        *) calls "$functions" -O2 '-DSIZES(X)=X(1) X(16)' ;;
    esac
    check_called
}

# Neither a detour over the stack nor string instructions; and nothing but the call for other sizes.
check_x86_64() {
    local size
    for size in 16 24 100 128; do
        calls '' -O2 -fcf-protection=none "-DSIZES(X)=X($size)"
        objdump -d code.o >code
        grep -q '%xmm' code || fail "$size bytes: no vector register, the test is blind"
        ! grep -E '%[re]sp|rep|call|jmp' code || fail "${compiler[*]}: $size bytes: more than loads and stores"
    done
    calls "$functions" -O2 -fcf-protection=none -DVARIABLE
    objdump -d code.o >code
    ! grep -E '%xmm|cmp' code || fail "${compiler[*]}: a variable size: more than a call"
}

case_c() {
    compiler "$nm" "$cc" -std=c11
    check_all "$("$cc" -dumpmachine)"
    [ "$arch" != x86_64 ] || check_x86_64
}

case_cxx() {
    require "$cxx"
    strict=("${strict_cxx[@]}")
    compiler "$nm" "$cxx" -x c++ -std=c++11
    check_all "$("$cxx" -dumpmachine)"
}

case_cross() {
    compiler "$1-linux-gnu-nm" "$1-linux-gnu-gcc" -std=c11
    check_all "$1"
}

# The program of the test "constant", as C++.
case_copies_cxx() {
    require "$cxx"
    local level
    for level in -O0 -O1 -O2 -O3 -Os; do
        "$cxx" -std=c++11 "${strict_cxx[@]}" $level -I"$source/include" -o copies -x c++ "$programs/constant.c" \
            -x none "$static"
        ./copies || fail "$level"
    done
}

# A sanitizer sees the accesses.
case_asan() {
    "$cc" -O2 -w -fsanitize=address -I"$source/include" -o overflow "$programs/constant_overflow.c" "$static" ||
        skip "no AddressSanitizer for $cc"
    capture good ./overflow 1
    expect good 0
    capture bad ./overflow
    grep -q 'AddressSanitizer: heap-buffer-overflow' bad.err || { cat bad.err; fail "not seen"; }
}

run_case "$@"
