"""Keys under people's fingers: how long they are down."""

from __future__ import annotations

from protocols.vocabulary import SeatKey
from sim.firmware.plant import pins

PRESS_US = 80_000


class Keys:
    """Which keys are down, and when each comes up again."""

    def __init__(self) -> None:
        self.seats = self.panel = 0  # as the pins read
        self._seats_up: dict[int, int] = {}
        self._panel_up: dict[int, int] = {}

    def press_seat(self, side: int, key: SeatKey, now_us: int, hold_us: int = PRESS_US) -> None:
        """Somebody presses a key of his seat."""
        bit = side * pins.SEAT_KEYS + key - 1
        self.seats |= 1 << bit
        self._seats_up[bit] = now_us + hold_us

    def press_panel(self, bit: int, now_us: int, hold_us: int = PRESS_US) -> None:
        """Somebody presses a key of the table."""
        self.panel |= 1 << bit
        self._panel_up[bit] = now_us + hold_us

    def pass_time(self, now_us: int) -> None:
        """Fingers leave the keys."""
        for bit, until in list(self._seats_up.items()):
            if now_us >= until:
                self.seats &= ~(1 << bit)
                del self._seats_up[bit]
        for bit, until in list(self._panel_up.items()):
            if now_us >= until:
                self.panel &= ~(1 << bit)
                del self._panel_up[bit]

    def due_us(self) -> int | None:
        """When the next finger leaves; None = no key is down."""
        return min([*self._seats_up.values(), *self._panel_up.values()], default=None)
