"""Where editions of the book differ, a named setting decides (section C6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.rules.book import load_book
from tablectl.rules.mcr import ScoreSettings, count
from tablectl.rules.mcr.notation import read

HANDS = [
    ("mixed_kong", 5, "[1111s][2222m,1][333p,1]444p88s", 24, "MCR-S8"),
    ("mixed_kong", 6, "[1111s][2222m,1][333p,1]444p88s", 25, "MCR-S8"),
    ("mixed_kong", 3, "[1111s][2222m,1][333p,1]444p88s", 22, "MCR-S8"),
    ("two_concealed_kongs", 6, "[1111s][2222m][345p,1]678p99m", 10, "MCR-S8"),
    ("two_concealed_kongs", 8, "[1111s][2222m][345p,1]678p99m", 12, "MCR-S8"),
    ("knitted_wait", "count", "258m23469p14788s3p", 17, "MCR-S11"),
    ("knitted_wait", "skip", "258m23469p14788s3p", 16, "MCR-S11"),
    ("knitted_wait", "skip", "258m13369p14788s2p", 17, "MCR-S11"),
    ("knitted_in_unrelated", 24, "369m147p25sSWNPF8s", 24, "MCR-S11"),
    ("knitted_in_unrelated", 12, "369m147p25sSWNPF8s", 12, "MCR-S11"),
    ("seven_pairs_selfdraw", "zimo", "33m22s77pEENCCPPN|EE1000", 31, "MCR-S12"),
    ("seven_pairs_selfdraw", "buqiuren", "33m22s77pEENCCPPN|EE1000", 34, "MCR-S12"),
    ("seven_pairs_selfdraw", "buqiuren", "33m22s77pEENCCPPN", 30, "MCR-S12"),
    ("seven_pairs_selfdraw", "buqiuren", "22334556677884s|EE1000", 91, "MCR-S12"),
    ("nine_gates_terminal", "one", "11123456789992p", 92, "MCR-S7"),
    ("nine_gates_terminal", "none", "11123456789992p", 93, "MCR-S7"),
    ("nine_gates_terminal", "both", "11123456789992p", 91, "MCR-S7"),
    ("nine_gates_terminal", "both", "11123456789999m|EE1000", 107, "MCR-S7"),
]


@pytest.mark.report("B072")
@pytest.mark.parametrize(
    ("setting", "value", "text", "total"),
    [
        pytest.param(*row[:4], id=f"{row[0]}={row[1]} {row[2]}", marks=pytest.mark.rule(row[4]))
        for row in HANDS
    ],
)
def test_setting_decides(setting, value, text, total, settings) -> None:
    assert count(read(text), replace(settings, **{setting: value})).total == total


def test_settings_come_from_the_ruleset() -> None:
    club = 'id = "club"\nextends = "mcr"\nscore.mixed_kong = 6\nscore.minimum = 6\n'
    settings = ScoreSettings.of(load_book([("club.toml", club)])["club"].score)
    assert (settings.mixed_kong, settings.minimum) == (6, 6)


@pytest.mark.rule("MCR-S1")
def test_minimum_is_the_rulesets(settings) -> None:
    hand = read("[NNN,3]77789m11888p7m")
    assert not count(hand, settings).legal
    assert count(hand, replace(settings, minimum=6)).legal
