"""What is plugged in: by which name it is known, and what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from protocols.errors import AddressError
from protocols.transports import listing
from protocols.transports.listing import Found, devices, look_at, names, trace
from protocols.transports.sysfs import known, usb_boards
from tests.protocols.transports.tree import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def only(tree: Tree) -> Found:
    (found,) = devices(tree.root)
    return found


def troubles(found: Found) -> dict[str, dict[str, object]]:
    return {one.key: one.facts for one in found.troubles}


def test_an_adapter_with_a_number_is_known_by_it(tree: Tree) -> None:
    tree.adapter("1-1.2", "ttyUSB0", "0042")
    found = only(tree)
    assert found.address == str(tree.root / "dev/serial/by-id/usb-1a86_0042-if00")
    assert found.names == (str(tree.root / "dev/serial/by-path/pci-usb-0:1-1.2"),)
    assert found.node == str(tree.root / "dev/ttyUSB0")
    assert (found.usb, found.serial, found.product) == ("1a86:7523", "0042", "USB Serial")
    assert (found.place, found.driver) == ("1-1.2", "ch341-uart")
    assert found.troubles == ()


def test_an_adapter_without_a_number_is_known_by_its_place(tree: Tree) -> None:
    """Its by-id name is the same for every adapter of the make: it would lead to any of them."""
    tree.adapter("1-1.2", "ttyUSB0")
    tree.adapter("1-1.3", "ttyUSB1")
    first, second = devices(tree.root)
    assert first.address == str(tree.root / "dev/serial/by-path/pci-usb-0:1-1.2")
    assert second.address == str(tree.root / "dev/serial/by-path/pci-usb-0:1-1.3")
    assert troubles(first) == {"no_number": {"place": "1-1.2"}}


@pytest.mark.report("B012")
def test_an_adapter_that_became_another_node_keeps_its_name(tree: Tree) -> None:
    tree.adapter("1-1.2", "ttyUSB0", "0042")
    before = only(tree)
    tree.pull("1-1.2", "ttyUSB0")
    assert devices(tree.root) == []
    tree.adapter("1-1.4", "ttyUSB1", "0042")
    after = only(tree)
    assert after.node != before.node
    assert after.address == before.address


def test_a_board_on_usb_is_known_by_its_ids(tree: Tree) -> None:
    tree.board("1-1", "T0001")
    found = only(tree)
    assert found.address == "usb:1209:7ab1:T0001"
    assert found.node == str(tree.root / "dev/bus/usb/001/002")
    assert found.troubles == ()


@pytest.mark.parametrize("other", [{"klass": "03"}, {"kind": "Interrupt"}], ids=["class", "pipes"])
def test_a_mouse_is_no_board(tree: Tree, other: dict[str, str]) -> None:
    tree.board("1-1", "M1", **other)  # type: ignore[arg-type]
    tree.device("1-2", "1d6b", "0002", product="Hub")
    assert devices(tree.root) == []


def test_two_boards_of_one_name_are_told(tree: Tree) -> None:
    tree.board("1-1")
    tree.board("1-2")
    for found in devices(tree.root):
        assert set(troubles(found)) == {"no_number", "twin"}


@pytest.mark.report("B023")
def test_a_device_the_system_puts_to_sleep_is_told_with_the_file_that_ends_it(tree: Tree) -> None:
    tree.board("1-1", "T1", power="auto")
    tree.adapter("1-2", "ttyUSB0", "7", power="auto")
    for found in devices(tree.root):
        assert set(troubles(found)) == {"autosuspend"}
        file = Path(str(troubles(found)["autosuspend"]["file"]))
        assert file.read_text() == "auto\n"


def test_a_driver_of_the_system_is_told(tree: Tree) -> None:
    tree.board("1-1", "T1", driver="usbtest")
    assert troubles(only(tree)) == {"driver": {"driver": "usbtest"}}


def test_our_own_claim_is_no_trouble(tree: Tree) -> None:
    tree.board("1-1", "T1", driver="usbfs")
    assert only(tree).troubles == ()


def test_what_may_not_be_opened_says_what_is_missing(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing.os, "access", lambda *_: False)
    tree.board("1-1", "T1")
    tree.adapter("1-2", "ttyUSB0", "7")
    adapter, board = devices(tree.root)
    assert troubles(board) == {"forbidden_usb": {"vid": "1209", "pid": "7ab1"}}
    assert set(troubles(adapter)["forbidden"]) == {"group"}


def test_who_holds_it_is_named(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "open_holder", lambda node: (812, "ModemManager"))
    tree.adapter("1-2", "ttyUSB0", "7")
    assert troubles(only(tree)) == {"busy": {"pid": 812, "name": "ModemManager"}}


def test_ports_of_the_computer_itself_count_and_consoles_do_not(tree: Tree) -> None:
    tree.uart("ttyAMA0", "amba")
    tree.uart("ttyS7", "platform")
    (tree.root / "sys/class/tty/tty1").mkdir()
    assert [found.address for found in devices(tree.root)] == [str(tree.root / "dev/ttyAMA0")]


def test_a_device_half_gone_is_left_out(tree: Tree) -> None:
    tree.board("1-1", "T1")
    (tree.root / "sys/bus/usb/devices/1-1/devnum").unlink()
    tree.adapter("1-2", "ttyUSB0", "7")
    (tree.root / "dev/ttyUSB0").unlink()
    assert devices(tree.root) == []


def test_a_system_without_such_files_finds_nothing(tmp_path: Path) -> None:
    assert devices(tmp_path) == []
    assert usb_boards(tmp_path) == []
    assert not known(tmp_path)
    assert trace(tmp_path) == []


def test_an_address_leads_to_its_device(tree: Tree) -> None:
    tree.adapter("1-1", "ttyUSB0", "0042")
    tree.board("1-2", "T1")
    adapter, board = devices(tree.root)
    for path in ("dev/ttyUSB0", "dev/serial/by-path/pci-usb-0:1-1", "dev/serial/by-id/usb-1a86_0042-if00"):
        assert names(adapter, str(tree.root / path))
        assert not names(board, str(tree.root / path))
    for address, leads in (("usb:1209:7ab1", True), ("usb:1209:7AB1:T1", True), ("usb:1209:7ab1:T2", False)):
        assert names(board, address) is leads
        assert not names(adapter, address)
    asked = look_at("usb:1209:7ab1", tree.root)
    assert (asked.address, asked.serial) == ("usb:1209:7ab1", "T1")


@pytest.mark.report("B027")
def test_what_is_not_plugged_in_is_missing(tree: Tree) -> None:
    for address in ("/nowhere/ttyUSB9", "usb:1209:7ab1"):
        assert set(troubles(look_at(address, tree.root))) == {"missing"}


def test_addresses_that_cannot_be_looked_at() -> None:
    assert look_at("tcp:table3:4000") == Found("tcp:table3:4000", "")
    with pytest.raises(AddressError):
        look_at("usb:x")


def test_any_terminal_can_be_looked_at(tmp_path: Path) -> None:
    master, slave = os.openpty()
    link = tmp_path / "table"
    link.symlink_to(os.ttyname(slave))
    try:
        assert look_at(str(link)).node == os.ttyname(slave)
    finally:
        os.close(master)
        os.close(slave)


def test_the_trace_changes_with_what_is_plugged_in_and_its_rights(tree: Tree) -> None:
    seen = [trace(tree.root)]
    tree.adapter("1-1", "ttyUSB0", "0042")
    seen.append(trace(tree.root))
    os.chmod(tree.root / "dev/ttyUSB0", 0o600)
    seen.append(trace(tree.root))
    assert trace(tree.root) == seen[-1], "and with nothing else"
    tree.board("1-2", "T1")
    seen.append(trace(tree.root))
    tree.pull("1-2")
    tree.pull("1-1", "ttyUSB0")
    assert len({str(one) for one in seen}) == len(seen)
    assert usb_boards(tree.root) == []
