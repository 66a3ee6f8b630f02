"""Lists of cases: a line tells of chips and of what happened, the answer who pays and what they hold then.

A line names a win by its fan and extras, or by its total; the form is that of the lists' field ``expected``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from tablectl.rules.ccm import immediate, pay
from tablectl.rules.ccm.bao import Liability, is_hung_for
from tablectl.rules.ccm.catalog import FULL_FLUSH, SINGLE_TILE
from tablectl.rules.ccm.chips import Four
from tablectl.rules.ccm.pay import Mode, Win, Winner
from tablectl.rules.ccm.settings import ScoreSettings, changed, packed
from tablectl.rules.ccm.settled import Settlement
from tablectl.rules.ccm.told import total
from tablectl.rules.errors import HandError
from tablectl.tomlfile import TomlError

PREFIX = "ccm."


class _Bao(msgspec.Struct):
    rule: str
    player: int | None = None
    hung: str = ""
    win: str = ""
    changed: bool = False


class _Winner(msgspec.Struct):
    player: int
    total: int | None = None
    fans: tuple[str, ...] | None = None
    extras: dict[str, bool | int] = {}
    bao: _Bao | tuple[_Bao, ...] | None = None


class _Event(msgspec.Struct, rename={"giver": "from"}):
    do: str
    giver: int | None = None
    mode: Mode = "discard"
    winners: tuple[_Winner, ...] = ()
    kind: immediate.KongKind = "melded"
    player: int | None = None
    to: int | None = None
    points: int = 0


class _Line(msgspec.Struct):
    chips: Four
    doubled: bool = False
    event: _Event | None = None
    events: tuple[_Event, ...] = ()
    setting: str | tuple[str, ...] | dict[str, Any] = ()


def answer(line: dict[str, Any]) -> dict[str, Any]:
    """What is paid after the line's event, or after the last of several. ``error`` for what cannot be."""
    try:
        told = msgspec.convert(line, _Line)
        settings = _settings(told)
        settlement = None
        chips = told.chips
        for event in (*((told.event,) if told.event else ()), *told.events):
            settlement = _settle(event, chips, told.doubled, settings)
            chips = settlement.chips
    except HandError as error:
        return {"error": error.key}
    except msgspec.ValidationError:
        return {"error": "line.form"}
    return _told(settlement) if settlement else {"error": "line.no_event"}


def _settle(event: _Event, chips: Four, doubled: bool, settings: ScoreSettings) -> Settlement:
    """What comes of one event of a line. Raises `HandError`."""
    match event.do:
        case "win":
            winners = tuple(_winner(one, event, settings) for one in event.winners)
            return pay.settle(chips, Win(event.mode, winners, event.giver), doubled, settings)
        case "kong":
            player = _needed(event.player)
            return immediate.kong(chips, event.kind, player, event.giver, doubled, settings)
        case "chase" | "zhuipai":
            payer = event.player if event.player is not None else event.giver
            return immediate.chase(chips, _needed(payer), doubled, settings)
        case "penalty":
            payer = event.player if event.player is not None else event.giver
            return immediate.penalty(chips, _needed(payer), event.to, event.points, doubled, settings)
    raise HandError("line.event", f"{event.do!r} is no event of a line", event=event.do)


def _winner(told: _Winner, event: _Event, settings: ScoreSettings) -> Winner:
    liable = tuple(_liable(told, event, settings))
    if told.total is not None:
        return Winner(told.player, told.total, liable=liable)
    counted = total(told.fans or (), told.extras, event.mode, settings)
    return Winner(told.player, counted.total, counted.technical, liable)


def _liable(told: _Winner, event: _Event, settings: ScoreSettings) -> Iterator[Liability]:
    """A line told by its total does not name the fan (b) and (c) ask for: they are taken as there."""
    for bao in (told.bao,) if isinstance(told.bao, _Bao) else told.bao or ():
        if bao.rule == "a":
            yield Liability("a", _needed(bao.player))
        elif bao.rule in ("b", "b_feed") and bao.player is not None:
            yield Liability("b_feed", bao.player)
        elif bao.rule in ("b", "b_deal"):
            if event.giver is not None and _has(told, FULL_FLUSH):
                yield Liability("b_deal", event.giver)
        elif bao.rule == "c":
            hung = "" if bao.changed else bao.hung
            warned = is_hung_for(hung, bao.win, settings)
            if event.giver is not None and warned and _has(told, SINGLE_TILE):
                yield Liability("c", event.giver)
        else:
            raise HandError("line.bao", f"{bao.rule!r} is no part of 包付 (CJ-S7)", rule=bao.rule)


def _has(told: _Winner, fan: str) -> bool:
    return told.fans is None or fan in told.fans


def _needed(player: int | None) -> int:
    if player is None:
        raise HandError("line.player", "the line does not say which player")
    return player


def _settings(told: _Line) -> ScoreSettings:
    """The packed settings with those the line holds under: ``ccm.first_tie=true``, several, or a table."""
    if not told.setting:
        return packed()
    if isinstance(told.setting, dict):
        values = {name.removeprefix(PREFIX): value for name, value in told.setting.items()}
    else:
        written = (told.setting,) if isinstance(told.setting, str) else told.setting
        pairs = (one.partition("=") for one in written)
        values = {name.strip().removeprefix(PREFIX): _value(text.strip()) for name, _, text in pairs}
    try:
        return changed(values)
    except TomlError as error:
        raise HandError("line.setting", str(error), setting=told.setting) from error


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _told(settlement: Settlement) -> dict[str, Any]:
    return {
        "legal": not settlement.reason,
        "reason": settlement.reason or None,
        "raw": [[*one.raw] for one in settlement.payments],
        "paid": [[*one.paid] for one in settlement.payments],
        "off_table": [*settlement.off_table],
        "chips": [*settlement.chips],
        "end": settlement.end,
    }
