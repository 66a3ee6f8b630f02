"""What can go wrong between the program and a board: ports, frames, messages, clocks.

Each error carries the facts as ``fields``, a stable ``key`` a translation can be found by, and an English
sentence that says what to do.
"""

from __future__ import annotations

from typing import ClassVar


class ProtocolError(Exception):
    """Base of all errors of this package."""

    key = "protocol"

    def __init__(self, sentence: str, **fields: object) -> None:
        super().__init__(sentence)
        self.fields = fields


class TransportError(ProtocolError):
    """A port could not be opened, or is gone."""

    key = "port"


class PortMissing(TransportError):
    """There is nothing under that name."""

    key = "port.missing"

    def __init__(self, port: str) -> None:
        self.port = port
        super().__init__(
            f"There is no port {port}. Plug the board in, or correct the port in the configuration "
            "(`tablectl devices` shows what is connected).",
            port=port,
        )


class PortUnreachable(PortMissing):
    """Nobody answers at a network address."""

    key = "port.unreachable"

    def __init__(self, port: str, reason: str) -> None:
        self.port = port
        self.reason = reason
        TransportError.__init__(
            self,
            f"Nobody answers at {port} ({reason}). Start the server there, or correct the address in the "
            "configuration.",
            port=port,
            reason=reason,
        )


class PortAmbiguous(TransportError):
    """Several boards answer to the name; ``serials`` are their serial numbers."""

    key = "port.ambiguous"

    def __init__(self, port: str, serials: str) -> None:
        self.port = port
        self.serials = serials
        super().__init__(
            f"Several boards are {port} (serial numbers {serials}). Add the serial number of the right one "
            f"to the port in the configuration: {port}:SERIAL.",
            port=port,
            serials=serials,
        )


class PortBusy(TransportError):
    """Another program holds the port. ``pid`` is 0 and ``name`` empty where the system does not tell."""

    key = "port.busy"

    def __init__(self, port: str, pid: int = 0, name: str = "") -> None:
        self.port = port
        self.pid = pid
        self.name = name
        by = f"pid {pid} ({name or 'name unknown'})" if pid else "another program"
        super().__init__(
            f"Port {port} is busy: {by} holds it. End that program, or configure another port.",
            port=port,
            pid=pid,
            name=name,
        )


class PortForbidden(TransportError):
    """This user may not open the port; members of ``group`` may."""

    key = "port.forbidden"

    def __init__(self, port: str, group: str) -> None:
        self.port = port
        self.group = group
        super().__init__(
            f"No permission to open port {port}: it belongs to group {group}. "
            f"Run `sudo usermod -aG {group} $USER` and log in again.",
            port=port,
            group=group,
        )


class UsbForbidden(PortForbidden):
    """This user may not open the USB device."""

    key = "port.forbidden_usb"

    def __init__(self, port: str, vid: str, pid: str) -> None:
        self.port = port
        self.group = "dialout"
        TransportError.__init__(
            self,
            f"No permission to open {port}. Name it in the configuration and run `sudo tablectl install`, "
            'which writes the udev rule for it. By hand that is SUBSYSTEM=="usb", '
            f'ATTR{{idVendor}}=="{vid}", ATTR{{idProduct}}=="{pid}", GROUP="dialout" in '
            "/etc/udev/rules.d/61-table.rules; be a member "
            "of dialout, and plug the board in again.",
            port=port,
            vid=vid,
            pid=pid,
        )


class PortUnusable(TransportError):
    """The name exists but is no serial port, or does not take the speed."""

    key = "port.unusable"

    def __init__(self, port: str, reason: str) -> None:
        self.port = port
        self.reason = reason
        super().__init__(
            f"{port} cannot be used as a serial port ({reason}). Correct the port or its speed in the "
            "configuration.",
            port=port,
            reason=reason,
        )


class UsbUnusable(PortUnusable):
    """The USB device is there and cannot be spoken to."""

    key = "port.unusable_usb"

    def __init__(self, port: str, reason: str) -> None:
        self.port = port
        self.reason = reason
        TransportError.__init__(
            self,
            f"{port} cannot be used ({reason}). Is it the board? Correct the port in the configuration.",
            port=port,
            reason=reason,
        )


