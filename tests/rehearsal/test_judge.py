"""The books on the players' shelf: hands that win and hands that do not, with what the table shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.vocabulary import NO_SIDE, Meld, SeatKey
from sim.customs import Customs
from sim.view import OpenHand, Seen, ShownMeld
from tablectl.rehearsal.customs import customs_of
from tablectl.rehearsal.judge import judge_of
from tablectl.rules.book import load_book

BOOK = load_book()


def tiles(text: str) -> list[str]:
    return [
        name
        for word in text.split()
        for name in ([f"{n}{word[-1]}" for n in word[:-1]] if word[0].isdigit() else [word])
    ]


def chow(first: str, source: int = 3) -> ShownMeld:
    rank, suit = int(first[0]), first[1]
    run = tuple(f"{rank + step}{suit}" for step in range(3))
    return ShownMeld(Meld.CHOW, run, run[0], source)


def pung(tile: str, source: int = 2) -> ShownMeld:
    return ShownMeld(Meld.PUNG, (tile,) * 3, tile, source)


def seen(system: str, melds: list[ShownMeld], **table: object) -> Seen:
    """Side 0 at a table in mid-hand; side 1 deals."""
    open_ = OpenHand(1, 1, 60, customs=customs_of(BOOK[system]), discards=20)
    open_.melds[0] = melds
    for name, value in table.items():
        setattr(open_, name, value)
    return Seen(0, open_)


def wins(
    system: str,
    mine: Seen,
    concealed: str,
    winning: str,
    *,
    source: int = NO_SIDE,
    replacement: bool = False,
    robbed: bool = False,
) -> bool:
    context = mine.context(
        self_drawn=source == NO_SIDE,
        source=0 if source == NO_SIDE else source,
        replacement=replacement,
        robbed=robbed,
    )
    return judge_of(BOOK[system]).wins(tiles(concealed), mine.melds, winning, context)


@pytest.mark.rule("ZJ-S1", "ZJ-S5")
def test_any_shape_wins_at_zung_jung() -> None:
    assert wins("zungjung", seen("zungjung", [chow("1m"), pung("9p")]), "45s 678s 99m", "3s", source=1)
    assert not wins("zungjung", seen("zungjung", [chow("1m"), pung("9p")]), "45s 678s 89m", "3s", source=1)


@pytest.mark.rule("CJ-S1")
@pytest.mark.parametrize(
    ("melds", "concealed", "winning", "won"),
    [
        pytest.param([], "123m 456m 789m E E E S", "S", True, id="half flush"),
        pytest.param([chow("1m"), pung("9p")], "45s 678s 99m", "3s", False, id="no technical fan"),
        pytest.param([chow("1m"), pung("9p"), chow("4s"), pung("E")], "5p", "5p", True, id="all from others"),
        pytest.param([], "11m 22p 33s E E S S 99p 8m", "8m", True, id="seven pairs"),
    ],
)
def test_a_hand_of_the_chip_game_needs_a_fan(
    melds: list[ShownMeld], concealed: str, winning: str, won: bool
) -> None:
    assert wins("ccm", seen("ccm", melds), concealed, winning, source=1) is won


@pytest.mark.rule("CJ-S6")
def test_flowers_of_a_flower_kong_do_not_disturb_the_count() -> None:
    mine = seen("ccm", [], flowers=[["f1", "f2", "f3", "f4", "f7"], [], [], []])
    assert wins("ccm", mine, "123m 456m 789m E E E S", "S")


WUHAN = {"indicator": "1s", "wild": ("2s",)}
TWO = [chow("1m"), chow("4p")]


@pytest.mark.rule("WH-C1", "WH-C2", "WH-C7", "WH-W4", "WH-W5")
@pytest.mark.parametrize(
    ("melds", "concealed", "winning", "source", "won"),
    [
        # hard, two openings, self-drawn: 2 x 2 x 2 x 2 = 16, and 32 of the dealer
        pytest.param(TWO, "456s 78s 55m", "9s", NO_SIDE, True, id="32 of the dealer"),
        # the same off a discard of another than the dealer: 16 of him, 16 of the dealer
        pytest.param(TWO, "456s 78s 55m", "9s", 2, False, id="16 is not enough"),
        pytest.param(TWO, "456s 78s 55m", "9s", 1, True, id="32 of the dealer who discarded"),
        pytest.param(TWO, "456s 78s 66m", "9s", NO_SIDE, False, id="pair not 2 5 8"),
        pytest.param(TWO, "456s 78s 5m 2s", "9s", NO_SIDE, False, id="a wild pair: soft, 16"),
        pytest.param(TWO, "C 56s 78s 55m", "9s", NO_SIDE, False, id="holds red"),
        pytest.param([], "123m 456p 456s 78s 55m", "9s", NO_SIDE, False, id="not opened"),
        pytest.param(TWO, "456s 789s 5m", "2s", 1, False, id="a wild tile is not claimed"),
    ],
)
def test_a_hand_of_wuhan(
    melds: list[ShownMeld], concealed: str, winning: str, source: int, won: bool
) -> None:
    assert wins("wuhan", seen("wuhan", melds, **WUHAN), concealed, winning, source=source) is won


@pytest.mark.rule("WH-S3", "WH-S4")
def test_what_others_have_laid_out_counts_for_the_minimum() -> None:
    """16 of each; the discarder's opening, one-tile kong or thrown wild tile doubles it."""
    bare = seen("wuhan", TWO, **WUHAN)
    assert not wins("wuhan", bare, "456s 78s 55m", "9s", source=2)
    opened = seen("wuhan", TWO, **WUHAN, singles=[[], [], ["C"], []])
    assert wins("wuhan", opened, "456s 78s 55m", "9s", source=2)
    thrown = seen("wuhan", TWO, **WUHAN, pools=[[], [], ["2s"], []])
    assert wins("wuhan", thrown, "456s 78s 55m", "9s", source=2)
    melded = seen("wuhan", TWO, **WUHAN)
    melded.open.melds[2] = [pung("9m", 1)]
    assert wins("wuhan", melded, "456s 78s 55m", "9s", source=2)


