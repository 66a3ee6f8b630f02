"""What is asked of a judge: a hand in words and how it was won; the fields are those of `tablectl score`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tablectl.rules.errors import HandError
from tablectl.rules.scoring.hands import Notation, Shown, read
from tablectl.rules.tiles import WINDS

Seat = Literal["E", "S", "W", "N"]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"giver": "from"}):
    """One question. ``giver`` is the discarder or the robbed konger; `hands` explains ``tiles``.

    ``wall_last``: by the last tile of the wall or the discard after it; in CCM and Wuhan by one of the last
    four. ``kong``: the tile replaced a kong (self-drawn) or was robbed from one. ``mixed``: a drawn tile was
    put among the others before it was shown. ``flower_win``: it replaced a flower (CCM). ``liable``: the
    seat that answers for the win whoever discarded; ``none``: nobody does. ``chips``: of E, S, W, N (CCM).
    ``laid`` and ``not_ready`` are explained in `of_wuhan`. ``setting``: ``mcr.mixed_kong=6``, several after
    commas or in a list.
    """

    tiles: str
    rules: str = ""
    win: str = ""
    seat: Seat = "E"
    round: Seat = "E"
    giver: Seat | None = None
    flowers: int = 0
    self_draw: bool = False
    last_of_kind: bool = False
    wall_last: bool = False
    kong: bool = False
    heaven: bool = False
    earth: bool = False
    mixed: bool = False
    flower_win: bool = False
    liable: Seat | Literal["none"] | None = None
    hung: str = ""
    chips: tuple[int, int, int, int] | None = None
    doubled: bool = False
    indicator: str = ""
    laizi: str = ""
    laid: str = ""
    not_ready: bool = False
    notation: Notation = "own"
    setting: str | tuple[str, ...] = ()
    id: Any = None  # the asker's own, and so are the notes of a list of cases
    why: Any = None
    expected: Any = None

    @property
    def winner(self) -> int:
        """The winner as a player 0-3 in turn order, East being 0."""
        return WINDS.index(self.seat)

    @property
    def payer(self) -> int | None:
        """Who gave the tile, as a player."""
        return None if self.giver is None else WINDS.index(self.giver)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that differ from the ruleset's."""
        given = (self.setting,) if isinstance(self.setting, str) else self.setting
        return tuple(one.strip() for text in given for one in text.split(",") if one.strip())

    def shown(self) -> Shown:
        """The tiles. Raises `HandError`."""
        return read(self.tiles, self.win, self.notation)


def check(asked: Asked) -> None:
    """Refuse what contradicts itself in every system. Raises `HandError`."""
    if asked.self_draw and asked.giver is not None:
        raise HandError("hand.drawn_from", "a self-drawn tile comes from nobody", seat=asked.giver)
    if asked.giver == asked.seat:
        raise HandError("hand.own_discard", "nobody wins by an own discard or kong", seat=asked.seat)
    if asked.liable == asked.seat:
        raise HandError("hand.own_liable", "nobody answers for an own win", seat=asked.seat)
    if asked.flower_win and not asked.self_draw:
        raise HandError("hand.flower_not_drawn", "a tile of another player replaces no flower")
