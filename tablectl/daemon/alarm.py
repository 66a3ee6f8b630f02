"""Wakes the one writer at the next deadline, and lets none be decided before every press that could beat it
is known. Deadlines live in the state; this only says when to look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from tablectl.daemon.device import Device
from tablectl.daemon.timebase import TableClock
from tablectl.game import step as game
from tablectl.game.state import State

# No press can beat these: a motion that is late, and what is only said.
UNJUDGED = frozenset({"order", "turn warning", "timeout time"})
ASK_PATIENCE_S = 0.5
ASK_AGAIN_S = 0.01  # the event that was missing is on its way: it is asked for by the wire itself
Decide = Callable[[str, int, int], None]  # name, due (µs), uncertainty of the boards' clocks (µs)


class Alarm:
    """One timer. ``decide`` is called when a deadline has certainly passed."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        clock: TableClock,
        devices: Mapping[str, Device],
        decide: Decide,
    ) -> None:
        self._loop = loop
        self._clock = clock
        self._devices = devices
        self._decide = decide
        self._state: State | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._armed: tuple[str, int, int] | None = None  # name, due, scale of table time
        self._asking = False  # the boards are being asked whether it has passed

    def set(self, state: State | None) -> None:
        """Wake at the next deadline of this state; None: at none."""
        self._state = state
        due = game.deadlines(state) if state is not None else []
        first = (*due[0], self._clock.scale) if due else None
        if first is not None and first == self._armed and (self._timer is not None or self._asking):
            return
        self._disarm()
        if first is not None:
            self._armed = first
            wake = self._clock.loop_time_of(first[1] + 1)  # a µs past it: a timer must not ring too early
            self._timer = self._loop.call_at(wake, self._ring)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._armed = None
        self._asking = False

    def _ring(self) -> None:
        armed, self._timer = self._armed, None
        if armed is None:
            return
        name, due, _ = armed
        if self._clock.now_us() < due:
            self._armed = None
            self.set(self._state)
        elif name in UNJUDGED or not self._online():
            self._armed = None
            self._decide(name, due, 0)
        else:
            self._ask_boards(name, due)

    def _online(self) -> list[str]:
        links = self._state.devices if self._state is not None else {}
        return [name for name in self._devices if name in links and links[name].link == "online"]

    def _last_event(self, device: str) -> int:
        links = self._state.devices if self._state is not None else {}
        return links[device].last_event if device in links else 0

    def _ask_boards(self, name: str, due: int) -> None:
        """Decide only when every board's clock is past the deadline and no event of it is missing: a press
        stamped earlier wins, however late it arrives. A board that does not answer loses its link first."""
        waiting = set(self._online())
        self._asking = True

        def told(device: str, board_at: int, last_event: int, unc: int) -> None:
            if self._armed is None or self._armed[:2] != (name, due):
                return  # something beat it
            if board_at <= due or last_event > self._last_event(device):  # exactly at the limit is in time
                self._ask_again()
                return
            waiting.discard(device)
            if not waiting:
                self._disarm()
                self._decide(name, due, unc)

        for device in sorted(waiting):

            def heard(at: int, last: int, unc: int, device: str = device) -> None:
                told(device, at, last, unc)

            self._devices[device].ask_clock(heard)
        # An answer may never come: the question is put again, it is never decided without one.
        self._timer = self._loop.call_later(ASK_PATIENCE_S, self._ring)

    def _ask_again(self) -> None:
        self._asking = False
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(ASK_AGAIN_S, self._ring)
