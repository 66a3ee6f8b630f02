"""Scripts: the human hands to the exact tiles, kongs from the tail, and what cannot be played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocols.driver import BoardEvent
from protocols.vocabulary import EventKind, Meld, SeatKey, WallEnd
from sim.compose import compose_walls
from sim.errors import ScriptError
from sim.mechanism.tiles import KINDS
from sim.script import Script
from sim.timebase import run_virtual
from sim.world import SimTable
from tests.sim.rig import Host, Nobody

DATA = Path(__file__).parent / "data" / "human_hands.jsonl"
HUMAN = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
SEEN = (EventKind.TILE_DRAWN, EventKind.TILE_DISCARDED, EventKind.MELD_SHOWN)
DOES = {
    Meld.CHOW: "chow",
    Meld.PUNG: "pung",
    Meld.KONG: "kong",
    Meld.CONCEALED_KONG: "concealed_kong",
    Meld.ADDED_KONG: "added_kong",
}


def play(line: dict[str, Any], seed: int = 1) -> Host:
    """Play one script at a table that senses every tile."""

    async def main() -> Host:
        table = SimTable(seed, judge=Nobody(), tiles=136, script=[Script.parse(line)])
        host = await Host(table).start()
        await host.play_hand(1, line["dealer"])
        table.machine.places.assert_conserved()
        host.stop()
        return host

    return run_virtual(main())


def said(events: list[BoardEvent]) -> list[tuple[int, str, str]]:
    """The events of play in the words of a script; the dealer's fourteenth tile is his first draw."""
    told = []
    for event in events:
        if event.kind is EventKind.TILE_DRAWN:
            told.append((event.side, "draw", event.tiles[0]))
        elif event.kind is EventKind.TILE_DISCARDED:
            told.append((event.side, "discard", event.tiles[0]))
        elif event.kind is EventKind.MELD_SHOWN:
            told.append((event.side, DOES[Meld(event.value)], ""))
        elif event.kind is EventKind.SEAT_KEY and event.value == SeatKey.WIN:
            told.append((event.side, "win", ""))
    return told


def written(line: dict[str, Any]) -> list[tuple[int, str, str]]:
    plain = ("draw", "discard")
    return [(e["seat"], e["do"], e["tile"] if e["do"] in plain else "") for e in line["events"]]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("line", HUMAN, ids=[line["id"] for line in HUMAN])
def test_a_human_hand_is_played_to_the_exact_tile(line: dict[str, Any], seed: int) -> None:
    host = play(line, seed)
    drawn = [event for event in host.events if event.kind is EventKind.TILE_DRAWN]
    hands = [Counter(event.tiles[0] for event in drawn[:53] if event.side == side) for side in range(4)]
    first = line["events"][0]
    hands[first["seat"]][first["tile"]] -= 1
    assert [+hand for hand in hands] == [Counter(hand) for hand in line["deal"]]
    start = host.events.index(drawn[52]) + 1
    assert said(host.events[start:]) == written(line)[1:]
    assert host.winner == line["winner"]


def test_the_dice_of_a_script_come_from_the_seed() -> None:
    def thrown(seed: int) -> list[int]:
        return [event.value for event in play(HUMAN[0], seed).events if event.kind is EventKind.DICE_RESULT]

    assert thrown(1) == thrown(1)
    assert len({tuple(thrown(seed)) for seed in range(3)}) > 1


def filled(partial: list[list[str]], draws: list[str]) -> list[list[str]]:
    """Hands of thirteen: the tiles named, and others that stay out of the way."""
    rest = Counter({name: 4 for name in KINDS}) - Counter(draws)
    for hand in partial:
        rest -= Counter(hand)
    spare = list(rest.elements())
    Random(1).shuffle(spare)
    return [[*hand, *(spare.pop() for _ in range(13 - len(hand)))] for hand in partial]


def events(*words: str) -> list[dict[str, Any]]:
    """Events from words: `0 draw 1m`, `1 chow 3m 1m 2m`."""
    told = []
    for word in words:
        seat, do, tile, *own = word.split()
        told.append({"seat": int(seat), "do": do, "tile": tile, **({"with": own} if own else {})})
    return told


