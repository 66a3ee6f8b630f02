"""Answers to the lines of case files: a hand to count, or the discards before a win of known value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tablectl.rules.errors import HandError
from tablectl.rules.tiles import WINDS
from tablectl.rules.zungjung import pay
from tablectl.rules.zungjung.count import counts
from tablectl.rules.zungjung.hand import WinHand, check
from tablectl.rules.zungjung.notation import read
from tablectl.rules.zungjung.settings import ScoreSettings, changed, packed

Seat = Literal["E", "S", "W", "N"]


class _HandLine(msgspec.Struct):
    tiles: str
    seat: Seat = "E"
    self_draw: bool = False
    wall_last: bool = False
    kong: bool = False
    heaven: bool = False
    earth: bool = False
    kept_apart: bool = True
    setting: str | list[str] = []


class _Discard(msgspec.Struct):
    seat: Seat
    tile: str
    claim: dict[str, str] | None = None


class _WinLine(msgspec.Struct):
    discards: list[_Discard]
    win: Literal["self_draw", "discard", "robbed_kong"]
    winner: Seat
    tile: str
    value: int
    by: Seat | None = None
    invoked: bool = True
    setting: str | list[str] = []


def answer(line: Mapping[str, Any], settings: ScoreSettings | None = None) -> dict[str, Any]:
    """What the line asks for, in the form of its ``expected``; ``error`` with the reason for a refused one.

    A hand: ``total`` and ``patterns``, one entry for every set. A win: ``responsible`` seat and ``payments``.
    ``setting`` (``zj.min_points=5``, or a list of such) changes the packed settings or those given.
    """
    start = settings or packed()
    try:
        if "discards" in line:
            return _win(msgspec.convert(line, _WinLine), start)
        return _hand(msgspec.convert(line, _HandLine), start)
    except HandError as error:
        return {"error": error.key}
    except (ValueError, msgspec.ValidationError):
        return {"error": "line.unreadable"}


def _hand(line: _HandLine, settings: ScoreSettings) -> dict[str, Any]:
    chosen = _with(settings, line.setting)
    hand = WinHand(
        *read(line.tiles),
        self_drawn=line.self_draw,
        seat_wind=line.seat,
        wall_last=line.wall_last,
        kong=line.kong,
        heaven=line.heaven,
        earth=line.earth,
        kept_apart=line.kept_apart,
    )
    check(hand)  # but for the seat of a blessing: the case files give Heaven to any seat
    best = counts(hand, chosen)[0]
    if best.refusal:
        return {"error": best.refusal}
    entries = [[one.id, one.points // one.times] for one in best.patterns for _ in range(one.times)]
    return {"total": best.total, "patterns": entries}


def _win(line: _WinLine, settings: ScoreSettings) -> dict[str, Any]:
    side = {seat: place for place, seat in enumerate(WINDS)}
    discards = [pay.Discard(side[one.seat], one.tile, one.claim is not None) for one in line.discards]
    by = None if line.by is None else side[line.by]
    win = pay.Win(side[line.winner], line.win, line.tile, by, line.invoked)
    payer = pay.responsible(discards, win, _with(settings, line.setting))
    gains = pay.payments(line.value, win.winner, payer)
    return {
        "responsible": None if payer is None else WINDS[payer],
        "payments": dict(zip(WINDS, gains, strict=True)),
    }


def _with(settings: ScoreSettings, choices: str | list[str]) -> ScoreSettings:
    for choice in [choices] if isinstance(choices, str) else choices:
        settings = changed(settings, choice)
    return settings
