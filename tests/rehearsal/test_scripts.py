"""Hands written down, played through the demo command: every event as written, the right winner."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon.record import read_records
from tablectl.daemon.restore import input_of
from tablectl.game.inputs import BoardEvent, Command
from tests.rehearsal import scripts
from tests.rehearsal.conftest import Said
from tests.rehearsal.scripts import HANDS, HUMAN, HUMAN_FILE, Line

MELDS = {1: "chow", 2: "pung", 3: "kong", 4: "concealed_kong", 5: "added_kong"}
KEYS = {1: "discard", 2: "chow", 3: "pung", 4: "kong", 6: "win"}
DECK = 136
DEAL = 53


def inputs(journal: str) -> list[Any]:
    records = read_records(Path(journal).read_bytes().splitlines(keepends=True))
    return [input_of(record) for record in records if record.has_input]


def played(journal: str) -> list[tuple[int, str, str]]:
    """What the table sensed, in the words of a script; the deal and its last tile are left out."""
    told, drawn = [], 0
    for item in inputs(journal):
        if not isinstance(item, BoardEvent) or item.side is None:
            continue
        if item.event == "tile_drawn":
            drawn += 1
            if drawn > DEAL:
                told.append((item.side, "draw", item.tiles[0]))
        elif item.event == "tile_discarded":
            told.append((item.side, "discard", item.tiles[0]))
        elif item.event == "meld_shown":
            told.append((item.side, MELDS[item.value], ""))
        elif item.event == "seat_key" and KEYS.get(item.value) == "win":
            told.append((item.side, "win", ""))
    return told


def written(line: Line) -> list[tuple[int, str, str]]:
    tiled = ("draw", "discard")
    return [(e["seat"], e["do"], e["tile"] if e["do"] in tiled else "") for e in line["events"]][1:]


def assert_right(said: Said, *lines: Line) -> dict[str, Any]:
    assert said.code == 0, said.err
    outcome = said.json
    winners = [None if line["winner"] is None else f"p{line['winner']}" for line in lines]
    assert [hand["winner"] for hand in outcome["hands"]] == winners
    assert outcome["ok"] is True
    for nothing in ("irregular", "refused", "released", "violation_list"):
        assert outcome[nothing] == []
    assert (outcome["violations"], outcome["retries"], outcome["crc_errors"]) == (0, 0, 0)
    discards = [sum(event["do"] == "discard" for event in line["events"]) for line in lines]
    assert [hand["turns"] for hand in outcome["hands"]] == discards
    draws = [sum(event["do"] == "draw" for event in line["events"]) for line in lines]
    assert [hand["wall_left"] for hand in outcome["hands"]] == [DECK - DEAL + 1 - n for n in draws]
    assert [hand["dealer"] for hand in outcome["hands"]] == [f"p{line['dealer']}" for line in lines]
    return outcome


FIDELITIES = ["identity", "count"]


@pytest.mark.parametrize("fidelity", FIDELITIES)
class TestHumanHands:
    def test_both_lines(self, command: Callable[..., Said], fidelity: str) -> None:
        said = command("demo", "--script", HUMAN_FILE, "--fidelity", fidelity, "--json")
        assert_right(said, *HUMAN)

    @pytest.mark.parametrize("number", [1, 2])
    def test_one_line(self, command: Callable[..., Said], fidelity: str, number: int) -> None:
        said = command("demo", "--script", HUMAN_FILE, "--line", number, "--fidelity", fidelity, "--json")
        outcome = assert_right(said, HUMAN[number - 1])
        if fidelity == "identity":
            assert played(outcome["journal"]) == written(HUMAN[number - 1])

    def test_the_seed_changes_dice_and_tempo_but_nothing_written(
        self, command: Callable[..., Said], fidelity: str
    ) -> None:
        options = ("--script", HUMAN_FILE, "--line", 1, "--fidelity", fidelity, "--json")
        digests = {assert_right(command("demo", *options, "--seed", n), HUMAN[0])["digest"] for n in (2, 3)}
        assert len(digests) == 2


@pytest.mark.rule("MCR-W4")
@pytest.mark.rule("MCR-C2")
@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("name", HANDS)
def test_a_hand_is_played_as_written(
    command: Callable[..., Said], tmp_path: Path, name: str, fidelity: str
) -> None:
    path = scripts.write(tmp_path / "hand.jsonl", [HANDS[name]])
    said = command("demo", "--script", path, "--fidelity", fidelity, "--json")
    outcome = assert_right(said, HANDS[name])
    if fidelity == "identity":
        assert played(outcome["journal"]) == written(HANDS[name])


@pytest.mark.report("B041")
def test_replacements_come_from_the_tail_and_the_rest_from_the_head(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    line = HANDS["three kongs of three kinds by three seats"]
    path = scripts.write(tmp_path / "hand.jsonl", [line])
    outcome = assert_right(command("demo", "--script", path, "--json"), line)
    ends = [
        (item.tiles[0], ("head", "tail")[item.value])
        for item in inputs(outcome["journal"])
        if isinstance(item, BoardEvent) and item.event == "tile_drawn"
    ][DEAL:]
    assert ends == [
        ("9p", "tail"),
        ("1m", "tail"),
        ("2m", "head"),
        ("5p", "head"),
        ("3m", "tail"),
        ("4m", "head"),
    ]


@pytest.mark.parametrize(
    ("name", "how", "loser"),
    [
        ("self-drawn later", "self_drawn", None),
        ("an added kong that is robbed", "robbed_kong", "p1"),
        ("an added kong that nobody robs", "discard", "p1"),
        ("a concealed kong first of all, won on its tile", "self_drawn", None),
    ],
)
@pytest.mark.report("B046")
def test_the_record_says_how_it_was_won_and_from_whom(
    command: Callable[..., Said], tmp_path: Path, name: str, how: str, loser: str | None
) -> None:
    path = scripts.write(tmp_path / "hand.jsonl", [HANDS[name]])
    hand = command("demo", "--script", path, "--json").json["hands"][0]
    assert (hand["how"], hand["from"]) == (how, loser)


def test_the_round_of_the_script_is_the_round_of_the_hand(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    line = HANDS["no flowers, another dealer, the south round"]
    outcome = command("demo", "--script", scripts.write(tmp_path / "x", [line]), "--json").json
    assert outcome["hands"][0]["round"] == "S"
    start = next(item for item in inputs(outcome["journal"]) if isinstance(item, Command))
    assert (start.name, start.args["rules"]) == ("session start", "mcr-136")


def test_a_script_without_a_win_is_played_to_the_last_tile(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    line = {**HUMAN[0], "events": HUMAN[0]["events"][:-1], "winner": None}
    said = command("demo", "--script", scripts.write(tmp_path / "x", [line]), "--json")
    assert said.code == 0
    assert [(h["result"], h["winner"], h["wall_left"]) for h in said.json["hands"]] == [("draw", None, 0)]


def test_another_winner_than_expected_is_not_all_right(command: Callable[..., Said], tmp_path: Path) -> None:
    said = command("demo", "--script", scripts.write(tmp_path / "x", [{**HUMAN[0], "winner": 3}]), "--json")
    assert said.code == 1
    assert said.json["ok"] is False
    assert said.json["hands"][0]["winner"] == "p0"


def test_without_a_winner_named_it_is_who_wins_in_the_events(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    line = {key: value for key, value in HUMAN[0].items() if key != "winner"}
    assert command("demo", "--script", scripts.write(tmp_path / "x", [line]), "--json").json["ok"] is True


@pytest.mark.report("B094")
def test_a_byte_order_mark_line_ends_and_empty_lines_are_no_hands(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    lines = [json.dumps({**HUMAN[0], "id": "a\u2028b"}, ensure_ascii=False), "", json.dumps(HUMAN[1]), ""]
    path = tmp_path / "hands.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    assert_right(command("demo", "--script", path, "--json"), *HUMAN)
    assert_right(command("demo", "--script", path, "--line", 3, "--json"), HUMAN[1])
    assert command("demo", "--script", path, "--line", 2, "--json").code == 2


def changed(change: Callable[[Line], Any]) -> bytes:
    line = json.loads(json.dumps(HUMAN[0]))
    change(line)
    return json.dumps(line).encode()


def all_the_wall(line: Line) -> None:
    """Draws more tiles than there are."""
    dealt = Counter(tile for hand in line["deal"] for tile in hand)
    rest = [tile for tile in scripts.KINDS for _ in range(4 - dealt[tile])]
    seats = [(line["dealer"] + turn) % 4 for turn in range(len(rest))]
    line["events"] = [
        event
        for seat, tile in zip(seats, rest, strict=True)
        for event in (
            {"seat": seat, "do": "draw", "tile": tile},
            {"seat": seat, "do": "discard", "tile": tile},
        )
    ]
    line["events"] += [{"seat": (seats[-1] + 1) % 4, "do": "draw", "tile": "E"}]


UNPLAYABLE: dict[str, tuple[bytes, str]] = {
    "bad JSON": (b'{"dealer": 0,\n', "line 1"),
    "no JSON at all": (b"hello\n", "line 1"),
    "zeros": (b"\0\0\0\0", "line 1"),
    "an array": (b"[1, 2]\n", "not a JSON object"),
    "nested without end": (b"[" * 200_000 + b"\n", "nested too deeply"),
    "a number without end": (b'{"dealer":' + b"9" * 5000 + b"}\n", "line 1"),
    "the second line": (json.dumps(HUMAN[0]).encode() + b"\n{}\n", "line 2"),
    "empty": (b"", "is empty"),
    "only spaces": (b" \n\n \n", "is empty"),
    "not UTF-8": (b'{"id": "\xff\xfe"}\n', "not UTF-8"),
    "UTF-16": (json.dumps(HUMAN[0]).encode("utf-16"), "not UTF-8"),
    "five copies": (changed(lambda h: h["deal"][0].__setitem__(slice(0, 4), ["N"] * 4)), "copy 5 of N"),
    "five copies by a draw": (changed(lambda h: h["events"][2].update(tile="6m")), "copy 5 of 6m"),
    "the wrong turn": (changed(lambda h: h["events"][0].update(seat=1)), "seat 1 cannot draw now"),
    "a draw left out": (changed(lambda h: h["events"].pop(2)), "event 3"),
    "a tile not held": (changed(lambda h: h["events"][1].update(tile="E")), "does not hold E"),
    "no tile": (changed(lambda h: h["deal"][0].__setitem__(0, "0m")), "'0m' is no tile"),
    "a flower": (changed(lambda h: h["deal"][0].__setitem__(0, "f1")), "'f1' is no tile"),
    "twelve tiles": (changed(lambda h: h["deal"][0].pop()), "13 tiles"),
    "three seats": (changed(lambda h: h["deal"].pop()), "four seats"),
    "no dealer": (changed(lambda h: h.pop("dealer")), "dealer"),
    "an endless dealer": (changed(lambda h: h.update(dealer=float("inf"))), "infinity"),
    "no such dealer": (changed(lambda h: h.update(dealer=4)), "dealer 0-3"),
    "events that are none": (changed(lambda h: h.update(events=[7])), "not of the form"),
    "a deed that is none": (changed(lambda h: h["events"][0].update(do="sing")), "'sing'"),
    "no such winner": (changed(lambda h: h.update(winner=7)), "winner is 7"),
    "a winner that is none": (changed(lambda h: h.update(winner=True)), "winner is True"),
    "no such round": (changed(lambda h: h.update(round_wind="X")), "round_wind is 'X'"),
    "more draws than tiles": (changed(all_the_wall), "line 1"),
    "a chow from the right": (changed(lambda h: h["events"][34].update(seat=2)), "may not chow from seat 3"),
}


def assert_a_sentence(said: Said, *words: str) -> None:
    assert said.code == 2, said
    assert said.out == ""
    assert said.err.startswith("tablectl")
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == 1
    for word in words:
        assert word in said.err


@pytest.mark.parametrize("name", UNPLAYABLE)
def test_what_cannot_be_played_is_said_before_anything_moves(
    command: Callable[..., Said], tmp_path: Path, state_home: Path, name: str
) -> None:
    content, words = UNPLAYABLE[name]
    path = tmp_path / "hand.jsonl"
    path.write_bytes(content)
    assert_a_sentence(command("demo", "--script", path, "--json"), "hand.jsonl", words)
    assert not list(state_home.glob("**/*.jsonl"))


@pytest.mark.parametrize(
    ("name", "words"),
    [("missing.jsonl", "No such file"), ("", "Is a directory"), ("hands.jsonl/x", "Not a directory")],
)
def test_what_is_no_file_is_said(command: Callable[..., Said], tmp_path: Path, name: str, words: str) -> None:
    scripts.write(tmp_path / "hands.jsonl", HUMAN)
    assert_a_sentence(command("demo", "--script", tmp_path / name, "--json"), words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--line", 3), ("no line 3", "2 lines")),
        (("--line", 0), ("--line",)),
        (("--line", -1), ("--line",)),
        (("--line", "x"), ("--line",)),
    ],
)
def test_a_line_that_is_not_there_is_said(
    command: Callable[..., Said], options: tuple[Any, ...], words: tuple[str, ...]
) -> None:
    assert_a_sentence(command("demo", "--script", HUMAN_FILE, *options, "--json"), *words)


def test_a_broken_line_does_not_matter_when_another_is_asked_for(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text("{}\n" + json.dumps(HUMAN[0]) + "\n")
    assert_right(command("demo", "--script", path, "--line", 2, "--json"), HUMAN[0])
