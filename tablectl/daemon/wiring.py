"""Reads the wiring file of a panel tap; a mistake is told with its line."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from protocols.panel.wiring import FAULTS, Wiring, mistakes
from tablectl.daemon.errors import WiringNotText, WiringUnreadable
from tablectl.tomlfile import Document, convert, error_at


def read_wiring(path: Path) -> Wiring:
    """The file, checked. Raises ``TomlError`` or a ``ConfigError``."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WiringUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise WiringNotText(path=str(path)) from error
    return parse_wiring(text, str(path))


def parse_wiring(text: str, source: str) -> Wiring:
    """The text of a file, checked. Raises ``TomlError``."""
    document = Document(text, source)
    wiring = convert(document.data, Wiring, (document,))
    for place, key, facts in mistakes(wiring):
        given = str(facts.get("given", ""))
        near = get_close_matches(given, FAULTS, n=1) if given else []
        raise error_at((document,), place, key, nearest="".join(near), **facts)
    return wiring


def write_wiring(wiring: Wiring) -> str:
    """The file for a wiring: only what is not as it is by default."""
    lines: list[str] = []
    default = Wiring(keys=wiring.keys, lamps=wiring.lamps)
    for section in ("board", "table", "keys", "lamps", "touch"):
        part, usual = getattr(wiring, section), getattr(default, section)
        given = {name: getattr(part, name) for name in part.__struct_fields__}
        if section not in ("keys", "lamps"):
            given = {name: value for name, value in given.items() if value != getattr(usual, name)}
        given = {name: value for name, value in given.items() if value is not None}
        if given:
            lines += [f"[{section}]", *(f"{name} = {_toml(value)}" for name, value in given.items()), ""]
    for lamp in wiring.fault:
        lines += ["[[fault]]", f"input = {lamp.input}", f"means = {_toml(lamp.means)}"]
        lines += [f"side = {lamp.side}"] if lamp.side is not None else []
        lines.append("")
    return "\n".join(lines)


def _toml(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return str(value)
