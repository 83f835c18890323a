#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bench/insns: test.py LIBRARY. It counts what is known, the same each time, and compares by the rule."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cross import finish, load, machine_of, peer_library, run  # noqa: E402

count = load(str(HERE / "count"))

LIBRARY = None
CELLS = [(1, 0, 0), (7, 7, 0), (1000, 0, 4092)]


class Known(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.counter = count.Counter(machine_of(LIBRARY), folder.name)
        self.cpu = count.CPUS[self.counter.machine.qemu].split(",")[-1]
        self.known = self.build("known.so")

    def build(self, name, *flags):
        library = os.path.join(self.counter.folder, name)
        run(self.counter.compiler, "-O2", "-fPIC", "-shared", *flags, "-o", library, HERE / "known.c")
        return library

    def counts(self, library, symbol):
        return self.counter.count(self.cpu, library, symbol, CELLS)[1]

    def test_known(self):
        self.assertEqual(self.counts(self.known, "known_8"), {cell: 8 for cell in CELLS})
        self.assertEqual(self.counts(self.known, "known_loop"), {cell: 2 * cell[0] + 1 for cell in CELLS})

    def test_landing_pad(self):
        """bti c or endbr64 is not counted."""
        flags = {"aarch64": "-mbranch-protection=bti", "x86_64": "-fcf-protection=branch"}
        if self.counter.machine.qemu not in flags:
            self.skipTest("this machine has no landing pads")
        library = self.build("padded.so", flags[self.counter.machine.qemu])
        self.assertNotEqual(self.counter.count(self.cpu, library, "known_8", CELLS)[0],
                            self.counter.count(self.cpu, self.known, "known_8", CELLS)[0])
        self.assertEqual(self.counts(library, "known_8"), {cell: 8 for cell in CELLS})

    def test_object(self):
        """A peer may be a file that the compiler can link."""
        file = os.path.join(self.counter.folder, "known.o")
        run(self.counter.compiler, "-O2", "-fPIC", "-c", "-o", file, HERE / "known.c")
        peer = peer_library(self.counter.machine, self.counter.folder, file, "known_8")
        self.assertEqual(self.counts(peer, "known_8"), {cell: 8 for cell in CELLS})

    def test_repeatable(self):
        counts = self.counts("libc.so.6", "memcpy")
        self.assertEqual(counts, self.counts("libc.so.6", "memcpy"))
        self.assertGreater(counts[1000, 0, 4092], counts[1, 0, 0])

    def test_libc_name(self):
        """The kernel of libc's archive that is named as the one chosen is the same one."""
        if self.counter.machine.qemu == "x86_64":
            self.skipTest("these kernels have addresses of data in them")
        names = count.LibcNames(self.counter.machine, self.counter.folder)
        self.assertIsNone(names.find("00" * 256))
        code, counts = self.counter.count(self.cpu, "libc.so.6", "memcpy", CELLS)
        name = names.find(code)
        self.assertRegex(name, "^__mem")
        peer = peer_library(self.counter.machine, self.counter.folder, "libc", name)
        self.assertEqual(self.counts(peer, name), counts)


class Comparison(unittest.TestCase):
    def test_rule(self):
        for ours, peer, good in ((11, 10, True), (12, 10, False), (10, 12, True), (105, 100, True), (106, 100, False)):
            self.assertEqual(count.within(ours, peer), good, (ours, peer))

    def test_table(self):
        cells = [(7, 0, 0), (7, 7, 0), (16, 0, 0), (16, 7, 0)]
        ours = count.Function("ours", dict(zip(cells, (12, 12, 5, 6))))
        peer = count.Function("peer", dict(zip(cells, (10, 10, 5, 5))))
        self.assertEqual(count.table(ours, [peer], cells).split("\n")[2:], [
            "| 7 | all | 12 | 10 (1.20 !) |", "| 16 | 0-0 | 5 | 5 (1.00) |", "| 16 | 7-0 | 6 | 5 (1.20) |"])

    def test_whole(self):
        """The command itself, on our own kernels."""
        command = [sys.executable, HERE / "count", LIBRARY]
        done = subprocess.run(command + ["--kernels=generic", "--sizes=7,64", "--offsets=0-0", "--json"],
                              capture_output=True, text=True)
        results = json.loads(done.stdout)
        self.assertEqual(done.returncode, any(result["missed"] for result in results), done.stderr)
        self.assertEqual(sorted(cpu for result in results for cpu in result["cpus"]),
                         sorted(count.CPUS[machine_of(LIBRARY).qemu].split(",")))
        for result in results:
            self.assertEqual([copy["n"] for copy in result["copies"]], [7, 64])
            self.assertGreater(result["copies"][0]["instructions"], 7)
        self.assertEqual(subprocess.run(command + ["--kernels=none-such"], capture_output=True).returncode, 1)


def main():
    with tempfile.TemporaryDirectory() as folder:  # says if a tool is missing
        count.Counter(machine_of(LIBRARY), folder)
    unittest.main()


if __name__ == "__main__":
    LIBRARY = sys.argv.pop(1)
    sys.exit(finish("test", main))
