#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bench/models: test.py LIBRARY. Streams whose cycles can be counted by hand, and the command itself."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
from cell import PARAMETERS, Access, P, Ppe  # noqa: E402
from cross import finish, machine_of  # noqa: E402

LIBRARY = None
LINE = P["line"]


def load(line, register="r5"):
    return Access("load", line * LINE, 8, [], [register])


def store(line, offset=0):
    return Access("store", line * LINE + offset, 8, [], [])


def touch(kind, line):
    return Access(kind, line * LINE, 0, [], [])


def use(*registers):
    return Access("other", 0, 0, list(registers), [])


class Known(unittest.TestCase):
    def cycles(self, *stream):
        self.ppe = Ppe()
        return self.ppe.run(stream)

    def test_nothing(self):
        self.assertEqual(self.cycles(), 0)

    def test_two_a_cycle(self):
        self.assertEqual(self.cycles(*[use()] * 101), 50)

    def test_one_access_a_cycle(self):
        ppe = Ppe()
        ppe.run([load(0), use("r5")])
        self.assertEqual(ppe.run([load(0)] * 11), 10)  # the first beside what it waits for

    def test_miss_waits_for_its_use(self):
        self.assertLess(self.cycles(load(0), *[use()] * 20), 12)
        self.assertAlmostEqual(self.cycles(load(0), use("r5")), P["memory_latency"], delta=1)

    def test_fetched_before(self):
        idle = [use()] * 2 * (P["memory_latency"] + 10)
        self.assertLess(self.cycles(touch("dcbt", 0), *idle, load(0), use("r5")), len(idle) / 2 + 10)

    def test_lines_at_once(self):
        loads = [load(i, "r%d" % i) for i in range(12)]
        for count, times in ((6, 1), (7, 2), (12, 2)):
            took = self.cycles(*loads[:count], use(*["r%d" % i for i in range(count)]))
            self.assertAlmostEqual(took / P["memory_latency"], times, delta=0.3, msg=count)

    def test_zeroed_lines_are_not_fetched(self):
        lines = range(50)
        plain = self.cycles(*[store(i, at) for i in lines for at in range(0, LINE, 8)])
        self.assertEqual(self.ppe.fetched, len(lines))
        zeroed = self.cycles(*[a for i in lines for a in [touch("dcbz", i)] + [store(i, at) for at in range(0, LINE, 8)]])
        self.assertEqual(self.ppe.fetched, 0)
        self.assertLess(zeroed, plain / 3)

    def test_dirty_lines_go_back(self):
        for dirty in (0, 1):
            ppe = Ppe()
            ppe.fill(dirty)
            ppe.run([touch("dcbz", i) for i in range(100)])
            self.assertEqual(ppe.written, 100 * dirty)

    def test_bandwidth(self):
        """Enough lines in flight, and memory's rate is what is left."""
        kept = P["lines_fetching"]
        try:
            P["lines_fetching"] = P["loads_missing"] = 1000
            took = self.cycles(*[touch("dcbt", i) for i in range(1000)], load(999), use("r5"))
        finally:
            P["lines_fetching"], P["loads_missing"] = kept, PARAMETERS["loads_missing"][0]
        self.assertAlmostEqual(1000 * LINE / took * P["frequency"], P["memory_bandwidth"], delta=0.05 * P["memory_bandwidth"])

    def test_across_32_bytes(self):
        plain, across = (self.cycles(load(0), use("r5"), *[Access("load", at, 8, [], [])] * 10) for at in (24, 28))
        self.assertAlmostEqual(across - plain, 10 * P["microcode"], delta=P["microcode"])  # what is done beside the first

    def test_sources(self):
        for name, (_, source) in PARAMETERS.items():
            self.assertTrue("[" in source or ":" in source, name)


class Whole(unittest.TestCase):
    def setUp(self):
        if machine_of(LIBRARY).qemu != "ppc64":
            self.skipTest("not for this machine")

    def command(self, *options):
        done = subprocess.run([sys.executable, HERE / "compare", LIBRARY, *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()]

    def test_compare(self):
        head, _, *rows = self.command()
        figures = {row[0]: dict(zip(head, row)) for row in rows}["memory to memory"]
        self.assertGreater(float(figures["`cell`"]), 3 * float(figures["glibc, any ppc64"]))

    def test_distances(self):
        """The kernel's own are within 3 % of the best."""
        head, _, *rows = self.command("--distances")
        figures = {(row[0], zero): float(figure) for row in rows for zero, figure in zip(head[1:], row[1:])}
        source = (HERE.parent.parent / "src/arch/ppc64").joinpath
        fetch = re.search(r"#define DCBT_AHEAD (\d+)", source("memmove_cell.S").read_text(encoding="utf-8"))[1]
        zero = re.search(r"#define DCBZ_AHEAD (\d+)", source("memmove_lines.inc").read_text(encoding="utf-8"))[1]
        self.assertGreater(figures[fetch, "dcbz " + zero], 0.97 * max(figures.values()))


def main():
    machine_of(LIBRARY)  # says what is missing
    unittest.main()


if __name__ == "__main__":
    LIBRARY = sys.argv.pop(1)
    sys.exit(finish("test", main))
