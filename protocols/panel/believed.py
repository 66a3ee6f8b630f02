"""What can be believed of a table that only has lamps: two tracks, inferred, honest where nothing is known.

*Ready* lit: a complete set is in the store, for such a table gives no walls that are short. *Ready* going
dark: the walls come up, and the set that was pushed in is built by itself. Nothing else is seen of either.
"""

from __future__ import annotations

from protocols import driver
from protocols.panel.signals import Signals
from protocols.panel.wiring import Wiring
from protocols.vocabulary import NO_SIDE, Fault, Order, StoreState, TopState

NO_STACKS = (0, 0, 0, 0)  # nobody counts them
POWER = (Fault.MOTOR_RAIL_LOST, NO_SIDE)


class Believed:
    """The two tracks of one connection. What happened before it nobody knows."""

    def __init__(self, wiring: Wiring, signals: Signals) -> None:
        self._wiring = wiring
        self._signals = signals
        self.top = TopState.UNKNOWN
        self.store = StoreState.UNKNOWN
        self.hand = 0
        self.raising = 0  # hand an order wants up
        self.doubtful = False  # a lift key may have been pressed: what it would do next nobody knows
        self._up_at: float | None = None  # when walls that are coming up stand

    @property
    def ready(self) -> bool:
        """True while the lamp says that a set is ready."""
        return self._signals.on("ready")

    @property
    def powered(self) -> bool:
        """False when a power lamp is wired and dark."""
        return self._signals.on("power") or "power" not in self._wiring.signals()

    def begin(self) -> None:
        """The first sample is there."""
        if self.ready:
            self.store = StoreState.READY

    def lit(self) -> None:
        """The ready lamp was lit."""
        self.store, self._up_at, self.doubtful = StoreState.READY, None, False

    def dark(self, now: float) -> None:
        """The ready lamp went dark."""
        self.doubtful = False
        if self.powered:
            self.store, self.top = StoreState.EMPTY, TopState.RAISING
            self._up_at = now + self._wiring.table.raise_s
        else:
            self.lose_power()

    def lose_power(self) -> None:
        """A table without power remembers no walls."""
        self.top, self.store, self.hand, self._up_at = TopState.UNKNOWN, StoreState.UNKNOWN, 0, None

    def due(self) -> float | None:
        """When walls that are coming up stand."""
        return self._up_at

    def walls_stand(self, now: float) -> bool:
        """True once, when the time for it has passed."""
        if self._up_at is None or now < self._up_at:
            return False
        self._up_at = None
        self.top, self.store = TopState.WALLS_UP, StoreState.BUILDING
        self.hand, self.raising = self.raising, 0
        return True

    def faults(self) -> tuple[tuple[Fault, int], ...]:
        """The fault lamps that are lit."""
        lit = [i for i in range(len(self._wiring.fault)) if self._signals.on(f"fault {i}")]
        lamps = tuple(self._wiring.fault_of(index) for index in lit)
        return lamps if self.powered else (POWER, *lamps)

    def status(self, *, boot_id: int, board_us: int, last_event: int, running: Order | None) -> driver.Status:
        """A snapshot."""
        return driver.Status(
            top=self.top,
            store=self.store,
            stopped=False,  # nothing stops such a table for good
            homed=True,  # it sees to that itself
            hand=self.hand,
            profile=self._wiring.table.tiles,
            running_id=running.id if running else 0,
            running=running.operation if running else 0,
            percent=0,
            last_event=last_event,
            boot_id=boot_id,
            board_us=board_us,
            top_stacks=NO_STACKS,
            store_stacks=NO_STACKS,
            faults=self.faults(),
        )
