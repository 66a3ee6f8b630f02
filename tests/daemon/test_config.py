"""The configuration: every mistake has a line, a reason and the nearest right word; every path a default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tablectl.daemon.config import Overrides, load_settings, parse_config, read_config
from tablectl.daemon.errors import (
    ConfigIsFolder,
    ConfigMissing,
    ConfigNotText,
    ConfigUnreadable,
    NoStateDir,
    PortAmbiguous,
    SocketPathTooLong,
)
from tablectl.daemon.sections import Device
from tablectl.tomlfile import TomlError

WHOLE = """
[table]
name = "東風 🀄"
language = "zh-Hans"

[[device]]
name = "table"
driver = "atp"
port = "/dev/serial/by-id/usb-one"
baud = 230400

[[device]]
name = "keys"
port = "/dev/serial/by-id/usb-two"

[api]
socket = "/run/t1/api.sock"

[rules]
default = "zungjung"
files = ["house.toml"]

[state]
dir = "state"
"""


@pytest.fixture
def no_system_file(tmp_path: Path, mocker: Any) -> None:
    mocker.patch("tablectl.daemon.config.SYSTEM_FILE", tmp_path / "none.toml")


pytestmark = pytest.mark.usefixtures("no_system_file")


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "tablectl.toml"
    file.write_text(WHOLE, encoding="utf-8")
    settings = load_settings(Overrides(config=file), {})
    assert (settings.table_name, settings.language, settings.rules) == ("東風 🀄", "zh-Hans", "zungjung")
    assert settings.devices == (
        Device("table", "atp", "/dev/serial/by-id/usb-one", 230400),
        Device("keys", "atp", "/dev/serial/by-id/usb-two", 115200),
    )
    assert settings.socket == Path("/run/t1/api.sock")
    assert settings.rules_files == (tmp_path / "house.toml",)
    assert (settings.state_dir, settings.journal) == (
        tmp_path / "state",
        tmp_path / "state" / "journal.jsonl",
    )


def test_no_file_is_needed() -> None:
    settings = load_settings(Overrides(), {"HOME": "/home/club"})
    assert (settings.source, settings.rules, settings.language) == (None, "mcr", "both")
    assert settings.devices == (Device(),)


MISTAKES = {
    "unknown section": ("[tabel]\nname = 'x'", 1, "there is no key tabel", "table"),
    "unknown key": ("[table]\nname = 'x'\nlangauge = 'en'", 3, "there is no key table.langauge", "language"),
    "unknown key of a device": (
        "\n[[device]]\nport = 'a'\n\n[[device]]\nprot = 'b'",
        6,
        "device[1].prot",
        "port",
    ),
    "a device that is no list": ("[device]\nport = 'x'", 1, "must be", ""),
    "unknown language": ("[table]\nlanguage = 'zh-hans'", 2, "cannot be", "zh-Hans"),
    "unknown driver": ("[[device]]\ndriver = 'apt'", 2, "cannot be", "atp"),
    "a baud rate nobody has": ("[[device]]\n# fast\nbaud = 115201", 3, "cannot be 115201", "115200"),
    "text for a number": ("[[device]]\nbaud = '115200'", 2, "must be", ""),
    "a number for text": ("[table]\nname = 7", 2, "must be", ""),
    "an empty name": ("[table]\nname = ''", 2, "1 characters at least", ""),
    "a name of blanks": ("[table]\nname = '  '", 2, "table.name is blank", ""),
    "a name no screen has room for": (
        f"[table]\nname = '{'x' * 41}'",
        2,
        "40 characters at most",
        "",
    ),
    "a path no system can take": ("[state]\ndir = 'a'\n[api]\nsocket = \"\\u0000\"", 4, "api.socket", ""),
    "no TOML": ("[table]\nname = x", 2, "this is no value", ""),
    "the same name twice": ("[[device]]\nport = 'a'\n[[device]]\nport = 'b'", 3, "device of line 1", ""),
    "the same port twice": (
        "[[device]]\nname = 'a'\nport = 'p'\n[[device]]\nname = 'b'\nport = 'p'",
        6,
        "“p”: it belongs to the device of line 1 already",
        "",
    ),
}


@pytest.mark.parametrize(("text", "line", "words", "nearest"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_has_its_line_reason_and_nearest_word(
    text: str, line: int, words: str, nearest: str
) -> None:
    with pytest.raises(TomlError) as caught:
        parse_config(text, "tablectl.toml")
    assert caught.value.line == line
    assert words in str(caught.value)
    assert caught.value.nearest == nearest
    assert f"tablectl.toml, line {line}, column " in str(caught.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigMissing, match=r"there is no configuration file .*/none\.toml"):
        load_settings(Overrides(config=tmp_path / "none.toml"), {})


def test_a_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigIsFolder, match="is a folder"):
        read_config(tmp_path)


def test_an_unreadable_file_says_who_lacks_the_right(tmp_path: Path, mocker: Any) -> None:
    mocker.patch.object(Path, "read_bytes", side_effect=PermissionError(13, "Permission denied"))
    with pytest.raises(ConfigUnreadable, match=r"cannot be read: Permission denied\. Give the user"):
        read_config(tmp_path / "tablectl.toml")


def test_a_file_of_another_encoding_is_said_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "tablectl.toml"
    file.write_bytes("[table]\n\nname = '東風'".encode("gb18030"))
    with pytest.raises(ConfigNotText, match="line 3: this is not UTF-8"):
        read_config(file)


def test_a_byte_order_mark_and_crlf_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "tablectl.toml"
    file.write_bytes(b"\xef\xbb\xbf[table]\r\nname = 'A'\r\n")
    assert read_config(file).table.name == "A"


PLACES = {
    "home": ({"HOME": "/h"}, {}, "/h/.local/state/tablectl", "/h/.local/state/tablectl/api.sock"),
    "XDG": (
        {"HOME": "/h", "XDG_STATE_HOME": "/x", "XDG_RUNTIME_DIR": "/r"},
        {},
        "/x/tablectl",
        "/r/tablectl/api.sock",
    ),
    "a relative XDG directory is ignored": (
        {"HOME": "/h", "XDG_STATE_HOME": "x", "XDG_RUNTIME_DIR": "r"},
        {},
        "/h/.local/state/tablectl",
        "/h/.local/state/tablectl/api.sock",
    ),
    "a service": (
        {"STATE_DIRECTORY": "/var/lib/tablectl:/var/lib/two", "RUNTIME_DIRECTORY": "/run/tablectl"},
        {},
        "/var/lib/tablectl",
        "/run/tablectl/api.sock",
    ),
    "the command line": (
        {"HOME": "/h", "STATE_DIRECTORY": "/var/lib/tablectl"},
        {"state_dir": Path("/s"), "socket": Path("/k")},
        "/s",
        "/k",
    ),
    "a state directory of its own has its own socket": (
        {"HOME": "/h", "XDG_RUNTIME_DIR": "/r"},
        {"state_dir": Path("/s")},
        "/s",
        "/s/api.sock",
    ),
}


@pytest.mark.report("B112")
@pytest.mark.parametrize(("environ", "overrides", "state", "socket"), PLACES.values(), ids=PLACES)
def test_where_things_are(
    environ: dict[str, str], overrides: dict[str, Path], state: str, socket: str
) -> None:
    settings = load_settings(Overrides(**overrides), environ)  # type: ignore[arg-type]
    assert (str(settings.state_dir), str(settings.socket)) == (state, socket)


def test_the_first_file_found_is_read(tmp_path: Path) -> None:
    for folder in ("service", "user/tablectl"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "tablectl.toml").write_text(f"[table]\nname = '{folder}'")
    environ = {"HOME": "/h", "XDG_CONFIG_HOME": str(tmp_path / "user")}
    assert load_settings(Overrides(), environ).table_name == "user/tablectl"
    environ["CONFIGURATION_DIRECTORY"] = str(tmp_path / "service")
    assert load_settings(Overrides(), environ).table_name == "service"


def test_without_a_home_the_state_directory_must_be_said() -> None:
    with pytest.raises(NoStateDir, match="--state-dir"):
        load_settings(Overrides(), {})
    assert load_settings(Overrides(state_dir=Path("/s")), {}).state_dir == Path("/s")


def test_a_port_on_the_command_line_goes_to_the_only_device(tmp_path: Path) -> None:
    environ = {"HOME": "/h"}
    assert load_settings(Overrides(port="/dev/t"), environ).devices == (Device(port="/dev/t"),)
    file = tmp_path / "tablectl.toml"
    file.write_text(WHOLE, encoding="utf-8")
    with pytest.raises(PortAmbiguous, match="table, keys"):
        load_settings(Overrides(config=file, port="/dev/t"), environ)


def test_a_socket_path_the_system_cannot_hold_is_said() -> None:
    with pytest.raises(SocketPathTooLong, match="at most 107"):
        load_settings(Overrides(state_dir=Path("/s"), socket=Path("/" + "東" * 40)), dict(os.environ))
