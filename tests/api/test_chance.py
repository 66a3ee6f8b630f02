"""The core has no chance of its own: commands that need some are given it on the way in."""

from __future__ import annotations

from tests.api.fakes import Wire

DRAW = {"id": "1", "args": {"by": "software"}}


def test_a_draw_is_given_a_secret_nobody_can_guess() -> None:
    wire = Wire()
    wire.call("seat.draw", DRAW)
    wire.call("seat.draw", {**DRAW, "id": "2"})
    first, second = (command.secret for command in wire.core.commands)
    assert len(bytes.fromhex(first)) == len(bytes.fromhex(second)) == 32
    assert first != second


def test_other_commands_are_given_none() -> None:
    wire = Wire()
    wire.call("hand.start", {"id": "1"})
    assert wire.core.commands[0].secret == ""


def test_a_client_cannot_choose_the_secret() -> None:
    wire = Wire()
    for place in ({"secret": "00"}, {"args": {"by": "software", "secret": "00"}}):
        assert "error" in wire.call("seat.draw", {**DRAW, **place})
    assert wire.core.commands == []


def test_a_rehearsal_brings_its_own() -> None:
    wire = Wire(secret=lambda: "seeded")
    wire.call("seat.draw", DRAW)
    assert wire.core.commands[0].secret == "seeded"
