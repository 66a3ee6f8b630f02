"""Writes SPEC.md (and messages.py) from the dictionary, the vocabulary and the prose of the template.

python -m protocols.atp.spec            write both
python -m protocols.atp.spec --check    exit 1 when one of them is stale
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from protocols import vocabulary
from protocols.atp import messages as m
from protocols.atp.declare import messages_module
from protocols.atp.dictionary import DICTIONARY, Row
from protocols.atp.frame import Frame, unstuff
from protocols.atp.requirements import MARK, TEMPLATE

HERE = Path(__file__).parent
SPEC = HERE / "SPEC.md"
MESSAGES = HERE / "messages.py"
_MEMBER = re.compile(r"    ([A-Z_]+) = ([\w <]+?)(?:  # (.*))?$")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def enum_members(name: str) -> list[tuple[int, str, str]]:
    """Number, name and comment of each member of an enum of the vocabulary, read from its source."""
    source = Path(vocabulary.__file__).read_text(encoding="utf-8")
    body = source.split(f"class {name}(", 1)[1].split("\nclass ", 1)[0]
    kind = getattr(vocabulary, name)
    found = [match.groups(default="") for line in body.splitlines() if (match := _MEMBER.match(line))]
    return [(int(kind[member]), member, about) for member, _, about in found]


def enum_table(name: str) -> str:
    """The table of one enum, under its own heading."""
    kind = getattr(vocabulary, name)
    members = sorted(enum_members(name))
    about = (kind.__doc__ or "").strip().splitlines()[0]
    rows = [(_number(name, value), member, text) for value, member, text in members]
    return f"**{name}**: {about}\n\n" + table(["number", "name", "meaning"], rows)


def _number(enum: str, value: int) -> str:
    if enum == "Fault":
        return f"0x{value:02X}"
    return f"bit {value.bit_length() - 1}" if enum == "Capability" else str(value)


def message_section(row: Row) -> str:
    """One message: heading, sentence, fields with their places."""
    sender = {"host": "host → board", "board": "board → host", "both": "both ways"}[row.direction]
    lines = [f"### 0x{row.number:02X} {row.name} ({sender}, since {row.since})", "", row.about, ""]
    place, rows = 0, []
    for field in row.fields:
        about = field.about + (f" ({field.enum})" if field.enum else "")
        rows.append([place, f"`{field.name}`", field.type, field.unit, field.range, about])
        place += field_size(field.type)
    if rows:
        lines += [table(["at", "field", "type", "unit", "range", "meaning"], rows), ""]
    lines.append(f"{place} bytes.")
    return "\n".join(lines)


def field_size(field_type: str) -> int:
    """Bytes of a field."""
    return {"u8": 1, "u16": 2, "u32": 4, "u64": 8}.get(field_type) or int(re.findall(r"\d+$", field_type)[0])


def example() -> str:
    """One frame, byte for byte, with its checksum and its stuffing."""
    message = m.Operate(id=0x1A00, operation=vocabulary.Operation.DICE, side=2, hand=0, count=2)
    frame = Frame(DICTIONARY.version, 5, message.TYPE, message.to_bytes())
    wire = frame.to_bytes()
    inside = bytes((frame.version, frame.counter, frame.type)) + frame.body
    crc = unstuff(wire[1:-1])[-DICTIONARY.frame.crc_bytes :]
    rows = [
        ("header", inside[:3].hex(" "), "version 1, frame counter 5, type 0x10 OPERATE"),
        ("body", frame.body.hex(" "), "id 0x1A00, operation 6 DICE, side 2, hand 0, count 2"),
        ("checksum", crc.hex(" "), f"CRC-32 of the bytes above, 0x{int.from_bytes(crc, 'little'):08X}"),
        ("on the wire", wire.hex(" "), "stuffed, a zero on each side"),
    ]
    ask = m.HelloAsk(token=1, version_min=1, version_max=1, journal=bytes(range(16)))
    greeting = Frame(DICTIONARY.version, 0, ask.TYPE, ask.to_bytes()).to_bytes()
    return (
        "Side 2 is to throw two dice:\n\n"
        + table(["", "bytes (hex)", ""], [(name, f"`{data}`", text) for name, data, text in rows])
        + "\n\nA `HELLO_ASK` with token 1, versions 1 to 1, journal 00 01 … 0f and frame counter 0:\n\n"
        + f"```\n{greeting.hex(' ')}\n```"
    )


def tiles() -> str:
    """Codes of tiles, a row of nine each."""
    names = list(enumerate(vocabulary.TILE_NAMES))[1:]
    rows = [names[at : at + 9] for at in range(0, len(names), 9)]
    return table(
        ["codes", "tiles"], [(f"{row[0][0]}-{row[-1][0]}", " ".join(name for _, name in row)) for row in rows]
    )


def operations() -> str:
    """How long the host waits for each operation."""
    rows = [(op.name, limit.accept, limit.done) for op, limit in DICTIONARY.operations.items()]
    return table(["operation", "accept s", "done s (table time)"], rows)


def errors() -> str:
    """The codes of ERROR."""
    rows = [(row.number, row.name, row.about) for row in DICTIONARY.errors]
    return "**ErrorCode**: Why a message could not be served.\n\n" + table(
        ["number", "name", "meaning"], rows
    )


def timing() -> str:
    """All numbers of section 5 in one table."""
    rows = [
        (name, f"{value:g}")
        for name, value in (asdict(DICTIONARY.timing) | asdict(DICTIONARY.limits)).items()
    ]
    return table(["constant", "value (s, or a count)"], rows)


def render() -> str:
    """The text of SPEC.md. A placeholder nobody knows is a ``KeyError``."""
    blocks: dict[str, Callable[[], str]] = {
        "version": lambda: str(DICTIONARY.version),
        "hash": lambda: f"0x{DICTIONARY.hash(DICTIONARY.version):08X}",
        "example": example,
        "tiles": tiles,
        "operations": operations,
        "errors": errors,
        "timing": timing,
        "messages": lambda: "\n\n".join(
            message_section(row) for row in sorted(DICTIONARY.messages, key=lambda row: row.number)
        ),
    }

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name in blocks:
            return blocks[name]()
        if MARK.fullmatch(match[0]):
            return f"[{name}]"
        if name.startswith("enum:"):
            return enum_table(name.removeprefix("enum:"))
        group, _, key = name.partition(".")
        return f"{asdict(getattr(DICTIONARY, group))[key]:g}"

    return re.sub(r"\{\{([\w:.-]+)\}\}", fill, TEMPLATE.read_text(encoding="utf-8"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, or check, the generated files."""
    parser = argparse.ArgumentParser(prog="python -m protocols.atp.spec", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is stale")
    options = parser.parse_args(arguments)
    stale = []
    for path, text in ((MESSAGES, messages_module(DICTIONARY)), (SPEC, render())):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not options.check:
                path.write_text(text, encoding="utf-8")
    if stale:
        verdict = "stale, run `python -m protocols.atp.spec`" if options.check else "written"
        print(f"{', '.join(stale)}: {verdict}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
