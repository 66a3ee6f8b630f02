"""Lines of the case list answered: a hand, its circumstances and the four players in, the verdict out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tablectl.rules.errors import HandError
from tablectl.rules.wuhan import catalog, notation
from tablectl.rules.wuhan.count import Count, count
from tablectl.rules.wuhan.hand import Laid, Way, WinHand
from tablectl.rules.wuhan.laizi import laizi_of
from tablectl.rules.wuhan.settings import ScoreSettings, packed
from tablectl.tomlfile import TomlError

UNREADABLE = "hand.unreadable"


class _Player(msgspec.Struct, forbid_unknown_fields=True):
    """What one player has laid out."""

    chow: int = 0
    pung: int = 0
    direct_kong: int = 0
    added_kong: int = 0
    concealed_kong: int = 0
    hongzhong_kong: int = 0
    laizi_kong: int = 0
    laizi_discard: int = 0
    pi_kong: int = 0


class _Line(msgspec.Struct):
    """A line; what else stands in it (its id, why it is there) is nothing to the judge."""

    hand_text: str
    winner: int
    dealer: int
    source: Way
    players: list[_Player]
    laizi: str | list[str] | None = None
    indicator: str | None = None
    from_: int | None = msgspec.field(default=None, name="from")
    ready_before_kong: bool = True
    discarder_ready: bool = False
    setting: str = ""


def answer(line: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on a line of the form of the case list, in the form of its ``expected``.

    A hand that is no win says why; one that cannot be, or a line that cannot be read, has ``error`` with
    the reason's id. ``setting`` holds settings that differ: ``wh.gold=raise_cap``, several after commas.
    """
    try:
        read = msgspec.convert(line, _Line)
        settings = packed(filter(None, read.setting.split(",")))
        return _verdict(count(_hand(read, settings), settings))
    except HandError as error:
        return {"error": error.key}
    except (ValueError, TomlError, msgspec.ValidationError):
        return {"error": UNREADABLE}


def hand_of(line: Mapping[str, Any], settings: ScoreSettings) -> WinHand:
    """The hand of a line, not yet checked.

    Raises `msgspec.ValidationError` for a line not of the form, `ValueError` for tiles that cannot be read.
    """
    return _hand(msgspec.convert(line, _Line), settings)


def _hand(line: _Line, settings: ScoreSettings) -> WinHand:
    shown = notation.read(line.hand_text, line.winner)
    return WinHand(
        concealed=shown.concealed,
        melds=shown.melds,
        winning=shown.winning,
        laizi=_laizi(line, settings),
        winner=line.winner,
        dealer=line.dealer,
        way=line.source,
        discarder=line.from_,
        laid=tuple(Laid(**msgspec.structs.asdict(player)) for player in line.players),
        indicator=line.indicator,
        ready_before_kong=line.ready_before_kong,
        discarder_ready=line.discarder_ready,
    )


def _laizi(line: _Line, settings: ScoreSettings) -> tuple[str, ...]:
    if isinstance(line.laizi, str):
        return (line.laizi,)
    if line.laizi:
        return tuple(line.laizi)
    if line.indicator is None:
        raise ValueError("neither the laizi nor its indicator is named")
    return laizi_of(line.indicator, settings)


def _verdict(counted: Count) -> dict[str, Any]:
    patterns, reasons = catalog.patterns(), catalog.catalogue().reasons
    verdict: dict[str, Any] = {
        "legal": counted.legal,
        "reason": reasons[counted.reason].en if counted.reason else None,
        "big": sorted(patterns[pattern].zh for pattern in counted.big),
        "hard": counted.hard,
        "raw": [*counted.raw] or None,
        "payments": None,
    }
    payment = counted.payment
    if payment is not None:
        verdict |= {
            "type": "big" if counted.big else "small",
            "B": payment.base,
            "W": payment.factor,
            "gold": payment.gold,
            "payer": payment.payer,
            "shares": [*payment.shares],
            "payments": [*payment.deltas],
        }
    return verdict
