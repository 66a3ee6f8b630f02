"""The line protocol as a driver: keypads at the seats, and whole tables of hobbyists."""

from __future__ import annotations

from protocols.lines.host import LinesSession
from protocols.lines.limits import limits_of
from protocols.session_driver import SessionDriver
from protocols.transports.base import Opener


class LinesDriver(SessionDriver):
    """Implements ``protocols.driver.Driver``. Opened once."""

    def __init__(self, opener: Opener) -> None:
        def begin(now: float, journal_id: bytes, last_event: int, boot_id: int) -> LinesSession:
            return LinesSession(now, journal_id=journal_id, last_event=last_event, boot_id=boot_id)

        super().__init__(opener, begin, limits_of)
