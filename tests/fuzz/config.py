"""The daemon's configuration."""

from __future__ import annotations

from pathlib import Path

from tablectl.daemon.config import parse_config
from tablectl.tomlfile import TomlError

EXAMPLE = Path(__file__).parents[2] / "docs" / "tablectl.toml"


def one(data: bytes) -> None:
    """A configuration, or the line of the mistake."""
    text = data.decode("utf-8", "replace")
    try:
        parse_config(text, "here.toml")
    except TomlError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert str(error)


def seeds() -> list[bytes]:
    """The example of the manual, and small ones."""
    return [
        EXAMPLE.read_bytes(),
        b'[[device]]\nname = "a"\nport = "/dev/x"\n[[device]]\nname = "b"\nport = "/dev/y"\n',
        b'[table]\nname = "\xe5\xbc\xb5"\nlanguage = "en"\n',
        b'rules = {default = "mcr", files = ["a.toml", \'b\']}\n# x\n',
    ]
