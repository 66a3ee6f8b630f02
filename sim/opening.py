"""The opening of a hand as the players do it: the throws, the break, the deal, indicator and flowers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from protocols.vocabulary import WallEnd
from sim import manners
from sim.hand import Hand
from sim.mechanism.dice import Faces
from sim.mechanism.machine import Mechanism
from sim.people import People
from sim.timebase import Timer
from sim.view import Draw


class Opening:
    """From the walls coming up to the dealer's first turn; ``then`` is given his last tile drawn."""

    def __init__(
        self, hand: Hand, machine: Mechanism, people: People, then: Callable[[int, Draw], None]
    ) -> None:
        self._hand = hand
        self._machine = machine
        self._people = people
        self._then = then
        self._thrower = hand.dealer
        self._totals: list[int] = []
        self._press: Timer | None = None
        self._last: dict[int, str] = {}

    def begin(self) -> None:
        """The walls stand and the dealer's lamp is lit."""
        self._press_soon()

    # the throws

    def _press_soon(self) -> None:
        self._press = self._people.later(self._thrower, "press_dice", self._press_key)

    def _press_key(self) -> None:
        self._press = self._people.later(self._thrower, "press_again", self._press_key)
        self._machine.press_dice(self._thrower)

    def dice_rolling(self) -> None:
        """Somebody's dice roll, maybe on the host's order: wait for what they show, but not for ever."""
        self._stop_press()
        if len(self._totals) < self._hand.customs.throws:
            self._press = self._people.later(self._thrower, "press_again", self._press_key)

    def _stop_press(self) -> None:
        if self._press is not None:
            self._press.cancel()
            self._press = None

    def dice_shown(self, side: int, faces: Faces) -> None:
        """Count the throw if it was his turn to throw."""
        if len(self._totals) == self._hand.customs.throws:
            return
        self._stop_press()
        if side == self._thrower:
            self._totals.append(sum(faces))
            if len(self._totals) == self._hand.customs.throws:
                self._break()
                return
            self._thrower = manners.second_thrower(self._hand.dealer, self._totals[0])
        self._press_soon()

    # break and deal

    def _break(self) -> None:
        at = self._hand.customs.break_at == "at"
        self._hand.break_walls(*manners.broken_at(self._hand.dealer, self._totals, at=at))
        self._deal(iter(manners.deal(self._hand.order, self._hand.dealer)))

    def _deal(self, takes: Iterator[tuple[int, list[tuple[int, int]]]]) -> None:
        def take() -> None:
            entry = next(takes, None)
            if entry is None:
                self._look()
                return
            side, stacks = entry
            for stack in stacks:
                self._last[side] = self._hand.take(side, stack)
            self._people.later(side, "take", take)

        self._people.later(self._hand.dealer, "take", take)

    # the indicator, where there is one

    def _look(self) -> None:
        if self._hand.customs.indicator == "none":
            self._arrange()
        else:
            self._people.later(self._hand.dealer, "turn_up", self._turn_up)

    def _turn_up(self) -> None:
        self._hand.turn_up(self._hand.dealer)
        self._arrange()

    # flowers, dealer first

    def _arrange(self) -> None:
        order = iter(manners.in_turn(self._hand.dealer))
        self._people.later(self._hand.dealer, "arrange", lambda: self._flowers(next(order), order))

    def _flowers(self, side: int, rest: Iterator[int]) -> None:
        flower = self._hand.flower_of(side)
        if flower is not None:
            self._people.later(side, "flower", lambda: self._show(side, flower, rest))
            return
        following = next(rest, None)
        if following is None:
            dealer = self._hand.dealer
            self._then(dealer, Draw(self._last[dealer]))
        else:
            self._flowers(following, rest)

    def _show(self, side: int, flower: str, rest: Iterator[int]) -> None:
        self._hand.show_flower(side, flower)
        self._people.later(side, "flower_draw", lambda: self._replace(side, rest))

    def _replace(self, side: int, rest: Iterator[int]) -> None:
        self._last[side] = self._hand.draw(side, WallEnd.TAIL).tile
        self._flowers(side, rest)
