#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs libfastcopy, moves it elsewhere, and builds the projects of tests/consumers with it.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

projects=$source/tests/consumers
prefix=$work/moved

quietly() {
    "$@" >log 2>&1 || { cat log; fail "$*"; }
}

# Builds and runs a CMake project, ARGUMENT...: what it needs to find the library.
project() {
    local name=$1
    shift
    quietly cmake -S "$projects/$name" -B "$name" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" "$@"
    quietly cmake --build "$name" -j2
    for program in c_shared c_static cxx_shared cxx_static; do
        quietly "./$name/$program"
        grep -q '^memcpy ' log || fail "$name: $program: no kernel named"
    done
}

install_and_move() {
    quietly cmake --install "$build" --prefix "$work/first"
    mv first moved
    ! grep -rIl "$work/first\|$source\|$build" moved || fail "files name the place where they were built"
}

case_all() {
    require cmake pkg-config "$cxx"
    install_and_move
    case_headers
    project find_package -DCMAKE_PREFIX_PATH="$prefix"
    project add_subdirectory -DFASTCOPY_SOURCE="$source"
    case_pkg_config
}

# As strict as a user's compiler may be.
case_headers() {
    local header
    for header in fastcopy.h variants.h; do
        echo "#include <fastcopy/$header>" >header.c
        "$cc" -std=c11 -Wall -Wextra -pedantic -Werror -I"$prefix/include" -c header.c
        "$cxx" -std=c++11 -Wall -Wextra -pedantic -Werror -I"$prefix/include" -x c++ -c header.c
    done
    "$cxx" -std=c++11 -Wall -Wextra -Werror -I"$prefix/include" -x c++ -c "$consumer" -o consumer_cxx.o
}

case_pkg_config() {
    local file
    file=$(find "$prefix" -name fastcopy.pc)
    export PKG_CONFIG_PATH=${file%/*}
    local flags libdir
    read -ra flags <<<"$(pkg-config --cflags --libs fastcopy)"
    libdir=$(pkg-config --variable=libdir fastcopy)
    for compiler in "$cc" "$cxx -x c++"; do
        # shellcheck disable=SC2086 # the language is a second word
        quietly $compiler -o by_pkg_config "$consumer" "${flags[@]}" -Wl,-rpath,"$libdir"
        quietly ./by_pkg_config
        readelf -dW by_pkg_config >dynamic
        grep -q 'libfastcopy\.so\.' dynamic || fail "not linked with the shared library"
        # shellcheck disable=SC2086
        quietly $compiler -o by_pkg_config "$consumer" -x none "$libdir/libfastcopy.a" -I"$prefix/include"
        quietly ./by_pkg_config
    done
}

run_case "$@"
