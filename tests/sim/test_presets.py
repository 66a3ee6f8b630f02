"""Presets: over many builds, rolls and minutes each fault comes as often as its table says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sim.chance import Chance
from sim.errors import PresetError
from sim.items import When
from sim.kinds import Family, at_push, kinds, preset, presets
from sim.mechanism.causes import load_causes

TRIALS = 20_000
SIGMAS = 4.5  # of some 500 checks none should fail by chance
STACKS = 18


def chance(name: str) -> Chance:
    return Chance(preset(name), Random(f"presets {name}"), STACKS, {})


def verify(count: int, expected: float, what: str) -> None:
    assert abs(count - expected) <= SIGMAS * max(expected, 1.0) ** 0.5 + 1, f"{what}: {count}, not {expected}"


@pytest.mark.parametrize("name", presets())
@pytest.mark.parametrize("unit", ["build", "roll", "hand", "discard"])
def test_rates_of_a_moment(name: str, unit: str) -> None:
    dice, counts = chance(name), Counter[str]()
    for number in range(1, TRIALS + 1):
        for moment in ("push", "build") if unit == "build" else (unit,):
            for item in dice.at(When(moment, number, hand=1, build=number), 0.0):
                counts[item.kind] += 1
                assert (moment == "push") == at_push(item.kind)
    rates = preset(name).rates.get(unit, {})
    assert set(counts) <= set(rates)
    for kind, rate in rates.items():
        verify(counts[kind], rate * TRIALS, kind)


@pytest.mark.parametrize("name", presets())
@pytest.mark.parametrize("unit", ["frame", "reply"])
def test_rates_of_what_is_counted(name: str, unit: str) -> None:
    dice = chance(name)
    trials = 200_000
    found = Counter(item.kind for n in range(1, trials + 1) for item in dice.at(When(unit, n), 0.0))
    for kind, rate in preset(name).rates.get(unit, {}).items():
        verify(found[kind], rate * trials, kind)


@pytest.mark.parametrize("name", ["clubhouse", "tired", "chaos"])
def test_rates_by_the_clock(name: str) -> None:
    dice, minutes, counts = chance(name), 0.0, Counter[str]()
    while minutes < 50_000:
        found = dice.by_clock()
        assert found is not None
        minutes += found[0] / 60
        counts[found[1]] += 1
    for kind, rate in preset(name).rates["minute"].items():
        verify(counts[kind], rate * minutes, kind)


def test_the_published_knobs() -> None:
    """Hardware model section 6.3, per build cycle of a clubhouse; tired is five times that."""
    build = preset("clubhouse").rates["build"]
    assert build["missing_tiles"] == pytest.approx(1 / 40)
    assert build["extra_tiles"] + build["mixed_sets"] == pytest.approx(1 / 400)
    assert build["head_jam"] == pytest.approx(1 / 250)
    assert build["build_timeout"] + build["last_tiles_slow"] == pytest.approx(1 / 300)
    assert build["centre_not_up"] + build["centre_not_down"] == pytest.approx(1 / 2000)
    assert preset("clubhouse").clears == 0.4
    tired = preset("tired")
    for unit, rates in preset("clubhouse").rates.items():
        for kind, rate in rates.items():
            assert tired.rates[unit][kind] == pytest.approx(5 * rate)


def test_two_jams_in_five_free_themselves() -> None:
    dice = chance("clubhouse")
    items = [dice.item("head_jam", When()) for _ in range(4000)]
    verify(sum(bool(item.get("clears", False)) for item in items), 1600, "self-clearing")
    assert {item.side for item in items} == {0, 1, 2, 3}


def test_perfect_is_calm_and_chaos_knows_everything() -> None:
    assert preset("perfect").calm
    rates = preset("chaos").rates
    known = {kind for of in rates.values() for kind in of}
    mechanism = set(load_causes().causes)
    link = {one.name for one in kinds().values() if one.family is Family.LINK}
    people = {one.name for one in kinds().values() if one.family is Family.PEOPLE}
    assert known >= mechanism | link | people
    assert "silent_reboot" in known


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(PresetError, match="known: perfect, clubhouse, new, tired, hostile, chaos"):
        preset("tyred")