class PortGone(TransportError):
    """An open port vanished."""

    key = "port.gone"

    def __init__(self, port: str, reason: str) -> None:
        self.port = port
        self.reason = reason
        super().__init__(
            f"Port {port} is gone ({reason}). Check the cable and the board's supply.",
            port=port,
            reason=reason,
        )


class PanelSilent(TransportError):
    """The port is open, and no relay board of that number answers there."""

    key = "port.no_panel"

    def __init__(self, port: str, unit: int) -> None:
        self.port = port
        self.unit = unit
        super().__init__(
            f"No board with the Modbus address {unit} answers at {port}. Check A and B, the supply, the "
            "speed and the address set on the board.",
            port=port,
            unit=unit,
        )


class DriverBroken(TransportError):
    """A driver of another package cannot be used. ``fault`` says how and is the end of ``key``; ``reason`` is
    what was found, or who has the name already."""

    _SENTENCES: ClassVar = {
        "import": (
            "The driver {driver} of the package {package} cannot be loaded ({reason}). Repair it with "
            "`pip install --force-reinstall {package}`, or configure another driver, then restart the daemon."
        ),
        "contract": (
            "The driver {driver} of the package {package} does not keep the contract: {reason}. Ask its "
            "maker for a newer one, or configure another driver."
        ),
        "version": (
            "The driver {driver} of the package {package} is written for version {reason} of the contract; "
            "this tablectl speaks version {known}. Run `pip install --upgrade {package}`."
        ),
        "taken": (
            "The driver {driver} is offered by {package} and by {reason} as well, so neither is used from a "
            "package. Run `pip uninstall` for the one that is not wanted, then restart the daemon."
        ),
        "option": (
            "The driver {driver} of the package {package} has no option {reason}; it has: {valid}. Did you "
            "mean {nearest}? Correct `options` in the configuration."
        ),
        "value": (
            "The driver {driver} of the package {package} does not take its options ({reason}). Correct "
            "`options` in the configuration."
        ),
        "failed": (
            "The driver {driver} of the package {package} failed ({reason}); the log has the traceback. Tell "
            "its maker, or configure another driver."
        ),
    }

    def __init__(self, fault: str, driver: str, package: str, reason: str, **more: object) -> None:
        self.fault = fault
        self.key = f"driver.{fault}"
        fields = {"driver": driver, "package": package, "reason": reason, **more}
        super().__init__(self._SENTENCES[fault].format(**fields), **fields)


class AddressError(ProtocolError):
    """What should name a port names none."""

    key = "port.address"

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__(
            f"{address!r} names no port. Write a path, usb:VID:PID or usb:VID:PID:SERIAL (four hex digits "
            "each; tty: instead of usb: for its serial port), tcp:HOST:PORT or rfc2217:HOST:PORT.",
            address=address,
        )


class FrameError(ProtocolError):
    """Bytes between two delimiters are no frame; ``data`` holds them."""

    key = "frame"

    def __init__(self, reason: str, data: bytes) -> None:
        self.reason = reason
        self.data = data
        super().__init__(f"Not a frame ({reason}): {data[:32].hex(' ')}", reason=reason, data=data)


class MessageError(ProtocolError):
    """A value does not fit its field of a message: a mistake of the caller."""

    key = "message"

    def __init__(self, message: str, reason: str) -> None:
        self.message = message
        self.reason = reason
        super().__init__(f"{message} cannot be encoded: {reason}.", message=message, reason=reason)


class ClockUnset(ProtocolError):
    """A time was asked of a clock of which no sample is known yet."""

    key = "clock.unset"

    def __init__(self) -> None:
        super().__init__("The board's clock is not known yet: ask for it first.")


class CaptureError(ProtocolError):
    """A file is no capture of wire traffic, or is damaged at byte ``at``."""

    key = "capture"

    def __init__(self, at: int, reason: str) -> None:
        self.at = at
        super().__init__(f"The capture cannot be read from byte {at} on: {reason}.", at=at, reason=reason)
