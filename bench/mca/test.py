#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bench/mca: test.py LIBRARY. It finds the loops that are there, and scores what is known."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from cross import finish, load, machine_of, peer_library  # noqa: E402

score = load(str(HERE / "score"))

LIBRARY = None


class Known(unittest.TestCase):
    def setUp(self):
        self.machine = machine_of(LIBRARY)
        if self.machine.qemu != "aarch64":
            self.skipTest("the known loops are AArch64's")

    def loops(self, name):
        with tempfile.TemporaryDirectory() as folder:
            file = peer_library(self.machine, folder, str(HERE / "loops.S"), name)
            return score.loops_of(score.disassemble(self.machine, file), *score.functions(self.machine, file)[name])

    def test_choice(self):
        loops = self.loops("known_choice")
        self.assertEqual([(loop.offset, len(loop.code), score.stored(loop.code, 16)) for loop in loops],
                         [(20, 2, 8), (28, 3, 32), (40, 3, 32)])
        self.assertEqual(score.main_loop(loops), loops[1])
        self.assertEqual(score.main_loop(loops, {loops[1].code}), loops[2])
        self.assertEqual(score.main_loop(loops, {loop.code for loop in loops}), loops[1])

    def test_score(self):
        mca = score.find_mca(None)[0]
        self.assertAlmostEqual(score.score(mca, self.machine, "cortex-a57", self.loops("known_chain")[0]), 1,
                               delta=0.01)

    def test_stored(self):
        for name, operands, size in (("stp", "q0, q1, [x0]", 32), ("stnp", "x2, x3, [x0]", 16), ("str", "w1, [x0]", 4),
                                     ("st1b", "{z0.b}, p0, [x0]", 64), ("strb", "w1, [x0]", 1),
                                     ("ldp", "q0, q1, [x1]", 0)):
            self.assertEqual(score.stored([(name, operands)], 64), size, name)


class Whole(unittest.TestCase):
    def test_whole(self):
        """The command itself, on our own kernels."""
        if machine_of(LIBRARY).qemu not in score.CPUS:
            self.skipTest("not for this machine")
        done = subprocess.run([sys.executable, HERE / "score", LIBRARY, "--json"], capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        loops = json.loads(done.stdout)
        names = {name for loop in loops if loop["ours"] for name in loop["names"]}
        chosen = score.CPUS[machine_of(LIBRARY).qemu]
        self.assertLessEqual(set(chosen.values()), names)
        for loop in loops:  # ldnp has asimd's loops, too
            self.assertFalse({"asimd", "ldnp"} <= set(loop["names"]))
            for cpu, kernel in chosen.items():
                if kernel in loop["names"]:
                    self.assertTrue(0.5 < loop["bytes_per_cycle"][cpu] < 200, (kernel, cpu))


def main():
    machine_of(LIBRARY)  # both say what is missing
    score.find_mca(None)
    unittest.main()


if __name__ == "__main__":
    LIBRARY = sys.argv.pop(1)
    sys.exit(finish("test", main))
