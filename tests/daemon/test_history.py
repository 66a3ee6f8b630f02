"""History: rows for people, nothing hidden before a hand ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon import history
from tablectl.daemon.journal import head_path
from tablectl.daemon.record import MAX_LINE, Chain, canonical, journal_body
from tablectl.daemon.record import verify as verify_lines
from tablectl.game.inputs import BoardEvent, Command, Deadline, LinkChange, OperationReply, Restarted


def journal(*bodies: dict[str, Any]) -> list[bytes]:
    chain = Chain()
    opening = journal_body("5e" * 16, "0.1.0", {"mcr": "ab"})
    return [chain.seal({"at": 0, "unc": 0, **body}) for body in (opening, *bodies)]


def event(tile: str, at: int = 0) -> dict[str, Any]:
    drawn = BoardEvent("table", "draw", number=4, boot=7, board_us=12, side=1, tiles=(tile,))
    return {"at": at, "in": drawn}


def command(name: str, **args: Any) -> dict[str, Any]:
    return {"in": Command("c1", "ref", "referee", name, args)}


RESULT = {"result": {"result": "win", "winner": "p2", "digest": "d1", "tiles": ["1m", "1m"]}}


@pytest.mark.parametrize(
    ("us", "words"),
    [
        (0, "0:00:00.000"),
        (1_999, "0:00:00.001"),
        (61_000_000, "0:01:01.000"),
        (36_000_123_000, "10:00:00.123"),
    ],
)
def test_table_time_is_shown_by_the_clock(us: int, words: str) -> None:
    assert history.table_time(us) == words


def test_a_row_has_number_time_kind_key_and_the_rest() -> None:
    rows = list(
        history.show(
            journal(
                event("7p", at=1_500_000),
                {**command("pause", reason="喝茶"), "out": {"outcome": "accepted", "key": "", "data": {}}},
                {"in": Deadline("turn", 3_000_000)},
                {"in": LinkChange("table", "lost", "cable_pulled")},
                {"in": OperationReply("table", 5 << 8, "done")},
                {"in": Restarted("0.1.0"), "raised": "KeyError: 'x'"},
                RESULT,
            )
        )
    )
    assert [(row.n, row.kind, row.key) for row in rows] == [
        (1, "journal", "5e" * 16),
        (2, "event", "draw"),
        (3, "command", "pause"),
        (4, "deadline", "turn"),
        (5, "link", "lost"),
        (6, "reply", "done"),
        (7, "restart", "0.1.0"),
        (8, "result", "win"),
    ]
    assert rows[1].time == "0:00:01.500"
    assert rows[1].fields == {
        "device": "table",
        "number": 4,
        "boot": 7,
        "board_us": 12,
        "side": 1,
        "tiles": ["7p"],
    }
    assert rows[2].fields["args"] == {"reason": "喝茶"}
    assert rows[2].fields["out"]["outcome"] == "accepted"
    assert rows[6].fields["raised"] == "KeyError: 'x'"


HIDDEN = {
    "a drawn tile": (event("7p"), "7p"),
    "a wind drawn": (event("W"), '["W"]'),
    "the tile of a command": (command("discard", seat="S", tile="W"), '"W"'),
    "tiles under another name": (command("chow", seat="S", **{"with": ["5s", "6s"]}), "5s"),
    "honours under another name": (command("show", seat="S", meld=["C", "C", "C"]), '"C"'),
    "tiles in one word": (command("chow", seat="S", meld="5s6s7s"), "5s"),
    "the tile in an answer": (
        {
            **command("draw", seat="S"),
            "out": {"outcome": "accepted", "key": "k", "data": {"drawn_tile": "P"}},
        },
        '"P"',
    ),
}


@pytest.mark.parametrize(("body", "secret"), HIDDEN.values(), ids=HIDDEN)
def test_tiles_are_masked_until_the_hand_has_a_result(body: dict[str, Any], secret: str) -> None:
    def shown(lines: list[bytes], **options: bool) -> str:
        return json.dumps([row.fields for row in history.show(lines, **options)], separators=(",", ":"))

    in_play, closed = journal(RESULT, body), journal(body, RESULT)
    assert secret not in shown(in_play)
    assert history.MASK in shown(in_play)
    assert secret in shown(in_play, open=True)
    assert secret in shown(closed)
    assert '"seat":"S"' in shown(in_play) or "event" in str(body)


def test_an_unreadable_line_is_a_row_and_what_follows_is_shown(lines: list[bytes]) -> None:
    lines[4], lines[39] = b"\xff\n", lines[39][:-5]
    rows = list(history.show(lines, open=True))
    assert (rows[4].n, rows[4].kind) == (5, "damaged")
    assert (rows[5].n, rows[39].kind) == (6, "torn")


def test_a_file_is_verified_with_the_head_beside_it(journal_file: Path, lines: list[bytes]) -> None:
    assert (history.verify(journal_file).ok, history.verify(journal_file).vouched) == (True, False)
    head_path(journal_file).write_bytes(canonical(verify_lines(lines).head._asdict()))
    assert history.verify(journal_file).vouched
    journal_file.write_bytes(b"".join(lines[:-1]))
    assert history.verify(journal_file).bad_line == 40


@pytest.mark.parametrize("value", [[1], None, "x"])
def test_an_input_that_is_no_object_is_a_damaged_row(value: object) -> None:
    rows = list(history.show(journal({"in": value}, event("7p"))))
    assert [(row.n, row.kind) for row in rows] == [(1, "journal"), (2, "damaged"), (3, "event")]


def test_nothing_is_shown_behind_a_line_without_an_end(lines: list[bytes]) -> None:
    rows = list(history.show([*lines[:3], b"\0" * MAX_LINE, *lines[3:]]))
    assert [row.kind for row in rows[2:]] == ["command", "damaged"]