@pytest.mark.rule("WH-C11")
def test_a_win_on_a_replacement_tile_needs_a_hand_that_was_ready() -> None:
    """Soft with one opening and one kong the dealer pays 16; on a replacement tile it is a big win, 10 times
    that, if it was ready."""
    mine = seen("wuhan", [chow("1m")], **WUHAN, singles=[["C"], [], [], []])
    mine.before_kong = tuple(tiles("456p 456s 7s 2s 55m"))
    assert wins("wuhan", mine, "456p 456s 7s 2s 55m", "8s", replacement=True)
    mine.before_kong = tuple(tiles("146p 369s 1s 2s P 5m"))
    assert not wins("wuhan", mine, "456p 456s 7s 2s 55m", "8s", replacement=True)
    assert not wins("wuhan", mine, "456p 456s 7s 2s 55m", "8s")


@pytest.mark.rule("WH-C10", "WH-S10")
def test_an_added_kong_is_robbed_as_the_pung_it_was() -> None:
    mine = seen("wuhan", TWO, **WUHAN)
    mine.open.melds[2] = [ShownMeld(Meld.ADDED_KONG, ("9s",) * 4, "9s", 1)]
    assert wins("wuhan", mine, "456s 78s 55m", "9s", source=2, robbed=True)


def test_tiles_that_cannot_lie_on_a_table_win_nothing() -> None:
    torn = ShownMeld(Meld.CHOW, ("1m", "5m", "9p"))
    for system in ("zungjung", "ccm", "wuhan"):
        mine = seen(system, [torn, pung("E")], **(WUHAN if system == "wuhan" else {}))
        assert not wins(system, mine, "123m 456m S", "S")


@pytest.mark.parametrize(
    ("system", "known"),
    [
        ("mcr", Customs()),
        ("mcr-136", Customs()),
        (
            "zungjung",
            Customs(dead_tiles=14, waits=True),
        ),
        ("ccm", Customs(throws=1, break_at="at", winners=3, discard_s=10, aims="fan")),
        (
            "wuhan",
            Customs(
                dead_tiles=10,
                draw_only=4,
                tail_parity=True,
                indicator="head",
                wild_kinds=1,
                singles=("C", "wild"),
                unclaimable=("C", "wild"),
                forbidden=("C",),
                last_discard=(SeatKey.CHOW, SeatKey.PUNG, SeatKey.WIN),
                aims="opened",
            ),
        ),
    ],
)
def test_what_players_are_told_of_each_system(system: str, known: Customs) -> None:
    told = customs_of(BOOK[system])
    if "mcr" in system:  # a flower is never discarded there; the players know that of themselves
        told = replace(told, forbidden=())
    if system == "ccm":
        told = replace(told, forbidden=())
    assert told == known
