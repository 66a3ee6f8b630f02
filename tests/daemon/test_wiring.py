"""The wiring file of a panel: read, refused by line, written again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from protocols.panel.wiring import Wiring
from tablectl.daemon.config import Overrides, load_settings, parse_config
from tablectl.daemon.errors import WiringNotText, WiringUnreadable
from tablectl.daemon.sections import Device
from tablectl.daemon.wiring import parse_wiring, read_wiring, write_wiring
from tablectl.rehearsal.tapped import WIRING
from tablectl.tomlfile import TomlError

LEAST = """\
[keys]
lift_a = 1
lift_b = 2

[lamps]
ready = 1
"""


def test_keys_and_one_lamp_are_enough() -> None:
    wiring = parse_wiring(LEAST, "panel.toml")
    assert wiring.relays() == {"lift_a": 1, "lift_b": 2}
    assert wiring.signals() == {"ready": 1}


def test_every_key_and_lamp_has_a_name() -> None:
    assert WIRING.relays()["dice 3"] == 7
    assert WIRING.signals() == {
        "ready": 1,
        "power": 8,
        **{f"dealer {side}": 2 + side for side in range(4)},
        **{f"touch dice {side}": 9 + side for side in range(4)},
        "fault 0": 6,
        "fault 1": 7,
    }


@pytest.mark.parametrize(
    ("more", "line", "key"),
    [
        ("[board]\npulse = 'flashing'", 9, "toml.bad_value"),
        ("[table]\npress = 3", 9, "toml.unknown_key"),
        ("[touch]\nlift_a = 9", 9, "wiring.no_input"),
        ("[touch]\nlift_a = 1", 9, "wiring.input_twice"),
        ("[[fault]]\ninput = 2\nmeans = 'missing_tile'", 10, "wiring.no_fault"),
        ("[board]\nunit = 300", 9, "toml.too_high"),
    ],
)
def test_a_mistake_is_told_with_its_line(more: str, line: int, key: str) -> None:
    with pytest.raises(TomlError) as caught:
        parse_wiring(f"{LEAST}\n{more}\n", "panel.toml")
    assert (caught.value.key, caught.value.line) == (key, line)
    for lang in ("en", "zh-Hans"):
        assert "panel.toml" in caught.value.text(lang)


@pytest.mark.parametrize(
    ("wrong", "line", "key"),
    [
        (LEAST.replace("lift_b = 2", "lift_b = 1"), 3, "wiring.relay_twice"),
        (LEAST.replace("lift_b = 2", "lift_b = 9"), 3, "wiring.no_relay"),
        (LEAST.replace("lift_b = 2\n", ""), 1, "toml.missing_key"),
    ],
)
def test_keys_and_lamps_are_checked_against_the_board(wrong: str, line: int, key: str) -> None:
    with pytest.raises(TomlError) as caught:
        parse_wiring(wrong, "panel.toml")
    assert (caught.value.key, caught.value.line) == (key, line)


def test_the_nearest_fault_is_named() -> None:
    with pytest.raises(TomlError) as caught:
        parse_wiring(f"{LEAST}\n[[fault]]\ninput = 2\nmeans = 'missing_tile'\n", "panel.toml")
    assert caught.value.nearest == "missing_tiles"


@pytest.mark.parametrize("wiring", [WIRING, parse_wiring(LEAST, "least")], ids=["usual", "least"])
def test_what_is_written_reads_back_the_same(wiring: Wiring) -> None:
    assert parse_wiring(write_wiring(wiring), "again") == wiring


def test_another_wiring_is_another_panel() -> None:
    other = parse_wiring(LEAST.replace("ready = 1", "ready = 2"), "x")
    assert other.digest() != parse_wiring(LEAST, "x").digest()


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(WiringUnreadable) as caught:
        read_wiring(tmp_path / "none.toml")
    assert "panel learn" in str(caught.value)
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(WiringNotText):
        read_wiring(tmp_path / "bad.toml")


CONFIG = """
[[device]]
name = "table"
driver = "panel"
port = "/dev/serial/by-id/usb-panel"
baud = 9600
wiring = "panel.toml"

[[device]]
name = "keypad"
driver = "lines"
port = "/dev/serial/by-id/usb-keys"
"""


@pytest.fixture
def no_system_file(tmp_path: Path, mocker: Any) -> None:
    mocker.patch("tablectl.daemon.config.SYSTEM_FILE", tmp_path / "none.toml")


@pytest.mark.usefixtures("no_system_file")
def test_a_configured_panel_brings_its_wiring(tmp_path: Path) -> None:
    (tmp_path / "panel.toml").write_text(LEAST)
    (tmp_path / "tablectl.toml").write_text(CONFIG)
    settings = load_settings(Overrides(config=tmp_path / "tablectl.toml"), {"HOME": str(tmp_path)})
    assert [device.driver for device in settings.devices] == ["panel", "lines"]
    assert settings.wirings == {"table": parse_wiring(LEAST, "x")}
    assert Device().driver == "atp"


@pytest.mark.usefixtures("no_system_file")
def test_a_panel_without_a_wiring_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tablectl.toml").write_text(CONFIG.replace('wiring = "panel.toml"', ""))
    with pytest.raises(TomlError) as caught:
        load_settings(
            Overrides(config=tmp_path / "tablectl.toml", state_dir=tmp_path / "state"),
            {"HOME": str(tmp_path)},
        )
    assert (caught.value.key, caught.value.line) == ("config.device_wiring", 4)


ROOT = Path(__file__).parents[2]


def toml_blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [str(one) for one in re.findall(r"^```toml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("page", ["README.md", "docs/operator.md"])
def test_the_table_of_two_devices_on_the_page_is_one(page: str) -> None:
    (block,) = [block for block in toml_blocks(page) if "panel" in block]
    config = parse_config(block, page)
    told = [(device.name, device.driver) for device in config.device]
    assert told == [("table", "panel"), ("keypad", "lines")]


def test_the_wiring_on_the_page_is_one() -> None:
    trial, block = sorted(toml_blocks("docs/panel.md"), key=lambda one: "[[device]]" not in one)
    assert [device.driver for device in parse_config(trial, "docs/panel.md").device] == ["panel", "lines"]
    wiring = parse_wiring(block, "docs/panel.md")
    assert wiring.relays()["dice 3"] == 7
    assert wiring.table.raise_s == 3.0
