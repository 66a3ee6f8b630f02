"""A hand laid before the judge: its tiles, how it was won, and what all four players have laid out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal

from tablectl.rules.melds import Meld

PLAYERS = 4
SELF_DRAWN = ("self_draw", "kong_draw", "last_four")

Way = Literal["self_draw", "kong_draw", "last_four", "discard", "rob_kong"]


@dataclass(frozen=True, slots=True)
class FedMeld(Meld):
    """A set on the table and the player 0-3 who gave its tile; for an added kong the feeder of its pung.

    A concealed kong has no feeder.
    """

    feeder: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """How many of each thing that multiplies a player has laid out or thrown (WH-S3).

    A pung that became a kong is an added kong and no longer a pung (WH-S10).
    """

    chow: int = 0
    pung: int = 0
    direct_kong: int = 0
    added_kong: int = 0
    concealed_kong: int = 0
    hongzhong_kong: int = 0
    laizi_kong: int = 0
    laizi_discard: int = 0
    pi_kong: int = 0

    @property
    def melds(self) -> tuple[int, ...]:
        """How many chows, pungs, direct, added and concealed kongs."""
        return self.chow, self.pung, self.direct_kong, self.added_kong, self.concealed_kong

    @property
    def kongs(self) -> int:
        """Kongs of any kind: each brings a replacement tile."""
        called = self.direct_kong + self.added_kong + self.concealed_kong
        return called + self.hongzhong_kong + self.laizi_kong + self.pi_kong

    def numbers(self) -> tuple[int, ...]:
        """All of them."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class WinHand:
    """A hand and its winning tile, which is not among ``concealed``. Players are 0-3 in turn order.

    ``melds`` in the order laid (WH-S8). ``way``: ``kong_draw`` is a replacement tile after any kong,
    ``last_four`` one of the four draws at the end (WH-W6). ``discarder`` gave the tile, or is the konger
    who was robbed; None on a self-draw. ``laid`` is all four players'; a robbed kong is still a pung.
    ``ready_before_kong``: the hand waited before the first kong of the chain (WH-C11).
    ``discarder_ready`` matters under ``wh.quanqiuren_bao=not_ready`` only.
    """

    concealed: tuple[str, ...]
    melds: tuple[FedMeld, ...]
    winning: str
    laizi: tuple[str, ...]
    winner: int
    dealer: int
    way: Way
    discarder: int | None
    laid: tuple[Laid, ...]
    indicator: str | None = None
    ready_before_kong: bool = True
    discarder_ready: bool = False

    @property
    def self_drawn(self) -> bool:
        """The tile came from the wall."""
        return self.way in SELF_DRAWN

    @property
    def own(self) -> tuple[str, ...]:
        """The tiles that are not in melds, the winning one last."""
        return (*self.concealed, self.winning)


def laid_of(
    melds: Iterable[Meld], hongzhong_kong: int = 0, laizi_kong: int = 0, laizi_discard: int = 0
) -> Laid:
    """What a player has laid out: his melds and his one-tile kongs."""
    called = [meld.kind for meld in melds]
    return Laid(
        chow=called.count("chow"),
        pung=called.count("pung"),
        direct_kong=called.count("kong"),
        added_kong=called.count("added_kong"),
        concealed_kong=called.count("concealed_kong"),
        hongzhong_kong=hongzhong_kong,
        laizi_kong=laizi_kong,
        laizi_discard=laizi_discard,
    )
