"""The udev rules: one device each, held by what lasts, in a grammar udev takes."""

from __future__ import annotations

import re
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.daemon.sections import Device
from tablectl.deploy import texts
from tablectl.deploy.udev import link_name, match_of
from tests.deploy.udev_syntax import mistakes

DEVICES = (
    Device(name="table", port="/dev/serial/by-id/usb-Acme_MJ4_0042-if00-port0"),
    Device(name="west keypad", port="/dev/serial/by-path/pci-0000:01:00.0-usb-0:1.2:1.0-port0"),
    Device(name="board", port="usb:1209:7ab1:T0001"),
    Device(name="any", port="usb:1209:7ab2"),
    Device(name="adapter", port="tty:0403:6001:A50285BI"),
    Device(name="pins", port="/dev/ttyAMA0"),
)
LASTING = {
    "/dev/serial/by-id/usb-X": 'SUBSYSTEM=="tty", SYMLINK=="serial/by-id/usb-X"',
    "usb:1209:7ab1": 'ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="1209", ATTR{idProduct}=="7ab1"',
    "tty:1a86:7523:7": 'ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523", ATTRS{serial}=="7"',
    "/dev/ttyS0": 'KERNEL=="ttyS0"',
}
FLEETING = ["/dev/ttyUSB0", "/dev/ttyACM1", "tcp:h:1", "rfc2217:h:1", "", "ttyUSB0", "/tmp/table"]


def test_the_rules_are_as_udev_takes_them(tmp_path: Path) -> None:
    text = texts.udev(DEVICES)
    assert mistakes(text) == []
    path = tmp_path / "60-tablectl.rules"
    path.write_text(text)
    command = [shutil.which("udevadm") or "true", "verify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if command[0] == "true" or "Unknown command" in done.stderr + done.stdout:
        warnings.warn("LEFT OUT: no `udevadm verify` here (systemd 254); only our own reading", stacklevel=1)
    else:
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "damage", ['SUBSYSTEM="tty"', 'ATTR=="x"', 'MODE=="0660"', 'SYMLINK+="a', 'GOTO="nowhere"', "words"]
)
def test_our_reading_finds_mistakes(damage: str) -> None:
    assert mistakes(texts.udev(DEVICES) + damage + "\n") != []


@pytest.mark.parametrize(("port", "match"), LASTING.items(), ids=LASTING)
def test_a_device_is_held_by_what_lasts(port: str, match: str) -> None:
    assert match in match_of(port)


@pytest.mark.parametrize("port", FLEETING)
def test_what_may_change_has_no_rule(port: str) -> None:
    assert match_of(port) == ""
    assert "SYMLINK+=" not in texts.udev([Device(port=port)])


@pytest.mark.report("B012")
def test_each_device_has_a_name_that_stays() -> None:
    text = texts.udev(DEVICES)
    links = re.findall(r'SYMLINK\+="tablectl/([^"]+)"', text)
    assert links == ["table", "west_keypad", "board", "any", "adapter", "pins"]
    for line in text.splitlines():
        assert ("SYMLINK+=" in line) == ('GROUP="dialout"' in line) == ("ID_MM_DEVICE_IGNORE" in line)


@pytest.mark.report("B023")
def test_no_device_is_put_to_sleep() -> None:
    """Each on the USB bus has power/control on, whether the rule sees the device itself or its port."""
    for device in DEVICES[:-1]:
        lines = [line for line in texts.udev([device]).splitlines() if 'power/control}="on"' in line]
        assert lines, device.name
        assert all("TEST==" in line for line in lines), "where there is no such file nothing fails"
    assert "power/control" not in texts.udev(DEVICES[-1:]), "pins of the computer itself do not sleep"


def test_the_latency_timer_is_short_where_there_is_one() -> None:
    text = texts.udev(DEVICES[:1])
    assert 'TEST=="device/latency_timer", ATTR{device/latency_timer}="1"' in text


@given(name=st.text(min_size=1), serial=st.text(min_size=1))
def test_whatever_things_are_called_the_file_is_good(name: str, serial: str) -> None:
    devices = [
        Device(name=name, port=f"usb:1209:7ab1:{serial}"),
        Device(name=name, port=f"/dev/serial/by-id/{serial}"),
    ]
    assert mistakes(texts.udev(devices)) == []
    assert re.fullmatch(r"[\w-][\w.-]*", link_name(name))


def test_no_two_devices_have_one_name() -> None:
    devices = [Device(name=name, port=f"usb:1209:7ab1:{name}") for name in ("东 家", "东_家", "a/b", "a b")]
    links = re.findall(r'SYMLINK\+="tablectl/([^"]+)"', texts.udev(devices))
    assert links == ["东_家", "东_家_2", "a_b", "a_b_4"]
