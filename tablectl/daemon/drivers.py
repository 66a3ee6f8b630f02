"""Which driver speaks to a device: by its name in the configuration, loaded where it is configured."""

from __future__ import annotations

from collections.abc import Callable

from protocols.driver import Driver
from protocols.panel.wiring import Wiring
from protocols.transports.base import Opener
from tablectl.daemon.config import DriverName
from tablectl.daemon.errors import NoModbus


def driver_factory(name: DriverName, opener: Opener, wiring: Wiring | None = None) -> Callable[[], Driver]:
    """Makes a driver for each try to connect. ``wiring`` is that of a panel. Raises ``NoModbus``."""
    match name:
        case "panel":
            try:
                from protocols.panel.driver import PanelDriver  # pymodbus is an extra
            except ModuleNotFoundError as error:
                raise NoModbus() from error
            assert wiring is not None, "the configuration sees to that"
            return lambda: PanelDriver(opener, wiring)
        case "lines":
            from protocols.lines.driver import LinesDriver

            return lambda: LinesDriver(opener)
        case _:
            from protocols.atp.driver import AtpDriver

            return lambda: AtpDriver(opener)
