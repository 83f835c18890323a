# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2164 # run under set -e
# What client.sh runs: one function for each program, in an empty directory, with DATA and CC set. They
# print what does not change from run to run.

run_bash() {
    bash -c 'text=$(<"$DATA/sources/dispatch.c")
        for i in {1..20}; do text+=$text; text=${text:0:100000}; done
        echo "${#text}"; printf "%s\n" "${text//e/E}" | sort | uniq -c | tail -20; exit 3' || echo "status $?"
}

run_ls() {
    ls -lR --time-style=+ "$DATA/sources"
    ls nowhere || echo "status $?"
}

run_python3() {
    python3 -c '
import bz2, hashlib, io, json, lzma, os, pickle, sqlite3, ssl, struct, subprocess, sys, zlib
data = open(os.environ["DATA"] + "/big", "rb").read()
print(hashlib.sha256(data).hexdigest(), zlib.crc32(data))
for module in zlib, bz2, lzma:
    assert module.decompress(module.compress(data[:300000])) == data[:300000]
table = {str(i): [i, i / 3, "x" * i] for i in range(500)}
assert json.loads(json.dumps(table)) == pickle.loads(pickle.dumps(table)) == table
view = bytearray(data); view[5:100005] = view[0:100000]
print(hashlib.md5(view).hexdigest())
print(subprocess.run(["ls", os.environ["DATA"]], capture_output=True, text=True))
'
    python3 -c 'raise ValueError("seen")' || echo "status $?"
}

run_git() {
    export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a \
        GIT_COMMITTER_EMAIL=a@example.org GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' \
        GIT_COMMITTER_DATE='2000-01-01T00:00:00Z'
    git init -q -b main unstable/one
    cp -r "$DATA/sources" unstable/one
    cd unstable/one
    git add .
    git commit -q -m first
    cp "$DATA/big" .
    git add big
    git commit -q -m second
    git log --stat
    git gc -q
    git fsck --no-progress
    git clone -q . ../two
    git -C ../two rev-parse HEAD 'HEAD^{tree}'
    git diff --stat HEAD~1 HEAD
}

