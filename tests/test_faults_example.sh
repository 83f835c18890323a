#!/bin/sh
# SPDX-License-Identifier: MIT
# The example in docs/FAULTS.md does what it says: compiled and run.
#
#     test_faults_example.sh FAULTS.md LIBRARY INCLUDE_DIR...      with CC (default: cc)
set -eu

page=$1 library=$2
shift 2
includes=
for dir in "$@"; do includes="$includes -I$dir"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```$/ { inside = 0 } inside { print } /^```c$/ { inside = 1 }' "$page" >"$work/example.c"
# shellcheck disable=SC2086  # word splitting is meant
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror $includes -o "$work/example" "$work/example.c" "$library"
[ "$("$work/example")" = "1000, then 96 (signals)" ] || { "$work/example"; exit 1; }
