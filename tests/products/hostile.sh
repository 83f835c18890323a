#!/bin/bash
# SPDX-License-Identifier: MIT
# hostile.sh CASE COMPILER: the libraries built with CMAKE_C_FLAGS that would put calls, instrumentation or
# bytecode into them; then checked and used by an ordinary program.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

build_with() {
    local compiler=$1 products
    shift
    require "$compiler" cmake
    cmake -S "$source" -B b -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$*" -DCMAKE_BUILD_TYPE= \
        -DFASTCOPY_BUILD_TOOLS=OFF -DFASTCOPY_BUILD_TESTS=ON >log 2>&1 || { cat log; fail "cmake"; }
    cmake --build b -j2 --target fastcopy_shared fastcopy_static fastcopy_preload \
        fastcopy_trace >log 2>&1 || { cat log; fail "build"; }
    products=$work/b/tests/products/products.env
    for check in symbols undefined flags machine_code functions resolver; do
        [ "$arch" = x86_64 ] || [[ $check != @(functions|resolver) ]] || continue
        FC_PRODUCTS=$products python3 "$here/elf.py" $check || fail "elf.py $check"
    done
    for script in linked:tunables linked:static linked:static_pie linked:before preload:early client:bash; do
        FC_PRODUCTS=$products bash "$here/${script%:*}.sh" "${script#*:}" || [ $? = 77 ] || fail "$script"
    done
}

case_sanitizers() {
    build_with "$1" -fsanitize=address,undefined -fno-omit-frame-pointer
}

case_instrumented() {
    build_with "$1" -O0 --coverage -fstack-protector-all -finstrument-functions -pg
}

case_lto() {
    build_with "$1" -O2 -flto -D_FORTIFY_SOURCE=2
}

run_case "$@"
