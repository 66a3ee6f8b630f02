"""The power goes at any write, and some of what was not synced is on the disk: nothing promised is lost."""

from __future__ import annotations

from random import Random

import pytest

from tablectl.rehearsal.host import LONGEST_TEAR
from tablectl.rehearsal.ordeal import Ordeal, undergo
from tests.rehearsal.rig import BOOK

CUTS = 4  # in each hand
LAST = 380  # records of a short hand


def cut_hand(seed: int) -> None:
    rng = Random(f"{seed}/cuts")
    records = sorted(rng.sample(range(2, LAST), CUTS))
    script = tuple(f"at record {n}: power cut {rng.randint(1, LONGEST_TEAR)}" for n in records)
    trial = undergo(Ordeal(seed, hands=1, script=script), BOOK)
    assert trial.violations == []
    assert trial.hands in (["win"], ["draw"])


@pytest.mark.report("B099")
@pytest.mark.parametrize("seed", range(6))
def test_power_cuts_at_any_write(seed):
    cut_hand(seed)


@pytest.mark.long
@pytest.mark.report("B099")
@pytest.mark.parametrize("seed", range(250))
def test_a_thousand_power_cuts(seed):
    cut_hand(1000 + seed)
