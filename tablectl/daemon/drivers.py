"""Which driver speaks to a device: by its name in the configuration, loaded where it is configured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protocols.driver import Driver
from protocols.errors import DriverBroken
from protocols.panel.wiring import Wiring
from protocols.transports.base import Opener
from tablectl.daemon import plugins
from tablectl.daemon.errors import NoModbus
from tablectl.daemon.fence import Fenced
from tablectl.daemon.sections import DriverName

PROTOCOLS = {"atp": "ATP", "panel": "Modbus RTU", "lines": "lines"}


def driver_factory(
    name: DriverName,
    opener: Opener,
    wiring: Wiring | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[[], Driver]:
    """Makes a driver for each try to connect. ``wiring`` is that of a panel, ``options`` those of a driver of
    another package, whose faults show when it is opened. Raises ``NoModbus``."""
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
        case "atp":
            from protocols.atp.driver import AtpDriver

            return lambda: AtpDriver(opener)
        case _:
            plugins.preload(name)
            return lambda: Fenced(name, opener, options or {})


def protocol_name(name: DriverName) -> str:
    """What the driver's protocol is called."""
    try:
        return PROTOCOLS.get(name) or plugins.plugin(name).protocol
    except DriverBroken:
        return name
