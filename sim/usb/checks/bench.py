"""Where the calls are made: a bus to plug devices into, the backend that sees them, and the outcomes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

import usb.core
import usb.util

from sim.timebase import linger, wall_seconds
from sim.usb.device import Stall, UsbDevice
from sim.usb.requests import Setup

D = TypeVar("D", bound=UsbDevice)
Outcome = tuple[str, ...]  # ("value", what) or (class of the error, errno, code of libusb)
SEEN_S = 30.0  # an emulated computer may take to notice a device
LOOK_S = 0.02
ANSWER = b"table 1.0"  # to the request ASK
ASK, TELL = 1, 2  # requests of the maker: say something, hear something


class Bus(Protocol):
    """What devices are plugged into."""

    def plug(self, device: UsbDevice) -> None:
        """Plug one in."""

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out."""


class Bench:
    """A bus and its backend. ``nobody`` makes the caller a user without rights for a while; ``tell`` hears
    each outcome. After ``held_s`` a call that has to wait is sure to."""

    def __init__(
        self,
        bus: Bus,
        backend: Any,
        nobody: Callable[[], AbstractContextManager[None]],
        tell: Callable[[str, Outcome], None] = lambda name, found: None,
        held_s: float = 0.05,
    ) -> None:
        self.bus = bus
        self.held_s = held_s
        self.tell = tell
        self.backend = backend
        self.nobody = nobody
        self.outcomes: dict[str, Outcome] = {}

    # ---- outcomes ------------------------------------------------------------------------------------

    def show(self, name: str, call: Callable[[], Any]) -> None:
        """Make a call and keep what comes of it."""
        self._keep(name, outcome(call))

    def held(self, name: str, call: Callable[[], Any], meanwhile: Callable[[], Any]) -> None:
        """Make a call that waits, in a thread; while it waits something happens that ends it."""
        found: list[Outcome] = []
        thread = threading.Thread(target=lambda: found.append(outcome(call)))
        thread.start()
        linger(self.held_s)
        waited = thread.is_alive()
        meanwhile()
        thread.join()
        self._keep(name, found[0] if waited else ("did not wait", *found[0]))

    def _keep(self, name: str, found: Outcome) -> None:
        assert name not in self.outcomes, f"two calls are called {name!r}"
        self.outcomes[name] = found
        self.tell(name, found)

    # ---- devices -------------------------------------------------------------------------------------

    @contextmanager
    def plugged(self, device: D) -> Iterator[D]:
        """A device on the bus, known to the backend; afterwards it is gone."""
        self.plug(device)
        try:
            yield device
        finally:
            self.unplug(device)

    def plug(self, device: UsbDevice) -> None:
        """Plug it in; returns when it can be found."""
        self.bus.plug(device)
        self._until(lambda: self.looked_for(device) is not None, f"{device.strings[1]} was never found")

    def unplug(self, device: UsbDevice) -> None:
        """Pull it out; returns when it cannot be found any more."""
        self.bus.unplug(device)
        self._until(lambda: self.looked_for(device) is None, f"{device.strings[1]} never went away")

    def looked_for(self, device: UsbDevice) -> Any:
        """What the backend finds now; None if it finds nothing."""
        return usb.core.find(idVendor=device.vid, idProduct=device.pid, backend=self.backend)

    @contextmanager
    def handle(self, device: UsbDevice) -> Iterator[Any]:
        """A handle of its own on a device, to be used and let go."""
        found = self.looked_for(device)
        assert found is not None
        try:
            yield found
        finally:
            usb.util.dispose_resources(found)

    def _until(self, fact: Callable[[], bool], otherwise: str) -> None:
        deadline = wall_seconds() + SEEN_S
        while not fact():
            assert wall_seconds() < deadline, otherwise
            linger(LOOK_S)


def outcome(call: Callable[[], Any]) -> Outcome:
    """What comes of a call."""
    try:
        value = call()
    except (usb.core.USBError, NotImplementedError, ValueError, IndexError) as error:
        number, code = getattr(error, "errno", None), getattr(error, "backend_error_code", None)
        return type(error).__name__, str(number), str(code)
    return "value", str(bytes(value) if hasattr(value, "tobytes") else value)


class Board(UsbDevice):
    """A device that does as it is told: each message to it is a word and what belongs to it.

    ``echo`` sends the rest back; ``hush`` nothing; ``stall`` refuses; ``halt`` halts the pipe to the host;
    ``event`` sends the rest on the interrupt pipe; ``babble`` says too much; ``send N`` sends N bytes.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.heard = 0  # bytes of the host
        self.told = b""
        self.on_out = self._obey
        self.on_control = self._answer

    def _obey(self, pipe: int, data: bytes) -> None:
        self.heard += len(data)
        word, _, rest = bytes(data).partition(b" ")
        match word:
            case b"echo":
                self.send(rest)
            case b"stall":
                raise Stall
            case b"halt":
                self.halt(0x81)
            case b"event":
                self.send(rest, 0x82)
            case b"babble":
                self.babble()
            case b"send":
                self.send(bytes(int(rest)))

    def _answer(self, setup: Setup, data: bytes) -> bytes | None:
        if setup.bRequest == ASK:
            return ANSWER
        if setup.bRequest == TELL:
            self.told = bytes(data)
            return b""
        return None
