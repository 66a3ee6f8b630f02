"""The four at the table from hand to hand: they watch the machine and the lamps, and play what comes up.

They know nothing of a daemon: walls coming up begin a hand, the dealer's lamp says who deals, the lamps say
wait, go on and closed; a dark table is one to wait at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from protocols.vocabulary import NO_SIDE, Lamp
from sim.customs import INTERNATIONAL, Customs
from sim.hand import Hand
from sim.mechanism.dice import Faces
from sim.mechanism.machine import Mechanism
from sim.mechanism.panel import LIFT_SIDES
from sim.opening import Opening
from sim.people import People
from sim.play import Play
from sim.ruled import Ruled
from sim.seats import Seats
from sim.timebase import TableTimer, Timer

STRAY = 3.0  # seconds until somebody presses the key that closes what a key has opened


class Party:
    """Watches one mechanism and plays at it. ``rng`` is for what all do together."""

    def __init__(
        self,
        machine: Mechanism,
        seats: Seats,
        people: People,
        rng: Random,
        customs: Customs = INTERNATIONAL,
    ) -> None:
        self._machine = machine
        self._seats = seats
        self._people = people
        self._rng = rng
        self._customs = customs
        self._anyhow = TableTimer(people.timer.loop, people.timer.speed)  # what no lamp holds back
        self._resuming: Timer | None = None
        self.on_new_hand: Callable[[int], None] = lambda hand: None  # told its index, from 0
        self.hands = 0
        self.hand: Hand | None = None
        self._opening: Opening | None = None
        self._play: Play | None = None
        machine.watchers.append(self)

    @property
    def play(self) -> Play | None:
        """The play of the hand on the felt."""
        return self._play

    # the machine

    def centre_opened(self) -> None:
        """Push the tiles in; one that opened by a stray key in mid-hand is closed again."""
        if self._machine.adding:
            if self._machine.by_panel:
                self._anyhow.call_later(STRAY, self._close_again)
            return
        seconds = self._machine.timing.people["push_in"].sample(self._rng)
        self._anyhow.call_later(seconds, self._push_in)

    def _push_in(self) -> None:
        if not self._machine.centre_open or self._machine.adding:
            return  # a key closed it meanwhile
        places = self._machine.places
        if self.hand is None or places.set_to_load() == places.set_in_play():
            self._leave_hand()  # else the machine only wants what the other set lacks
        self._machine.push_in()
        if self._machine.by_panel:
            self._anyhow.call_later(STRAY, self._close_again)

    def _close_again(self) -> None:
        if self._machine.centre_open and self._machine.by_panel:
            self._machine.panel.lift(LIFT_SIDES[0])

    def walls_up(self, dealer: int) -> None:
        """A new hand; without a dealer's lamp nobody deals."""
        self._leave_hand()
        if dealer == NO_SIDE:
            return
        if self._machine.lamp is Lamp.HOLD:
            self._people.timer.hold()
        else:
            self._people.timer.resume()
        self.hands = self._machine.raised
        self.on_new_hand(self.hands - 1)
        number = self._machine.hand or self._machine.raised
        hand = self.hand = Hand(self._machine.places, self._seats, number, dealer, self._customs)
        for side, mind in enumerate(self._people.minds):
            mind.on_hand(hand.seen[side])
        self._play = Play(hand, self._people)
        self._play.on_discard = lambda number: self._machine.notice("discard", number=number, hand=self.hands)
        self._opening = Opening(hand, self._machine, self._people, self._play.turn)
        self._opening.begin()

    def walls_down(self) -> None:
        """The hand is void."""
        self._leave_hand()

    def dice_rolling(self, side: int) -> None:
        if self._opening is not None:
            self._opening.dice_rolling()

    def dice_shown(self, side: int, faces: Faces) -> None:
        if self._opening is not None:
            self._opening.dice_shown(side, faces)

    def ruled(self, side: int, words: Sequence[str]) -> None:
        """The referee tells a player what he may not do any more in this hand. Raises ``PlanError``."""
        ruled = Ruled.of(words)
        if self.hand is not None:
            self.hand.seen[side].ruled = ruled

    # the lamps

    def lamp(self, lamp: Lamp, side: int) -> None:
        """What the seats' lamps say."""
        self._stop_resuming()
        match lamp:
            case Lamp.HOLD:
                self._people.timer.hold()
            case Lamp.WIN:
                self._people.timer.hold()
                if self._play is not None:
                    self._play.verdict.judging()
            case Lamp.PLAY | Lamp.OFF:
                if self._people.timer.held:
                    seconds = self._people.seconds(0, "again")
                    self._resuming = self._anyhow.call_later(seconds, self._go_on)
                if lamp is Lamp.PLAY and self._play is not None:
                    self._play.verdict.play_goes_on()
            case Lamp.CLOSED:
                self._leave_hand()
                self._people.timer.resume()

    def dark(self) -> None:
        """No power: whoever is in a hand waits for the lamps."""
        self._stop_resuming()
        if self.hand is not None:
            self._people.timer.hold()

    def _go_on(self) -> None:
        self._resuming = None
        self._people.timer.resume()

    def _stop_resuming(self) -> None:
        if self._resuming is not None:
            self._resuming.cancel()
            self._resuming = None

    def close(self) -> None:
        """Go home."""
        self._leave_hand()
        self._anyhow.cancel_all()

    def _leave_hand(self) -> None:
        self._people.timer.cancel_all()
        self._people.voices.cancel_all()
        self.hand = self._opening = self._play = None
