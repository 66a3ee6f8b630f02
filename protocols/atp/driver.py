"""ATP as a driver: a host session on a byte stream in an event loop."""

from __future__ import annotations

import asyncio

from protocols.atp.host import HostSession
from protocols.session_driver import SessionDriver
from protocols.transports.base import Opener


class AtpDriver(SessionDriver):
    """Implements ``protocols.driver.Driver`` for a board that speaks ATP. Opened once.

    ``last_event`` counts only with the ``boot_id`` it belongs to.
    """

    def __init__(self, opener: Opener) -> None:
        super().__init__(opener, _begin, HostSession.limits)

    def stop(self) -> None:
        """Stop all motion, before hello too."""
        super().stop()
        if self._session is not None:
            asyncio.get_running_loop().call_soon(self._report)  # orders it gave up, without waiting

    def _kick(self) -> None:
        """Send what came of a call. But for a stop, a session tells nothing before the board answers."""
        if self._pump is not None:
            self._pump.kick()


def _begin(now: float, journal_id: bytes, last_event: int, boot_id: int) -> HostSession:
    return HostSession(now, journal_id=journal_id, last_event=last_event, boot_id=boot_id)
