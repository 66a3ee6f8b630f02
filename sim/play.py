"""The play of a hand: turns, claims, kongs and wins, as four people settle them among themselves.

After a discard whoever wants the tile calls within his reaction time. All wait until ``CLAIMS_HEARD`` before
the best claim is taken to stand; if nobody wanted the tile the next one draws. Who declares a win waits for
the lamps: *play* after *win* means it was judged and did not stand, *closed* ends the hand. Where a discard
can have several winners all who want it declare. Where the last tiles are for a win alone, each draws one of
them in turn once nobody claims the last discard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from protocols.vocabulary import Meld, SeatKey, WallEnd
from sim.hand import Hand
from sim.manners import RANK, in_turn, next_side, resolve
from sim.mechanism.tiles import COPIES, FLOWERS
from sim.pace import CLAIMS_HEARD, ROBBING_PAUSE
from sim.people import People
from sim.slips import Slips
from sim.timebase import Timer
from sim.verdict import Verdict
from sim.view import Claim, Discard, Draw, Keep, OwnKong, SelfDrawn


@dataclass(slots=True, eq=False)
class Offer:
    """A discard that lies open for claims. ``heard`` = the claims were settled; later calls count only
    until the next player draws."""

    discarder: int
    draw_in: float = 0.0  # seconds left to the next draw when the claims are settled
    calls: dict[int, Claim] = field(default_factory=dict)
    winners: tuple[int, ...] = ()  # who would win with it
    heard: bool = False
    spoilt: bool = False  # the next player drew too early: the others call all the same


class Play:
    """Runs the play of one hand; every step is armed on the people's timer, so a hold freezes it."""

    def __init__(self, hand: Hand, people: People) -> None:
        self._hand = hand
        self._people = people
        self._minds = people.minds
        self.verdict = Verdict(hand, people)
        self._offer: Offer | None = None
        self._next_draw: Timer | None = None
        self._robbable: int | None = None  # who has just added to his pung
        self._last_ones: list[int] = []  # who is still to draw one of the last tiles
        self.discards = 0
        self.on_discard: Callable[[int], None] = lambda number: None  # told before anybody reacts
        self.slips = Slips(hand, people)

    # turns

    def turn(self, side: int, draw: Draw) -> None:
        """A player has drawn, or claimed (an empty draw), and decides."""
        seen = self._hand.seen[side]
        if not seen.concealed:  # he has lost count of his tiles: nothing to discard
            self._offer = Offer(side)
            self._draw_in(self._people.seconds(next_side(side), "draw"))
            return
        if draw.tile in FLOWERS and not seen.last:
            self._people.later(side, "flower", lambda: self._flower(side, draw.tile))
            return
        act = self._minds[side].on_turn(seen, draw)
        if draw.tile and not isinstance(act, SelfDrawn) and self.slips.bluffs(side):
            act = SelfDrawn()
        match act:
            case SelfDrawn():
                self._people.later(side, "declare", lambda: self._declare(side, draw))
            case OwnKong() as kong:
                self._people.later(side, "declare", lambda: self._kong(side, kong, draw))
            case Discard(tile):
                self._think(side, draw, lambda: self._discard(side, tile))
            case Keep():
                self._people.later(side, "think_again", lambda: self._keep(side))

    def _think(self, side: int, draw: Draw, fn: Callable[[], None]) -> None:
        longer = self.slips.longer()
        if longer:
            self._people.timer.call_later(longer, lambda: self._think(side, draw, fn))
            return
        self.slips.before_discard(side)
        if draw.kong:
            self._people.later(side, "think_again", fn)
        else:
            self._people.after_thinking(side, fn)

    def _flower(self, side: int, tile: str) -> None:
        self._hand.show_flower(side, tile)
        self._people.later(side, "flower_draw", lambda: self._draw_tail(side, kong=False))

    def _draw_tail(self, side: int, *, kong: bool) -> None:
        if not self._hand.open.live:
            return
        self.turn(side, self._hand.draw(side, WallEnd.TAIL, kong=kong))

    def _declare(self, side: int, draw: Draw) -> None:
        self.verdict.declare(side, lambda: self.turn(side, draw))

    # discards and claims

    def _discard(self, side: int, tile: str) -> None:
        if not self._holds(side, (tile,)):  # he laid it open meanwhile: think again
            self.turn(side, Draw(""))
            return
        self._hand.discard(side, tile)
        self.discards += 1
        self.on_discard(self.discards)
        self.slips.after_discard(side)
        offer = self._offer = Offer(side, spoilt=self.slips.early)
        wishes = [
            (other, claim)
            for other in in_turn(next_side(side))[:-1]
            if other not in self.slips.ahead  # he has a tile too many in his hand
            and (claim := self._minds[other].on_discard(self._hand.seen[other], tile, side)) is not None
        ]
        pause = "draw_waiting" if self._hand.customs.waits else "draw"
        draw_at = self.slips.draw_at(self._people.seconds(next_side(side), pause))
        if not wishes:
            self._draw_in(max(draw_at, self.slips.unwanted(side, tile)))
            return
        offer.winners = tuple(other for other, claim in wishes if claim.key is SeatKey.WIN)
        for other, claim in wishes:
            self._wish(offer, other, claim)
        settle_at = min(CLAIMS_HEARD, draw_at)
        offer.draw_in = draw_at - settle_at
        self._people.timer.call_later(settle_at, lambda: self._settle(offer))

    def _wish(self, offer: Offer, side: int, claim: Claim) -> None:
        self._people.later(side, "claim", lambda: self._call(offer, side, claim))

    def _call(self, offer: Offer, side: int, claim: Claim) -> None:
        """Say it, unless the chance has passed or a better claim was heard."""
        rank = RANK[claim.key]
        if side in offer.calls:  # he has chimed in already
            return
        if offer.spoilt and offer is not self._offer:
            self._hand.call(side, claim.key)
        if offer is not self._offer or any(RANK[key] > rank for key in self._standing(offer).values()):
            return
        offer.calls[side] = claim
        if claim.key is SeatKey.WIN:
            self._stop_draw()
            self.verdict.declare(side, lambda: self._settle_late(offer))
            if self._hand.customs.winners > 1:
                self._chime_in(offer, claim)
            return
        self._hand.call(side, claim.key)
        self._settle_late(offer)

    def _chime_in(self, offer: Offer, claim: Claim) -> None:
        """Whoever else would win with the tile says so, though the table waits for the referee."""
        for other in offer.winners:
            if other not in offer.calls:
                self._people.chime_in(other, partial(self._call, offer, other, claim))

    def _standing(self, offer: Offer) -> dict[int, SeatKey]:
        """The calls without the wins that were judged and did not stand."""
        return {
            side: claim.key
            for side, claim in offer.calls.items()
            if claim.key is not SeatKey.WIN or self._hand.seen[side].may_win
        }

    def _settle_late(self, offer: Offer) -> None:
        """A call changed something after all had stopped listening."""
        if offer.heard:
            offer.draw_in = 0.0
            self._settle(offer)

    def _settle(self, offer: Offer) -> None:
        """The best claim that was heard stands; without one the next player draws."""
        offer.heard = True
        if self.verdict.pending or offer is not self._offer:
            return
        best = resolve(self._standing(offer), offer.discarder)
        if best is None:
            self._draw_in(offer.draw_in)
            return
        claim = offer.calls[best]
        self._offer = None
        self._stop_draw()
        pause = "chow_waiting" if self._hand.customs.waits and claim.key is SeatKey.CHOW else "meld"
        self._people.later(best, pause, lambda: self._meld(best, claim, offer.discarder))

    def _meld(self, side: int, claim: Claim, discarder: int) -> None:
        if not self._holds(side, claim.own):  # he cannot show what he called for
            self._offer = Offer(discarder)
            self._draw_in(0.0)
            return
        self._hand.show_claimed(side, claim, discarder)
        if claim.key is SeatKey.KONG:
            self._people.later(side, "replace", lambda: self._draw_tail(side, kong=True))
        else:
            self.turn(side, Draw(""))

    def _holds(self, side: int, tiles: tuple[str, ...]) -> bool:
        own = self._hand.seen[side].concealed
        return all(own.count(tile) >= tiles.count(tile) for tile in tiles)

    def _draw_in(self, seconds: float) -> None:
        if self._hand.open.live:  # else the hand is drawn: wait for the lamps
            self._next_draw = self._people.timer.call_later(seconds, self._draw_next)
        elif self._hand.customs.draw_only:
            self._next_draw = self._people.timer.call_later(seconds, self._begin_last)

    def _stop_draw(self) -> None:
        if self._next_draw is not None:
            self._next_draw.cancel()
            self._next_draw = None

    def _draw_next(self) -> None:
        if self._offer is None or not self._hand.open.live:
            return  # somebody drew out of turn and took the last one
        side, self._offer = next_side(self._offer.discarder), None
        self.turn(side, self.slips.draw(side))

    # the last tiles, for a win alone

    def _begin_last(self) -> None:
        if self._offer is None:
            return
        discarder, self._offer = self._offer.discarder, None
        self._hand.open.draw_only = True
        self._last_ones = [*in_turn(next_side(discarder))[: self._hand.customs.draw_only]]
        self._draw_last()

    def _draw_last(self) -> None:
        side = self._last_ones.pop(0)
        self.turn(side, self._hand.draw(side, WallEnd.HEAD))

    def _keep(self, side: int) -> None:
        self._hand.seats.kept(side)
        if self._last_ones and self._hand.open.wall_left:  # else the hand is drawn: wait for the lamps
            self._people.later(self._last_ones[0], "draw", self._draw_last)

    # kongs in the own turn

    def _kong(self, side: int, kong: OwnKong, draw: Draw) -> None:
        if kong.kind is not Meld.SINGLE_KONG:
            self._hand.call(side, SeatKey.KONG)
        self._people.later(side, "meld", lambda: self._show_kong(side, kong, draw))

    def _show_kong(self, side: int, kong: OwnKong, draw: Draw) -> None:
        if not self._holds(side, (kong.tile,) * (COPIES if kong.kind is Meld.CONCEALED_KONG else 1)):
            self.turn(side, Draw(""))
            return
        self._hand.show_kong(side, kong, draw.tile)
        if kong.kind is not Meld.ADDED_KONG:
            self._people.later(side, "replace", lambda: self._draw_tail(side, kong=True))
            return
        self._robbable = side
        for other in in_turn(next_side(side))[:-1]:
            if self._minds[other].on_added_kong(self._hand.seen[other], kong.tile, side):
                self._rob_soon(other, side)
        pause = ROBBING_PAUSE + self._people.seconds(side, "robbed")
        self._people.timer.call_later(pause, lambda: self._not_robbed(side))

    def _rob_soon(self, robber: int, side: int) -> None:
        self._people.later(robber, "claim", lambda: self._rob(robber, side))

    def _rob(self, robber: int, side: int) -> None:
        if self._robbable == side:
            self.verdict.declare(robber, lambda: self._not_robbed(side))

    def _not_robbed(self, side: int) -> None:
        if self._robbable == side and not self.verdict.pending:
            self._robbable = None
            self._draw_tail(side, kong=True)