# Compiles and runs: with $1, a program in $2.
build_and_run() {
    "$1" -O2 -Wall -Wextra -o program "$2"
    ./program
    "$1" -Wall -Wextra -c -x c - <<<'int f(void) { int unused; }' || echo "status $?"
    rm -f program ./*.o
}

c_program() {
    cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    size_t n = 1 << 20, sum = 0;
    unsigned char *p = malloc(2 * n);
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(i * i >> 3);
    memmove(p + 100, p, n);
    memcpy(p, p + n / 2, n / 4);
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + p[i];
    printf("%zu\n", sum);
    free(p);
    return 0;
}
END
}

run_gcc() {
    c_program
    build_and_run gcc program.c
}

run_clang() {
    c_program
    build_and_run clang program.c
}

run_g++() {
    cat >program.cc <<'END'
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
int main() {
    std::ifstream file(std::string(getenv("DATA")) + "/sources/dispatch.c");
    std::map<std::string, int> words;
    for (std::string word; file >> word;)
        words[word]++;
    std::vector<std::pair<int, std::string>> sorted;
    for (auto &entry : words)
        sorted.emplace_back(entry.second, entry.first);
    std::sort(sorted.rbegin(), sorted.rend());
    for (size_t i = 0; i < 20; i++)
        std::cout << sorted[i].second << ' ' << sorted[i].first << '\n';
    std::ostringstream text;
    for (int i = 0; i < 10000; i++)
        text << i << std::string(i % 100, 'x');
    std::cout << text.str().size() << std::endl;
    try {
        std::string().at(1);
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
    }
}
END
    g++ -O2 -o program program.cc
    ./program
    rm program
}

run_perl() {
    # shellcheck disable=SC2016
    perl -e 'open my $f, "<", "$ENV{DATA}/big" or die; binmode $f; local $/; my $text = <$f>;
        my %count; $count{$_}++ for unpack "C*", substr $text, 0, 100000;
        print join(" ", map { "$_:$count{$_}" } sort { $a <=> $b } keys %count), "\n";
        $text =~ s/\0+/0/g; print length $text, "\n"; print unpack("%32C*", reverse($text) x 2), "\n";
        warn "seen\n"; exit 3' ||
        echo "status $?"
}

run_tar() {
    tar --sort=name --mtime=@0 --owner=0 --group=0 -C "$DATA" -cf all.tar .
    tar -tvf all.tar
    mkdir out
    tar -C out -xf all.tar
    tar -czf - -C out --sort=name --mtime=@0 --owner=0 --group=0 . | tar -tzf - | sha256sum
    tar -tf nowhere.tar || echo "status $?"
}

run_xz() {
    xz -k -c -T1 "$DATA/library" >library.xz
    xz -k -c -T2 --block-size=1MiB -1 "$DATA/big" >big.xz
    xz -lv library.xz
    xz -dc big.xz | sha256sum
    head -c 1000 library.xz | xz -dc | sha256sum || echo "status $?"
}

run_curl() {
    curl -sS -o big "file://$DATA/big"
    curl -sS "file://$DATA/sources/dispatch.c"
    curl -sS "file://$DATA/nowhere" || echo "status $?"
    curl --version
}

run_cmake() {
    c_program
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(demo C)
add_executable(program program.c)
END
    cmake -S . -B unstable/b -DCMAKE_C_COMPILER="$CC" | grep -v '(.*s)$'
    cmake --build unstable/b
    unstable/b/program
    cmake -E sha256sum "$DATA/big"
}

run_gdb() {
    c_program
    "$CC" -g -o program program.c
    gdb -nx -batch -ex 'break main' -ex run -ex bt -ex 'print 6 * 7' -ex 'next' -ex continue ./program 2>&1 |
        grep -v -e 'Using host' -e 'process [0-9]' -e 'Download failed'
    rm program
}

run_openssl() {
    openssl dgst -sha256 -md5 "$DATA/big" || openssl dgst -sha256 "$DATA/big"
    openssl enc -aes-256-cbc -pbkdf2 -S 0011223344556677 -pass pass:x -in "$DATA/big" -out big.enc
    openssl enc -d -aes-256-cbc -pbkdf2 -S 0011223344556677 -pass pass:x -in big.enc | openssl dgst -sha1
    openssl version
    openssl base64 -in "$DATA/library" | openssl base64 -d | cmp - "$DATA/library"
}

run_sqlite3() {
    sqlite3 unstable.db <<'END'
create table t(a integer primary key, b text, c blob);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    insert into t select i, printf('%d-%s', i, hex(i * 7919)), zeroblob(i % 300) from n;
create index tb on t(b);
select count(*), sum(a), sum(length(c)), max(b) from t;
select a, b from t where b like '%77%' order by b limit 20;
vacuum;
pragma integrity_check;
END
    sqlite3 unstable.db 'select * from nowhere' || echo "status $?"
    sqlite3 unstable.db .dump | sha256sum
    rm unstable.db
}

# Valgrind puts its own memcpy in the place of libc's, but not of ours: our kernels run under it.
run_valgrind() {
    c_program
    "$CC" -o program program.c
    valgrind -q --error-exitcode=9 ./program
    valgrind -q --error-exitcode=9 ls "$DATA/sources"
    rm program
}

# gcc's shared ASan runtime wants to come first and refuses any preload; a static one does not.
run_asan() {
    local sanitizer
    c_program
    if command -v clang >/dev/null && clang -fsanitize=address -o program program.c 2>/dev/null; then
        sanitizer=(clang)
    elif gcc -fsanitize=address -static-libasan -o program program.c 2>/dev/null; then
        sanitizer=(gcc -static-libasan)
    else
        echo "SKIPPED: no compiler with AddressSanitizer"
        exit 77
    fi
    ./program
    sed -i 's/malloc(2 \* n)/malloc(n)/' program.c
    "${sanitizer[@]}" -fsanitize=address -o program program.c
    # The overflow is found in ASan's own memmove.
    ./program 2>&1 | grep -o 'heap-buffer-overflow' | head -1
    rm program
}