KONGS = events(
    "0 draw E", "0 concealed_kong E", "0 draw 9p", "0 discard 5p",
    "1 pung 5p", "1 discard N", "2 draw 1s", "2 discard W",
    "3 draw W", "3 discard W", "0 draw S", "0 discard S",
    "1 draw 5p", "1 added_kong 5p",
)  # fmt: skip


def kong_script(*tail: str) -> dict[str, Any]:
    told = KONGS + events(*tail)
    draws = [event["tile"] for event in told if event["do"] == "draw"]
    partial = [["E", "E", "E", "5p"], ["5p", "5p", "N"], ["4p", "6p", "W"], ["C", "C", "C"]]
    return {"dealer": 0, "deal": filled(partial, draws), "events": told}


def test_kong_replacements_come_from_the_tail() -> None:
    line = kong_script("1 draw 7m", "1 discard 7m", "2 win 7m")
    host = play(line)
    tail = [
        event.tiles[0]
        for event in host.events
        if event.kind is EventKind.TILE_DRAWN and event.value == WallEnd.TAIL
    ]
    assert tail == ["9p", "7m"]
    melds = [Meld(event.value) for event in host.events if event.kind is EventKind.MELD_SHOWN]
    assert melds == [Meld.CONCEALED_KONG, Meld.PUNG, Meld.ADDED_KONG]
    assert host.winner == 2


def test_an_added_kong_is_robbed_before_its_replacement() -> None:
    host = play(kong_script("2 win 5p"))
    added = next(e for e in host.events if e.kind is EventKind.MELD_SHOWN and e.value == Meld.ADDED_KONG)
    after = [e for e in host.events if e.number > added.number and e.kind in (*SEEN, EventKind.SEAT_KEY)]
    assert [(e.kind, e.side, e.value) for e in after] == [(EventKind.SEAT_KEY, 2, SeatKey.WIN)]
    assert host.winner == 2


def test_without_a_win_the_script_ends_in_a_drawn_hand() -> None:
    line = {**HUMAN[0], "events": HUMAN[0]["events"][:-1]}
    host = play(line)
    assert host.winner is None
    assert sum(event.kind is EventKind.TILE_DRAWN for event in host.events) == 136


@pytest.mark.parametrize("dice", [((6, 6), (6, 6)), ((1, 1), (1, 1)), ((2, 3), (6, 6)), ((6, 5), (4, 3))])
def test_composed_walls_hold_one_set(dice: tuple[tuple[int, int], tuple[int, int]]) -> None:
    walls = compose_walls(HUMAN[1]["deal"], HUMAN[1]["events"], dice, HUMAN[1]["dealer"])
    names = Counter(name for row in walls for stack in row for name in stack)
    assert names == Counter({name: 4 for name in KINDS})
    assert [len(row) for row in walls] == [17] * 4


def broken(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(json.dumps(HUMAN[0]))
    change(line)
    return line


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line["events"].pop(1), "event 2.*seat 3 cannot draw now"),
        (lambda line: line["events"][1].update(tile="E"), "event 2.*does not hold E"),
        (lambda line: line["events"][0].update(seat=1), "event 1.*seat 1 cannot draw now"),
        (lambda line: line["deal"][0].__setitem__(0, "1z"), "'1z' is no tile"),
        (lambda line: line["deal"][0].pop(), "13 tiles for each"),
        (lambda line: line["deal"][0].__setitem__(slice(0, 4), ["N"] * 4), "copy 5 of N"),
        (lambda line: line["events"][2].update(tile="6m"), "event 3.*copy 5 of 6m"),
        (lambda line: line["events"].append(line["events"][0]), "won already"),
        (lambda line: line["events"][0].update(do="sing"), "can 'sing'"),
        (lambda line: line.pop("dealer"), "not of the form"),
        (lambda line: line["events"][-1].update(tile="3s"), "2s lies open, not 3s"),
    ],
)
def test_what_cannot_be_played_is_said(change: Callable[[dict[str, Any]], None], words: str) -> None:
    with pytest.raises(ScriptError, match=words):
        Script.parse(broken(change))
