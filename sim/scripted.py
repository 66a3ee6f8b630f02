"""Players that play a script: each event in its order, then, should play go on, what they draw."""

from __future__ import annotations

from protocols.vocabulary import Meld, SeatKey
from sim.mechanism.tiles import FLOWERS
from sim.script import Event, Script
from sim.view import Act, Claim, Discard, Draw, OwnKong, Seen, SelfDrawn

CLAIMS = {"chow": SeatKey.CHOW, "pung": SeatKey.PUNG, "kong": SeatKey.KONG, "win": SeatKey.WIN}


class Prompter:
    """The script all four read from, one for a table. ``scripts`` are played one a hand."""

    def __init__(self, scripts: list[Script]) -> None:
        self._scripts = list(scripts)
        self._events: list[Event] = []

    def begin(self, hand: int) -> None:
        """Open the script of a hand, counted from 0."""
        self._events = list(self._scripts[hand].events) if hand < len(self._scripts) else []

    def next(self) -> Event | None:
        """What happens next."""
        return self._events[0] if self._events else None

    def take(self, side: int, *doings: str) -> Event | None:
        """What ``side`` does next, if it is one of these; then it is done."""
        event = self.next()
        if event is None or event.seat != side or event.do not in doings:
            return None
        return self._events.pop(0)


class ScriptedPlayer:
    """One of the four; with no script left he discards what he draws and claims nothing."""

    def __init__(self, prompter: Prompter) -> None:
        self._prompter = prompter

    def on_hand(self, seen: Seen) -> None:
        """The prompter turns the page for all."""

    def on_turn(self, seen: Seen, draw: Draw) -> Act:
        """Do what comes next for this side."""
        take = self._prompter.take
        if draw.tile:
            take(seen.side, "draw")
        event = take(seen.side, "discard", "win", "concealed_kong", "added_kong")
        if event is None or event.tile not in seen.concealed or (event.do == "win" and not seen.may_win):
            return Discard(self._idle(seen, draw))
        match event.do:
            case "win":
                return SelfDrawn()
            case "concealed_kong":
                return OwnKong(event.tile, Meld.CONCEALED_KONG)
            case "added_kong":
                return OwnKong(event.tile, Meld.ADDED_KONG)
        return Discard(event.tile)

    def on_discard(self, seen: Seen, tile: str, discarder: int) -> Claim | None:
        """Claim if that comes next."""
        event = self._prompter.take(seen.side, *CLAIMS)
        return Claim(CLAIMS[event.do], () if event.do == "win" else event.own) if event else None

    def on_added_kong(self, seen: Seen, tile: str, side: int) -> bool:
        """Rob it if that comes next."""
        return self._prompter.take(seen.side, "win") is not None

    def _idle(self, seen: Seen, draw: Draw) -> str:
        if draw.tile and draw.tile not in FLOWERS:
            return draw.tile
        return next((name for name in seen.concealed if name not in FLOWERS), seen.concealed[0])
