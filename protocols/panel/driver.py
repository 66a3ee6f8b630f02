"""The panel tap as a driver: a Modbus board across the keys and lamps of an unmodified table."""

from __future__ import annotations

from protocols.panel.host import PanelSession
from protocols.panel.limits import limits_of
from protocols.panel.wiring import Wiring
from protocols.session_driver import SessionDriver
from protocols.transports.base import Opener


class PanelDriver(SessionDriver):
    """Implements ``protocols.driver.Driver``. Opened once."""

    def __init__(self, opener: Opener, wiring: Wiring) -> None:
        def begin(now: float, journal_id: bytes, last_event: int, boot_id: int) -> PanelSession:
            return PanelSession(wiring, now, boot_id=boot_id)

        super().__init__(opener, begin, limits_of)
