"""Operations as a person would carry them out: press a key, watch a lamp.

Each is a generator that yields a ``Press`` or an ``Until`` and returns the value of its *done*. Whether a
press reached the board is the session's affair: where nobody knows, the programme ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from protocols.panel.believed import Believed
from protocols.panel.signals import Signals
from protocols.panel.wiring import Wiring
from protocols.vocabulary import SIDES, Fault, Operation, Order, Refusal, StoreState, TopState

LAMP_FOLLOWS = 1.5  # seconds in which the dealer's lamp moves on after its key


@dataclass(frozen=True, slots=True)
class Press:
    """Press these keys together."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Until:
    """Wait for a fact, at most so many seconds (None: as long as it takes). The answer says if it came."""

    fact: Callable[[], bool]
    seconds: float | None = None


class Refused(Exception):
    """Raised before the first press: nothing moved."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.name)
        self.refusal = refusal


class Failed(Exception):
    """The table does not do what its keys ask for."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name)
        self.fault = fault


Programme = Generator[Press | Until, bool, int]
LIFT = Press(("lift_a",))
BOTH_LIFTS = Press(("lift_a", "lift_b"))


def _never() -> bool:
    return False


class Programmes:
    """The operations of one panel."""

    def __init__(
        self, wiring: Wiring, signals: Signals, believed: Believed, dice_started: Callable[[int], None]
    ) -> None:
        self._wiring = wiring
        self._signals = signals
        self._believed = believed
        self._dice_started = dice_started

    def begin(self, order: Order) -> Programme:
        """The programme of an order; its first step may raise ``Refused``."""
        match order.operation:
            case Operation.BUILD:
                return self._build()
            case Operation.RAISE:
                return self._raise(order)
            case Operation.DICE:
                return self._dice(order.side)
            case Operation.PAUSE:
                return self._pause()
            case Operation.RESUME:
                return self._resume()
            case Operation.SET_PROFILE if order.count == self._wiring.table.tiles:
                return self._nothing()  # the gear stands there already
            case Operation.CLEAR_FAULT:
                return self._nothing()  # no fault is kept: the lamps say what is
            case _:
                return self._unsupported()

    def _nothing(self) -> Programme:
        yield from ()
        return 0

    def _unsupported(self) -> Programme:
        yield from ()
        raise Refused(Refusal.UNSUPPORTED)

    def _build(self) -> Programme:
        """One lift key opens the centre. While the table builds it ignores a single key, so one press too
        many does no harm there; people push the tiles in and close the centre by the same key."""
        if not self._believed.ready:
            if self._believed.store is not StoreState.BUILDING:
                yield from self._lift()
            yield Until(lambda: self._believed.ready)
        return self._wiring.table.tiles

    def _lift(self) -> Generator[Press | Until, bool, None]:
        """A lift key is a toggle. After a press of which nobody knows whether it was one, the next might
        close on somebody's hands: the people there press it, and here it is only watched what comes."""
        if not self._believed.doubtful:
            yield LIFT

    def _raise(self, order: Order) -> Programme:
        believed = self._believed
        if believed.top is TopState.WALLS_UP and believed.hand == order.hand != 0:
            return 0
        if not believed.ready:
            raise Refused(Refusal.NOT_READY)
        if order.side in SIDES and self._wiring.keys.dealer and self._wiring.lamps.dealer:
            yield from self._name_dealer(order.side)
        believed.raising = order.hand
        yield from self._lift()
        yield Until(lambda: believed.top is TopState.WALLS_UP and believed.hand == order.hand)
        return 0

    def _name_dealer(self, side: int) -> Generator[Press | Until, bool, None]:
        """The dealer's key moves the lamp on to the next side."""
        for _ in SIDES:
            if self._signals.on(f"dealer {side}"):
                return
            before = self._dealer_lamps()
            yield Press(("dealer",))
            moved = yield Until(lambda was=before: self._dealer_lamps() not in (was, ()), LAMP_FOLLOWS)  # type: ignore[misc]
            if not moved:
                break
        if not self._signals.on(f"dealer {side}"):
            raise Failed(Fault.PANEL_LINK_LOST)

    def _dealer_lamps(self) -> tuple[int, ...]:
        return tuple(side for side in SIDES if self._signals.on(f"dealer {side}"))

    def _dice(self, side: int) -> Programme:
        if side not in SIDES:
            raise Refused(Refusal.BAD_ARGUMENT)
        if not self._wiring.keys.dice:
            raise Refused(Refusal.UNSUPPORTED)
        yield Press((f"dice {side}",))
        self._dice_started(side)
        yield Until(_never, self._wiring.table.dice_s)
        return 0

    def _pause(self) -> Programme:
        if self._believed.store is not StoreState.BUILDING:
            raise Refused(Refusal.NOT_READY)
        yield BOTH_LIFTS
        self._believed.store = StoreState.PAUSED
        yield Until(_never, self._wiring.table.pause_s)  # a lift key on the way up would do anything
        return 0

    def _resume(self) -> Programme:
        if not self._believed.ready:
            if self._believed.store is not StoreState.PAUSED:
                raise Refused(Refusal.NOT_READY)
            yield from self._lift()
            self._believed.store = StoreState.BUILDING
            yield Until(lambda: self._believed.ready)
        return self._wiring.table.tiles
