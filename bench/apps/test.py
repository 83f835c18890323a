#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bench/apps: test.py PRELOAD CONTROL. The statistics, and one small run from end to end."""
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import paired  # noqa: E402


def rounds(loss, noise=0.002, count=21):
    """Paired runs on a machine that drifts, and of which a tenth is disturbed."""
    source = random.Random(1)
    baseline, contender = [], []
    for number in range(count):
        speed = 1 + 0.1 * number / count
        baseline.append(speed * source.gauss(1, noise) * (1.5 if number == 5 else 1))
        contender.append(speed * source.gauss(1, noise) * (1 + loss) * (1.5 if number == 11 else 1))
    return baseline, contender


class Statistics(unittest.TestCase):
    def test_level(self):
        result = paired.change(*rounds(0))
        self.assertEqual(paired.verdict(result, 2), "level")
        self.assertLess(result.high - result.low, 0.5)

    def test_loss(self):
        result = paired.change(*rounds(0.01))
        self.assertTrue(result.low < 1 < result.high, result)
        self.assertEqual(paired.verdict(result, 2), "loss")
        self.assertEqual(paired.verdict(paired.change(*rounds(0.03)), 2), "loss !")

    def test_gain(self):
        self.assertEqual(paired.verdict(paired.change(*rounds(-0.01)), 2), "gain")

    def test_noise_is_no_proof(self):
        self.assertEqual(paired.verdict(paired.change(*rounds(0, noise=0.1)), 2), "level !")

    def test_factor(self):
        once, twice = paired.change(*rounds(0.01)), paired.change(*rounds(0.01), 2)
        self.assertAlmostEqual(twice.high, 2 * once.high)

    def test_interval_covers(self):
        """Of intervals around nothing, about 95 in 100 hold 0."""
        source = random.Random(2)
        held = 0
        for _ in range(100):
            result = paired.change([1] * 21, [source.gauss(1, 0.02) for _ in range(21)])
            held += result.low <= 0 <= result.high
        self.assertGreater(held, 85)


class Run(unittest.TestCase):
    def run_it(self, *arguments):
        return subprocess.run([sys.executable, str(HERE / "run"), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def small(self, *arguments):
        return self.run_it("--preload=" + PRELOAD, "--control=" + CONTROL, "--apps=python-bytes", "--scale=0.01",
                           "--pairs=2", "--max-pairs=2", *arguments)

    def test_usage(self):
        for arguments in ([], ["--preload=missing.so"], ["--preload=" + PRELOAD, "--apps=nonsense"],
                          ["--preload=" + PRELOAD, "--pairs=0"]):
            self.assertEqual(self.run_it(*arguments).returncode, 2, arguments)

    def test_list(self):
        result = self.run_it("--list")
        self.assertEqual(result.returncode, 0)
        self.assertIn("python-bytes", result.stdout)

    def test_end_to_end(self):
        with tempfile.TemporaryDirectory() as directory:
            file = os.path.join(directory, "json")
            for extra in [], ["--in-turn"]:
                result = self.small("--max-loss=1000", "--tunables=memcpy=generic", "--json=" + file, *extra)
                self.assertEqual(result.returncode, 0, result.stdout)
                with open(file) as written:
                    everything = json.load(written)
                self.assertEqual(everything["libraries"]["preload"],
                                 hashlib.sha256(pathlib.Path(PRELOAD).read_bytes()).hexdigest())
                runs = everything["apps"]["python-bytes"]["runs"]
                self.assertEqual(list(runs), ["libc", "control", "default", "memcpy=generic"])
                for name in runs:
                    self.assertEqual(len(runs[name]), 2)
                    self.assertIn(name, result.stdout)

    def test_loss_fails(self):
        result = self.small("--max-loss=-1000")  # whatever it is, it is more
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("not ruled out", result.stdout)

    def test_not_the_library(self):
        """What was not loaded, or does not do as told, is not measured."""
        for arguments in ["--tunables=memcpy=nonsense"], ["--preload=" + __file__]:
            result = self.small(*arguments)
            self.assertEqual(result.returncode, 2, result.stdout)

    def test_missing_program(self):
        os.environ["PATH"], path = "/nonexistent", os.environ["PATH"]
        try:
            result = self.run_it("--list")
        finally:
            os.environ["PATH"] = path
        self.assertIn("no redis-server; on Debian: apt-get install redis-server", result.stdout)


if __name__ == "__main__":
    PRELOAD, CONTROL = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
