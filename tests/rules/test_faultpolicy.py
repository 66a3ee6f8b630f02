"""What a fault of the machine does to a hand: every fault has its row, every row its verdicts."""

from __future__ import annotations

import pytest

from protocols.vocabulary import Fault
from tablectl.game import faults
from tablectl.rules.book import load_book
from tablectl.rules.faultpolicy import HARMLESS, decides, policy, verdict
from tablectl.rules.offences import FaultPolicy

BOOK = load_book()
MCR = BOOK["mcr"]


def row(name: str) -> FaultPolicy:
    found = policy(MCR, name)
    assert found is not None
    return found


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault], ids=lambda fault: fault.name.lower())
def test_every_fault_has_one_row_or_needs_none(fault: Fault) -> None:
    rows = [one for one in MCR.machine.values() if fault.name.lower() in one.faults]
    assert len(rows) == (0 if fault in HARMLESS else 1)


@pytest.mark.parametrize("id_", BOOK)
def test_every_ruleset_has_the_table(id_: str) -> None:
    assert BOOK[id_].machine == MCR.machine


def test_the_wall_is_doubtful_after_the_same_faults_in_which_the_hand_is_held() -> None:
    doubtful = {name for one in MCR.machine.values() if one.suspect for name in one.faults}
    assert doubtful == {fault.name.lower() for fault in faults.SUSPECT}


# fault, discards, tiles seen, order known, verdict
VERDICTS = [
    ("tray_not_up", 0, None, True, "rebuild"),
    ("missing_tiles", 5, 0, True, "play_on"),
    ("missing_tiles", 5, 1, True, "void"),
    ("count_mismatch", 5, 0, False, "void"),
    ("head_jam", 0, None, True, "play_on"),
    ("head_jam", 5, None, True, "play_on"),
    ("head_jam", 5, None, False, "swap"),
    ("tray_runaway", 0, None, True, "rebuild"),
    ("tray_runaway", 0, None, False, "void"),
    ("tray_runaway", 5, 1, True, "restore"),
    ("tray_runaway", 5, 2, True, "referee"),
    ("tray_runaway", 5, 4, True, "referee"),
    ("tray_runaway", 5, 5, True, "void"),
    ("tray_runaway", 5, None, True, "referee"),
    ("tray_runaway", 5, 0, False, "void"),
    ("wall_knocked_over", 5, 0, True, "referee"),
    ("wall_knocked_over", 5, 0, False, "redeal"),
    ("odd_tile", 9, None, True, "play_on"),
    ("odd_tile", 9, None, False, "void"),
    ("dice_no_spin", 0, None, True, "reroll"),
    ("power_lost_mid_cycle", 0, None, True, "restart"),
    ("watchdog_reset", 5, None, True, "restore"),
    ("watchdog_reset", 5, None, False, "void"),
    ("firmware_changed", 5, None, True, "lock"),
]


@pytest.mark.parametrize(("fault", "discards", "seen", "known", "wanted"), VERDICTS)
def test_the_verdict_goes_by_how_far_the_hand_is_and_what_was_seen(
    fault: str, discards: int, seen: int | None, known: bool, wanted: str
) -> None:
    assert verdict(row(fault), discards=discards, seen=seen, order_known=known) == wanted


def test_who_decides() -> None:
    assert decides(row("watchdog_reset"), "restore") == "referee"
    assert decides(row("watchdog_reset"), "void") == "chief"
    assert decides(row("firmware_changed"), "lock") == "chief"
    assert decides(row("tray_runaway"), "void") == "referee"


def test_a_warning_is_nothing_to_a_hand() -> None:
    assert policy(MCR, "optic_weak") is None
    assert policy(MCR, "no such fault") is None


def test_a_house_may_change_a_row() -> None:
    text = 'id = "club"\nextends = "mcr"\n[machine.lift_dropped]\nup_to_tiles = 2\n'
    changed = load_book([("club.toml", text)])["club"].machine["lift_dropped"]
    assert verdict(changed, discards=3, seen=2, order_known=True) == "restore"
