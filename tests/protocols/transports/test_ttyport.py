"""A serial port by the numbers of its adapter: found at each opening, whatever it is called by then."""

from __future__ import annotations

import os
import pty
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from pytest_mock import MockerFixture

from protocols.errors import PortAmbiguous, PortMissing, PortUnusable
from protocols.transports import listing
from protocols.transports.address import TtyAddress, parse
from protocols.transports.listing import look_at, names
from protocols.transports.serial import open_serial
from protocols.transports.ttyport import NumberedPort
from tests.protocols.transports.ear import Ear
from tests.protocols.transports.tree import Tree

CH340 = TtyAddress(0x1A86, 0x7523, "0042")


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


@pytest.fixture
def slave() -> Iterator[str]:
    """The name of a pty somebody holds."""
    master, descriptor = pty.openpty()
    tty.setraw(descriptor)
    yield os.ttyname(descriptor)
    os.close(master)
    os.close(descriptor)


def plug(tree: Tree, name: str, node: str, place: str = "1-1") -> None:
    """An adapter whose node is that pty."""
    tree.adapter(place, name, "0042")
    (tree.root / "dev" / name).unlink()
    (tree.root / "dev" / name).symlink_to(node)


@pytest.mark.report("B012")
async def test_it_is_found_under_another_name(tree: Tree, slave: str) -> None:
    plug(tree, "ttyUSB0", slave)
    port = NumberedPort(CH340, 9600, root=tree.root)
    assert port.present is not None
    assert port.present()
    (await port.open(Ear())).close()
    tree.pull("1-1", "ttyUSB0")
    assert not port.present()
    with pytest.raises(PortMissing, match="tty:1a86:7523:0042"):
        await port.open(Ear())
    plug(tree, "ttyUSB1", slave, "1-2")
    assert port.present()
    (await port.open(Ear())).close()
    await port.settle()


async def test_the_only_one_of_its_kind_needs_no_number(tree: Tree, slave: str) -> None:
    plug(tree, "ttyUSB0", slave)
    (await NumberedPort(TtyAddress(0x1A86, 0x7523), 9600, root=tree.root).open(Ear())).close()
    tree.adapter("1-2", "ttyUSB1", "0043")
    with pytest.raises(PortAmbiguous, match="0042, 0043"):
        await NumberedPort(TtyAddress(0x1A86, 0x7523), 9600, root=tree.root).open(Ear())


async def test_an_adapter_with_two_ports_has_no_port_by_number(tree: Tree) -> None:
    tree.adapter("1-1", "ttyUSB0", "0042")
    tree.adapter("1-1", "ttyUSB1", "0042")
    with pytest.raises(PortUnusable, match="by-id"):
        await NumberedPort(CH340, 9600, root=tree.root).open(Ear())


def test_the_list_knows_the_address_and_gives_it_where_there_are_no_links(tree: Tree) -> None:
    tree.adapter("1-1", "ttyUSB0", "0042")
    tree.board("1-2", "0042")
    for link in (tree.root / "dev/serial").glob("*/*"):
        link.unlink()
    adapter, board = listing.devices(tree.root)
    assert adapter.address == "tty:1a86:7523:0042"
    assert names(adapter, "tty:1a86:7523:0042")
    assert names(adapter, "tty:1a86:7523")
    assert not names(adapter, "tty:1a86:7523:1")
    assert not names(adapter, "usb:1a86:7523")
    assert not names(board, "tty:1209:7ab1")
    assert look_at("tty:1a86:7523", tree.root).node == adapter.node
    (trouble,) = look_at("tty:ffff:7523", tree.root).troubles
    assert trouble.key == "missing"


def test_an_adapter_is_listed_once_though_its_interface_is_a_makers_own(tree: Tree) -> None:
    """Most adapters look like a board on the bus; only whoever names them so gets to see them so."""
    tree.adapter("1-1", "ttyUSB0", "0042")
    (interface,) = tree.root.glob("sys/devices/**/1-1:1.0")
    for name, text in (("bInterfaceClass", "ff"), ("ep_01/type", "Bulk"), ("ep_81/type", "Bulk")):
        tree.write(str((interface / name).relative_to(tree.root)), text)
    for name, way in (("ep_01", "out"), ("ep_81", "in")):
        tree.write(str((interface / name / "direction").relative_to(tree.root)), way)
    (one,) = listing.devices(tree.root)
    assert one.node.endswith("ttyUSB0")
    assert look_at("usb:1a86:7523:0042", tree.root).node.startswith(str(tree.root / "dev/bus/usb"))


def test_what_keeps_bytes_back_is_said(tree: Tree) -> None:
    tree.adapter("1-1", "ttyUSB0", "0042")
    tree.uart("ttyAMA0", "amba")
    (pins, adapter) = sorted(listing.devices(tree.root), key=lambda one: one.node)
    assert (pins.latency_ms, adapter.latency_ms) == (None, None)
    folder = next(tree.root.glob("sys/devices/**/ttyUSB0"))
    (folder / "latency_timer").write_text("16\n")
    tree.write("sys/class/tty/ttyAMA0/flags", "0x10002000")
    (pins, adapter) = sorted(listing.devices(tree.root), key=lambda one: one.node)
    assert (pins.latency_ms, adapter.latency_ms) == (0, 16)


@pytest.mark.parametrize("error", [None, ValueError("no"), OSError(25, "no tty"), AttributeError()])
async def test_bytes_are_asked_for_at_once_and_an_adapter_that_cannot_is_fine(
    slave: str, mocker: MockerFixture, error: Exception | None
) -> None:
    asked = mocker.patch.object(serial.Serial, "set_low_latency_mode", side_effect=error, create=True)
    (await open_serial(slave, Ear())).close()
    asked.assert_called_once_with(True)


def test_the_address_is_read_and_written() -> None:
    for text in ("tty:0403:6001:A50285BI", "tty:0403:6001"):
        assert str(parse(text)) == text
        assert isinstance(parse(text), TtyAddress)
