"""USB boards on a simulated bus: bytes, and each way a bus can fail has its own end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from usb.core import USBError

from protocols.errors import (
    PortAmbiguous,
    PortBusy,
    PortForbidden,
    PortGone,
    PortMissing,
    PortUnusable,
    TransportError,
    UsbForbidden,
)
from protocols.transports import usb as transport
from protocols.transports.address import UsbAddress
from protocols.transports.base import Stream
from protocols.transports.sysfs import UsbBoard
from protocols.transports.usb import FAILURES_IN_A_ROW, UsbPort, UsbSystem
from sim.timebase import pause
from sim.usb.bus import SimBus
from sim.usb.descriptors import MODEM, ConfigurationDescriptor, EndpointDescriptor, InterfaceDescriptor
from sim.usb.device import PID, VID, Stall, UsbDevice
from tests.protocols.transports.ear import PATIENCE, Ear, held

QUICK_MS = 5  # a closed stream lets go so soon


class Rig:
    """A bus with a board that says back what it hears."""

    def __init__(self) -> None:
        self.bus = SimBus()
        self.device = self.plug("T0001")
        self.ports: list[UsbPort] = []

    def plug(self, serial: str, **more: Any) -> UsbDevice:
        device = UsbDevice(serial, **more)
        device.on_out = lambda pipe, data: device.send(data)
        self.bus.plug(device)
        return device

    def port(self, serial: str = "", boards: Callable[[], list[UsbBoard]] | None = None) -> UsbPort:
        system = UsbSystem(lambda: self.bus, boards)
        self.ports.append(UsbPort(UsbAddress(VID, PID, serial), system, read_ms=QUICK_MS))
        return self.ports[-1]

    async def open(self, serial: str = "") -> tuple[Stream, Ear]:
        ear = Ear()
        return await self.port(serial).open(ear), ear


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    before = threading.active_count()
    rig = Rig()
    yield rig
    for port in rig.ports:
        for stream in port._streams:
            stream.close()
        async with asyncio.timeout(PATIENCE):
            await port.settle()
    assert rig.bus.handles == set()
    assert rig.device.claims == {}
    assert threading.active_count() == before


async def test_bytes_go_both_ways_whatever_packets_they_come_in(rig: Rig) -> None:
    stream, ear = await rig.open()
    sent = bytes(range(256)) * 5
    for cut in (0, 1, 64, 128, 129, 500, len(sent)):  # a full packet at the end is no special case
        ear.data = b""
        stream.write(sent[:cut])
        stream.write(sent[cut:])
        await ear.until(length=len(sent))
        assert ear.data == sent


async def test_a_full_packet_is_not_kept_waiting_for_the_next(rig: Rig) -> None:
    stream, ear = await rig.open()
    stream.write(bytes(64))
    await ear.until(length=64)
    assert ear.data == bytes(64)


@pytest.mark.report("B003")
async def test_opening_leaves_the_board_as_it_is(rig: Rig) -> None:
    """No reset, no new configuration, no request of any class: a board restarts on any of them."""
    await rig.open()
    assert rig.device.did == []


async def test_a_board_nobody_configured_yet_is_configured(rig: Rig) -> None:
    rig.device.configuration = 0
    await rig.open()
    assert rig.device.did == ["set_configuration 1"]


@pytest.mark.parametrize(("serial", "wrong"), [("A", "B"), ("B", "A")])
async def test_of_two_boards_the_named_one_is_taken(rig: Rig, serial: str, wrong: str) -> None:
    first, second = rig.plug("A"), rig.plug("B")
    await rig.open(serial)
    taken = {device.serial for device in (first, second) if device.claims}
    assert taken == {serial} != {wrong}


async def test_two_boards_work_at_once(rig: Rig) -> None:
    rig.plug("B")
    (one, ear_one), (two, ear_two) = await rig.open("T0001"), await rig.open("B")
    one.write(b"one")
    two.write(b"two")
    await ear_one.until(length=3)
    await ear_two.until(length=3)
    assert (ear_one.data, ear_two.data) == (b"one", b"two")


async def test_without_a_serial_number_two_boards_are_one_too_many(rig: Rig) -> None:
    rig.plug("B")
    with pytest.raises(PortAmbiguous, match="B, T0001"):
        await rig.open()


def forbid(rig: Rig) -> None:
    rig.device.forbidden = True


def take_it_first(rig: Rig) -> None:
    rig.device.claims[0] = object()


def pull_it(rig: Rig) -> None:
    rig.bus.unplug(rig.device)


def give_it_no_bulk(rig: Rig) -> None:
    interrupt = InterfaceDescriptor(0, (EndpointDescriptor(0x81, 3, 8), EndpointDescriptor(0x01, 3, 8)))
    rig.device.shape = ConfigurationDescriptor((interrupt,))


def make_it_a_modem(rig: Rig) -> None:
    rig.device.shape = MODEM


@pytest.mark.parametrize(
    ("what", "serial", "kind"),
    [
        (pull_it, "", PortMissing),
        (pull_it, "T0001", PortMissing),
        (lambda rig: None, "T0002", PortMissing),
        (forbid, "", UsbForbidden),
        (forbid, "T0001", UsbForbidden),
        (take_it_first, "", PortBusy),
        (give_it_no_bulk, "", PortUnusable),
        (make_it_a_modem, "", PortUnusable),
    ],
    ids=[
        "none",
        "none of that number",
        "another number",
        "forbidden",
        "number forbidden",
        "busy",
        "pipes",
        "class",
    ],
)
async def test_a_board_that_cannot_be_taken(
    rig: Rig, what: Callable[[Rig], None], serial: str, kind: type[TransportError]
) -> None:
    what(rig)
    with pytest.raises(kind) as caught:
        await rig.open(serial)
    assert caught.value.fields["port"] == f"usb:1209:7ab1{':' if serial else ''}{serial}"
    rig.device.claims.clear()


async def test_a_board_that_counts_pipes_it_does_not_have_is_refused_in_words(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*args: object) -> EndpointDescriptor:
        raise IndexError("no such pipe")

    monkeypatch.setattr(rig.bus, "get_endpoint_descriptor", missing)
    with pytest.raises(PortUnusable, match="no such pipe"):
        await rig.open()


async def test_what_is_forbidden_names_the_rule_that_allows_it(rig: Rig) -> None:
    forbid(rig)
    with pytest.raises(PortForbidden, match=r'idProduct\}=="7ab1"'):
        await rig.open()


async def test_without_libusb_it_says_so() -> None:
    port = UsbPort(UsbAddress(VID, PID), UsbSystem(lambda: None, None))
    with pytest.raises(PortUnusable, match="libusb"):
        await port.open(Ear())
    await port.settle()


async def test_the_kernels_driver_steps_aside_and_comes_back(rig: Rig) -> None:
    rig.bus.unplug(rig.device)
    rig.device.bound = {0: "usbtest"}
    rig.bus.plug(rig.device)
    port = rig.port()
    stream = await port.open(Ear())
    assert rig.device.drivers == {}
    stream.close()
    await port.settle()
    assert rig.device.drivers == {0: "usbtest"}


async def test_the_kernel_gets_its_driver_back_when_the_board_cannot_be_taken(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise USBError("Resource busy", -6, 16)

    rig.bus.unplug(rig.device)
    rig.device.bound = {0: "usbtest"}
    rig.bus.plug(rig.device)
    monkeypatch.setattr(rig.bus, "claim_interface", refuse)
    with pytest.raises(PortBusy):
        await rig.open()
    assert rig.device.drivers == {0: "usbtest"}


async def test_a_second_stream_beside_an_open_one_is_refused(rig: Rig) -> None:
    await rig.open()
    with pytest.raises(PortBusy):
        await rig.open()
    port = rig.ports[0]
    with pytest.raises(PortBusy):
        await port.open(Ear())


@pytest.mark.parametrize(
    ("error", "kind"),
    [(USBError("Resource busy", -6, 16), PortUnusable), (NotImplementedError(), None)],
    ids=["refused", "no such thing here"],
)
async def test_a_kernel_driver_that_does_not_go(
    rig: Rig, error: Exception, kind: type[TransportError] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        raise error

    rig.device.drivers = {0: "usbtest"} if kind else {}
    name = "detach_kernel_driver" if kind else "is_kernel_driver_active"
    monkeypatch.setattr(rig.bus, name, refuse)
    if kind is None:
        await rig.open()
    else:
        with pytest.raises(kind, match="kernel driver"):
            await rig.open()


@pytest.mark.report("B001")
@pytest.mark.parametrize("moment", ["idle", "in a read", "in a write"])
async def test_unplugging_is_told_once_when_the_handle_is_closed(rig: Rig, moment: str) -> None:
    stream, ear = await rig.open()
    if moment == "in a write":
        rig.device.unplug_on_write = True
        stream.write(b"last words")
    else:
        rig.bus.unplug(rig.device)
    await ear.until(ends=1)
    assert rig.bus.handles == set(), "closed before anybody is told"
    assert isinstance(ear.ends[0], PortGone)
    assert "No such device" in str(ear.ends[0])
    stream.write(b"nobody is there")
    stream.close()
    assert len(ear.ends) == 1


@pytest.mark.report("B012")
async def test_a_board_is_found_again_wherever_it_is_plugged_in(rig: Rig) -> None:
    port = rig.port("T0001")
    ear = Ear()
    await port.open(ear)
    old = rig.device.address
    rig.bus.unplug(rig.device)
    await ear.until(ends=1)
    rig.plug("other")
    rig.bus.plug(rig.device)
    assert rig.device.address != old
    stream = await port.open(ear)
    stream.write(b"back")
    await ear.until(length=4)


@pytest.mark.parametrize("pipe", [0x01, 0x81], ids=["out", "in"])
async def test_a_stall_is_cleared_and_counted(rig: Rig, pipe: int) -> None:
    stream, ear = await rig.open()
    rig.device.halt(pipe)
    if pipe == 0x01:
        stream.write(b"lost")
    port = rig.ports[0]
    async with asyncio.timeout(PATIENCE):
        while not port.faults["stalls"]:
            await pause(0.001)
    stream.write(b"heard")
    await ear.until(length=5)
    assert ear.data == b"heard"
    assert port.faults == {"stalls": 1}


async def test_a_pipe_that_stalls_again_and_again_is_given_up(rig: Rig) -> None:
    def refuse(pipe: int, data: bytes) -> None:
        raise Stall

    stream, ear = await rig.open()
    rig.device.on_out = refuse
    port = rig.ports[0]
    for number in range(FAILURES_IN_A_ROW):
        stream.write(b"x")
        async with asyncio.timeout(PATIENCE):
            while port.faults["stalls"] < min(number + 1, FAILURES_IN_A_ROW - 1):
                await pause(0.001)
    await ear.until(ends=1)
    assert isinstance(ear.ends[0], PortGone)
    assert "Pipe error" in str(ear.ends[0])


async def test_babble_is_thrown_away_and_counted(rig: Rig) -> None:
    stream, ear = await rig.open()
    rig.device.babble()
    stream.write(b"after")
    await ear.until(length=5)
    assert ear.data == b"after"
    assert rig.ports[0].faults == {"overflows": 1}


async def test_a_board_that_takes_nothing_loses_that_and_goes_on(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "WRITE_MS", 20)
    stream, ear = await rig.open()
    rig.device.takes(3)
    stream.write(b"abcdef")
    port = rig.ports[0]
    async with asyncio.timeout(PATIENCE):
        while not port.faults["timeouts"]:
            await pause(0.001)
    rig.device.takes(None)
    stream.write(b"later")
    await ear.until(length=8)
    assert ear.data == b"abclater", "what it took it took; what it did not is not sent late"


async def test_a_slow_board_gets_all_of_it(rig: Rig) -> None:
    stream, ear = await rig.open()
    rig.device.takes(3)
    stream.write(b"abcdef")
    await ear.until(length=0)
    rig.device.takes(None)
    await ear.until(length=6)
    assert ear.data == b"abcdef"


async def test_closing_throws_away_what_was_not_sent_and_tells_nobody(rig: Rig) -> None:
    stream, ear = await rig.open()
    rig.device.takes(0)
    stream.write(b"too late")
    stream.close()
    stream.close()
    rig.device.takes(None)
    await rig.ports[0].settle()
    assert ear.data == b""
    assert ear.ends == []


async def test_a_board_is_opened_again_only_when_the_last_stream_let_go(rig: Rig) -> None:
    port = rig.port()
    for _ in range(5):
        stream = await port.open(Ear())
        stream.close()  # and at once again: it never finds its own claim in the way
    await port.settle()


async def test_opening_that_is_cancelled_leaves_no_handle(rig: Rig) -> None:
    port = rig.port()
    opening = asyncio.get_running_loop().create_task(port.open(Ear()))
    await pause(0)  # the opening has begun
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await port.settle()
    assert rig.bus.handles == set()


@pytest.mark.parametrize("serial", ["", "T0001", "T0002"])
def test_whether_it_is_there_is_read_from_what_is_plugged_in(serial: str) -> None:
    boards = [UsbBoard(VID, PID, "T0001"), UsbBoard(VID, 1, "T0002")]
    port = UsbPort(UsbAddress(VID, PID, serial), UsbSystem(lambda: None, lambda: boards))
    assert port.present is not None
    assert port.present() is (serial != "T0002")


async def test_five_hundred_connections_leave_nothing(rig: Rig) -> None:
    port = rig.port("T0001")
    (await port.open(Ear())).close()
    await port.settle()
    before = held()
    for number in range(500):
        ear = Ear()
        stream = await port.open(ear)
        stream.write(b"x")
        await ear.until(length=1)
        if number % 5 == 0:
            rig.bus.unplug(rig.device)
            await ear.until(ends=1)
            rig.bus.plug(rig.device)
        stream.close()
    await port.settle()
    assert held() == before
    assert rig.bus.handles == set()
