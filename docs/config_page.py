"""docs/config.md: the keys of the daemon's configuration, from the structs that read it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import msgspec
from msgspec import inspect as shapes

from tablectl.daemon import config, sections

EXAMPLE = Path(__file__).with_name("tablectl.toml")
COMMENT = re.compile(r"    (\w+): .*?  # (.*)")

HEAD = """\
# Configuration

{note}
`tablectl run` needs no configuration: `--port` alone will do. A file is for what stays the same. It is TOML,
read once at the start, from the first of these places that has one:

1. `--config FILE`
2. `{file}` in the folder the service manager names (`$CONFIGURATION_DIRECTORY`)
3. `$XDG_CONFIG_HOME/{app}/{file}`, by default `~/.config/{app}/{file}`
4. `{system}`

An unknown key, a wrong type or a value that cannot be is refused with its line, the reason and the nearest
valid key, and `tablectl run` ends with exit code 2. What the command line says wins over the file. Paths are
relative to the file; `~` is the home folder.
"""

PLACES = """\
## Places

| what | where, the first that is given |
|---|---|
| state (record, snapshot, lock) | `--state-dir`, `state.dir`, `$STATE_DIRECTORY`, `$XDG_STATE_HOME/{app}`, `~/.local/state/{app}` |
| socket | `--socket`, `api.socket`, `$RUNTIME_DIRECTORY/{socket}`, `$XDG_RUNTIME_DIR/{app}/{socket}` unless the state has a place of its own, else `{socket}` beside the state |

Commands look for the socket in the same places: give them the `--socket` the daemon prints when it is
*ready*, if you gave the daemon one, or a state folder of its own. The state folder is made private (mode 0700): the
tiles of a hand in play are in there.
"""  # noqa: E501 - rows of a table


def page(note: str) -> str:
    """The whole page."""
    names = {"note": note, "app": config.APP, "file": config.FILE_NAME, "system": config.SYSTEM_FILE}
    parts = [HEAD.format(**names), "## Keys", ""]
    for field in msgspec.structs.fields(sections.Config):
        parts += section(field.name)
    parts += [PLACES.format(app=config.APP, socket=config.SOCKET_NAME), "## An example", ""]
    parts += ["```toml", EXAMPLE.read_text(encoding="utf-8").rstrip(), "```", ""]
    return "\n".join(parts)


def section(name: str) -> list[str]:
    """One section: its sentence and its keys."""
    shape = next(f.type for f in struct(shapes.type_info(sections.Config)).fields if f.name == name)
    title = f"[{name}]"
    if isinstance(shape, shapes.VarTupleType):
        shape, title = shape.item_type, f"[[{name}]]"
    cls = struct(shape).cls
    about = (cls.__doc__ or "").partition(": ")[2].strip()
    lines = [f"### `{title}`", "", about[0].upper() + about[1:].replace("``", "`"), ""]
    lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
    said = comments(cls)
    for field in struct(shape).fields:
        empty = field.default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT
        default = str(msgspec.json.encode(field.default_factory() if empty else field.default), "utf-8")
        lines.append(f"| `{field.name}` | {kind(field.type)} | `{default}` | {said[field.name]} |")
    return [*lines, ""]


def comments(cls: type) -> dict[str, str]:
    """What the source says behind each field."""
    found = map(COMMENT.match, inspect.getsource(cls).splitlines())
    return {match[1]: match[2] for match in found if match}


def struct(shape: object) -> shapes.StructType:
    """The shape, which is that of a struct."""
    assert isinstance(shape, shapes.StructType)
    return shape


def order(value: object) -> tuple[int, str]:
    """Numbers by size, words by letter."""
    return (value, "") if isinstance(value, int) else (0, str(value))


def kind(shape: object) -> str:
    """A type in words."""
    match shape:
        case shapes.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in sorted(values, key=order))
        case shapes.VarTupleType(item_type=item):
            return f"list of {kind(item)}s"
        case shapes.DictType():
            return "table"
        case shapes.StrType(pattern=None, min_length=None):
            return "text"
        case shapes.StrType(pattern=None):
            return "text, not empty"
        case shapes.StrType(max_length=None):
            return "path"
        case shapes.StrType(max_length=longest):
            return f"text, at most {longest} characters"
        case _:
            raise TypeError(f"no words for {shape}")
