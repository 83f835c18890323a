#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trace files as docs/TRACE.md has them, without the library's own reader.

trace.py create FILE CAPACITY   makes an empty one
trace.py header FILE            prints threads, capacity, calls, early
trace.py list FILE              prints each record: operation size dst src distance thread caller
"""
import os
import struct
import sys

HEADER = struct.Struct("<8sIIIIIIQQQQ")
RECORD = struct.Struct("<QIiHHHBB")
OPS = ["unfinished", "memcpy", "memmove", "mempcpy", "memset"]


def main():
    what, path = sys.argv[1:3]
    if what == "create":
        capacity = int(sys.argv[3])
        with open(path, "wb") as file:
            file.write(HEADER.pack(b"fctrace\n", 0x01020304, 1, HEADER.size, RECORD.size, 12, 0, capacity, 0, 0, 0))
        os.truncate(path, HEADER.size + RECORD.size * capacity)
        return
    with open(path, "rb") as file:
        header = HEADER.unpack(file.read(HEADER.size))
        threads, capacity, calls, early = header[6:10]
        if what == "header":
            print(threads, capacity, calls, early)
            return
        for _ in range(min(calls, capacity)):
            size, caller, distance, dst, src, thread, op, zero = RECORD.unpack(file.read(RECORD.size))
            assert zero == 0
            print(OPS[op], size, dst, src, distance, thread, "%08x" % caller)


main()
