#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that link libfastcopy.so or libfastcopy.a.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

programs=$here/programs
library_dir=$(dirname "$soname")
form=pointer
[ "$ifunc" != ON ] || form=ifunc

# liba.so uses fastcopy_memcpy in a constructor and in a function; the program is linked with it before or
# after libfastcopy ($1 is the list of libraries).
check_order() {
    local now z
    for z in lazy now; do
        compile program "$programs/order.c" -Wl,--no-as-needed -L. -L"$library_dir" "$@" \
            -Wl,-rpath,"$work:$library_dir",-z,$z
        for now in '' 1; do
            capture automatic env LD_BIND_NOW=$now ./program
            expect automatic 0
            # Each caller is bound to the kernel that is said to run, and FASTCOPY_TUNABLES moves both.
            ! grep -q generic automatic.out || fail "generic is the automatic choice: the test is blind"
            capture forced env LD_BIND_NOW=$now FASTCOPY_TUNABLES=memcpy=generic ./program
            expect forced 0
            [ "$(cat forced.out)" = generic ] || fail "FASTCOPY_TUNABLES is ignored: $(cat forced.out)"
        done
    done
}

library_a() {
    compile liba.so -shared -fPIC "$programs/order_library.c" "$@"
}

case_before() {
    library_a -L"$library_dir" -lfastcopy
    check_order -la -lfastcopy
}

case_after() {
    library_a -L"$library_dir" -lfastcopy
    check_order -lfastcopy -la
}

# liba.so forgot to name libfastcopy.so: ld.so may ask our resolvers before we are relocated. Whatever
# comes of it, and ld.so may say Relink, the copies are right.
case_underlinked() {
    local order now
    library_a
    for order in '-la -lfastcopy' '-lfastcopy -la'; do
        # shellcheck disable=SC2086 # two words
        compile program "$programs/order.c" -Wl,--no-as-needed -L. -L"$library_dir" $order \
            -Wl,-rpath,"$work:$library_dir"
        for now in '' 1; do
            capture program env LD_BIND_NOW=$now ./program any
            [ "$(cat program.status)" = 0 ] || fail "exit status $(cat program.status) with $order"
            # Asked too early, they do not decide for good what they cannot know yet.
            capture forced env LD_BIND_NOW=$now FASTCOPY_TUNABLES=memcpy=generic ./program any
            [ "$(cat forced.out)" = generic ] || fail "FASTCOPY_TUNABLES is ignored with $order"
        done
    done
}

# What the environment says, in the library's form and in the static one.
build_consumers() {
    compile shared "$consumer" "$shared" -Wl,-rpath,"$library_dir"
    compile static "$consumer" "$static"
}

case_tunables() {
    build_consumers
    local kind
    for kind in shared static; do
        capture automatic ./$kind
        expect automatic 0
        grep -qx "dispatch $([ $kind = static ] && echo pointer || echo "$form")" automatic.out ||
            fail "$kind: $(head -1 automatic.out)"
        capture forced env FASTCOPY_TUNABLES=memcpy=generic:memset=generic ./$kind
        expect forced 0
        [ "$(grep -c ' generic$' forced.out)" = 4 ] || { cat forced.out; fail "$kind: not forced"; }
        # Nonsense changes nothing and says nothing; under verbose=1, something.
        local nonsense='memcpy=nosuch:=:x:memcpy:nt_threshold=1e99::::memset=avx9:verbose'
        capture nonsense env FASTCOPY_TUNABLES=$nonsense ./$kind
        same automatic nonsense
        capture verbose env FASTCOPY_TUNABLES=$nonsense:verbose=1 ./$kind
        [ "$(cat verbose.status)" = 0 ] || fail "$kind: verbose=1: exit status $(cat verbose.status)"
        grep -q nosuch verbose.err || fail "$kind: verbose=1 does not say what it ignored"
        # An empty environment, and no program name.
        capture bare env -i ./$kind
        same automatic bare
    done
}

# Started through ld.so, the stack holds other arguments first.
case_ld_so() {
    build_consumers
    interpreter=$(readelf -lW shared | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
    [ -x "$interpreter" ] || fail "no interpreter: $interpreter"
    capture automatic "$interpreter" ./shared
    expect automatic 0
    capture forced env FASTCOPY_TUNABLES=memcpy=generic "$interpreter" --argv0 other ./shared
    expect forced 0
    grep -qx 'memmove generic' forced.out || fail "FASTCOPY_TUNABLES is ignored: $(cat forced.out)"
}

# Loaded at run time, unloaded, loaded again: -z nodelete keeps it.
case_dlopen() {
    compile program "$programs/dlopen.c" -ldl
    for now in '' 1; do
        capture automatic env LD_BIND_NOW=$now ./program "$soname"
        expect automatic 0
        capture forced env LD_BIND_NOW=$now FASTCOPY_TUNABLES=memcpy=generic ./program "$soname"
        expect forced 0
        [ "$(cat forced.out)" = generic ] || fail "FASTCOPY_TUNABLES is ignored: $(cat forced.out)"
    done
}

# A set-uid program ignores the environment.
case_setuid() {
    [ "$(id -u)" = 0 ] || skip "needs root"
    require setpriv
    cp "$shared" ./libfastcopy.so.0
    compile secure "$programs/secure.c"
    compile shared "$consumer" ./libfastcopy.so.0 -Wl,-rpath,"$work"
    compile static "$consumer" "$static"
    chmod 755 . ./*
    chown nobody secure shared static
    as_other=(setpriv --reuid=12345 --clear-groups --)
    capture other "${as_other[@]}" ./secure
    [ "$(cat other.status)" = 0 ] || fail "AT_SECURE without set-uid: the test is blind"
    local kind
    for kind in shared static; do
        capture plain env FASTCOPY_TUNABLES=memcpy=generic "${as_other[@]}" ./$kind
        expect plain 0
        grep -qx 'memcpy generic' plain.out || fail "$kind: ignored without set-uid: the test is blind"
    done
    chmod u+s secure shared static
    capture other "${as_other[@]}" ./secure
    [ "$(cat other.status)" = 1 ] || skip "set-uid has no effect here"
    for kind in shared static; do
        capture automatic "${as_other[@]}" ./$kind
        expect automatic 0
        capture set_uid env FASTCOPY_TUNABLES=memcpy=generic:verbose=1 "${as_other[@]}" ./$kind
        same automatic set_uid
    done
}

# The archive beside libc's own functions: nothing clashes and nothing is replaced.
check_static() {
    compile program "$@" "$consumer" "$static" || skip "no static libc for $cc $*"
    readelf -dW "$(elf program)" >dynamic
    ! grep NEEDED dynamic || fail "not static"
    "$nm" "$(elf program)" >names
    grep -qE ' [TiD] memcpy$' names || fail "libc's memcpy is missing: the test is blind"
    capture automatic ./program
    expect automatic 0
    grep -qx 'dispatch pointer' automatic.out || fail "$(head -1 automatic.out)"
    capture forced env FASTCOPY_TUNABLES=memcpy=generic ./program
    grep -qx 'memcpy generic' forced.out || fail "FASTCOPY_TUNABLES is ignored: $(cat forced.out)"
}

case_static() {
    check_static -static
}

case_static_pie() {
    check_static -static-pie -fPIE
}

run_case "$@"
