#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples in the README are what a compiler takes and do what they say: each block after a line
# "<!-- example: FILE -->" is written to FILE, compiled and run.
#
#     test_readme.sh README.md LIBRARY INCLUDE_DIR...      with CC (default: cc)
set -eu

readme=$1 library=$2
shift 2
includes=
for dir in "$@"; do includes="$includes -I$dir"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v work="$work" '
    /^<!-- example: .* -->$/ { file = work "/" $3 }
    /^```$/ { if (inside) close(file); inside = 0 }
    inside { print > file }
    /^```c$/ && file != "" { inside = 1 }
' "$readme"

if grep -nE '@[A-Z_]+@' "$readme"; then
    echo "a placeholder was left in"
    exit 1
fi

cat > "$work/main.c" <<'END'
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void publish(char *frame, const char *image, size_t size);
void list(void (*show)(const char *name, const char *needs, int usable));
void pinned(void *dst, const void *src, size_t n);
void spill(void *log, const void *batch, size_t size);

static int shown;

static void show(const char *name, const char *needs, int usable) {
    shown += name[0] != '\0' && needs != NULL && (usable == 0 || usable == 1);
}

int main(void) {
    static char from[100000], to[3][100000];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char)(i * 7 + i / 251);
    publish(to[0], from, sizeof from);
    pinned(to[1], from, sizeof from);
    spill(to[2], from, sizeof from);
    list(show);
    for (int i = 0; i < 3; i++)
        if (memcmp(from, to[i], sizeof from) != 0)
            return printf("example %d does not copy\n", i), 1;
    return shown > 0 ? 0 : (puts("nothing listed"), 1);
}
END

# shellcheck disable=SC2086  # word splitting is meant
${CC:-cc} -std=c11 -Wall -Wextra -Werror -pedantic $includes -o "$work/examples" "$work"/*.c "$library"
"$work/examples"
count=$(find "$work" -name '*.c' | wc -l)
[ "$count" -ge 4 ] || { echo "only $count files: the examples are gone"; exit 1; }
echo "$((count - 1)) examples compiled and run"
