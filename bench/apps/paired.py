# SPDX-License-Identifier: MIT
"""The statistics of bench/apps/run: what paired runs say about a change.

Each round gives one difference in per cent, between two runs made side by side. Reported is their mean without
the lowest and the highest fifth: a run that something disturbed falls out, as it would with the median, but
the interval does not jump from one difference to the next, as the median's does with few rounds.
"""
import random
from collections import namedtuple

SEED = 2026
RESAMPLES = 4000
TRIM = 0.2

Change = namedtuple("Change", "center low high")  # per cent; low to high: 95 % interval


def trimmed_mean(values):
    values = sorted(values)
    cut = int(len(values) * TRIM)
    kept = values[cut:len(values) - cut]
    return sum(kept) / len(kept)


def change(baseline, contender, factor=1):
    """The trimmed mean of the paired differences, with the 95 % interval by the bootstrap (percentiles).

    In per cent of the baseline's, times `factor`; above 0: the contender took more.
    """
    differences = [100 * (new / old - 1) * factor for old, new in zip(baseline, contender)]
    source = random.Random(SEED)
    means = sorted(trimmed_mean(source.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    return Change(trimmed_mean(differences), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1])


def verdict(result, max_loss):
    """gain or loss: all of the interval is on one side of 0. `!`: a loss beyond max_loss is not ruled out."""
    word = "gain" if result.high < 0 else "loss" if result.low > 0 else "level"
    return word + (" !" if result.high > max_loss else "")
