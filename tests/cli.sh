# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by tests of the fastcopy command: "$1" is its path.
set -u
fastcopy=${1:?the path of the fastcopy command}
unset FASTCOPY_TUNABLES LD_PRELOAD
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAILED: $1"
    sed 's/^/    /' "$dir/out" "$dir/err"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT... runs the command; its output is in $dir/out and $dir/err.
expect() {
    wanted=$1
    shift
    "$fastcopy" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    [ $status -eq "$wanted" ] || fail "fastcopy $*: exit status $status, not $wanted"
}

# A wrong argument: one line that says why, then the usage, nothing on stdout.
expect_usage() {
    expect 2 "$@"
    if [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" -ne 2 ] || ! sed -n 2p "$dir/err" | grep -q '^Usage: '
    then fail "fastcopy $*: not an error line and a usage line"
    fi
}

says() { # FILE PATTERN
    grep -q -e "$2" "$dir/$1" || fail "no '$2' in $1"
}

# The end of a test.
finish() {
    [ $failures -eq 0 ] && echo 'ok'
    [ $failures -eq 0 ]
}
