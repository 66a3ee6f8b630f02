"""What must hold among the devices of a configuration, beyond their types: addresses, drivers, names."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from protocols.errors import AddressError
from protocols.transports.address import parse
from tablectl.daemon import plugins
from tablectl.daemon.sections import Device
from tablectl.tomlfile import Document, error_at


def check_devices(document: Document, devices: Sequence[Device]) -> None:
    """Raises ``TomlError`` for the first mistake, at its place in the document."""
    for index, device in enumerate(devices):
        try:
            parse(device.port)
        except AddressError as error:
            path = ("device", index, "port")
            raise error_at((document,), path, "config.device_port") from error
        _check_driver(document, index, device)
    for key in ("name", "port"):
        seen: dict[str, int] = {}
        for index, device in enumerate(devices):
            value = getattr(device, key)
            if value and seen.setdefault(value, index) != index:
                other = document.line(("device", seen[value]))
                path = ("device", index, key)
                raise error_at((document,), path, "config.device_twice", value=value, other=other)


def _check_driver(document: Document, index: int, device: Device) -> None:
    path = ("device", index, "driver")
    if not plugins.is_known(device.driver):
        valid = plugins.names()
        near = "".join(get_close_matches(device.driver, valid, n=1))
        facts = {"given": device.driver, "valid": ", ".join(valid)}
        raise error_at((document,), path, "config.device_driver", nearest=near, **facts)
    if device.driver == "panel" and not device.wiring:
        raise error_at((document,), path, "config.device_wiring")
    if device.options and device.driver in plugins.BUILT_IN:
        path = ("device", index, "options")
        raise error_at((document,), path, "config.device_options", driver=device.driver)
