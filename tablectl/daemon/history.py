"""Reading a journal for people: its rows, and whether it is whole.

Nothing hidden leaves before a hand ends: the tiles of a hand that no result record has closed are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tablectl.daemon import recovery
from tablectl.daemon.errors import DaemonError
from tablectl.daemon.record import MAX_LINE, Record, Verdict, read_line, read_lines
from tablectl.daemon.record import verify as verify_lines

MASK = "??"

# The field that says most about an input of each kind.
_MAIN_WORD = {
    "event": "event",
    "reply": "stage",
    "silent": "id",
    "events_lost": "first",
    "link": "state",
    "status": "top",
    "command": "name",
    "deadline": "name",
    "restart": "version",
    "raised": "error",
}
_TILE_FIELD = re.compile(r"(?:.*_)?tiles?|secret")  # the secret of a draw is hidden like a tile
_SUITED = re.compile(r"(?:[1-9][mps]|f[1-8])+")  # cannot be mistaken for anything else in a record
_TILE = re.compile(r"[1-9][mps]|f[1-8]|[ESWNCFP]")  # alone, E is a seat as well; a list of these is tiles


class Row(NamedTuple):
    """One record: its number, table time as h:mm:ss.mmm, kind, most telling word, and the rest."""

    n: int
    time: str
    kind: str
    key: str
    fields: dict[str, Any]


def show(lines: Iterable[bytes], *, open: bool = False) -> Iterator[Row]:
    """The rows of a journal; an unreadable line is a row of kind ``damaged`` with its line number.

    One without an end is ``torn``: cut off, or still being written. Nothing is shown behind one that is
    longer than any record, for it may have no end.
    Rows of a hand come once its result is read, or masked at the end; ``open`` masks nothing.
    """
    in_play: list[Row] = []
    for number, line in enumerate(lines, 1):
        record = read_line(line)
        row = (record and _row(record)) or Row(number, "", _unreadable(line), "", {})
        if open:
            yield row
        else:
            in_play.append(row)
            if row.kind == "result":
                yield from in_play
                in_play.clear()
        if len(line) >= MAX_LINE and not line.endswith(b"\n"):
            break
    for row in in_play:
        yield row._replace(key=_masked(row.key), fields=_masked(row.fields))


def verify(path: Path, notes: list[DaemonError] | None = None) -> Verdict:
    """Check the journal at ``path`` against itself, and its end against ``FILE.head`` where there is one.

    A ``FILE.head`` that cannot be read is told among the ``notes``.
    """
    with path.open("rb") as stream:
        return verify_lines(read_lines(stream), recovery.read_head(path, notes))


def table_time(us: int) -> str:
    """Table time as h:mm:ss.mmm."""
    seconds, rest_us = divmod(us, 1_000_000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest_us // 1000:03}"


def _unreadable(line: bytes) -> str:
    return "damaged" if line.endswith(b"\n") or len(line) >= MAX_LINE else "torn"


def _row(record: Record) -> Row | None:
    """The row of a record; None where its input is no object."""
    time = table_time(record.at)
    if record.journal is not None:
        fields = msgspec.to_builtins(record.journal)
        return Row(record.n, time, "journal", fields.pop("id"), fields)
    if record.result is not None:
        return Row(record.n, time, "result", str(record.result.get("result", "")), record.result)
    try:
        fields = msgspec.json.decode(record.input, type=dict[str, Any])
    except msgspec.MsgspecError:
        return None
    kind = str(fields.pop("kind", ""))
    key = str(fields.pop(_MAIN_WORD.get(kind, ""), ""))
    if record.out is not None:
        fields["out"] = record.out
    if record.raised is not None:
        fields["raised"] = record.raised
    return Row(record.n, time, kind, key, fields)


def _masked(value: Any, hide: bool = False) -> Any:
    """The value with every tile in it covered; ``hide`` covers all text."""
    if isinstance(value, dict):
        return {key: _masked(below, hide or bool(_TILE_FIELD.fullmatch(key))) for key, below in value.items()}
    if isinstance(value, list):
        tiles = hide or (len(value) > 1 and all(isinstance(v, str) and _TILE.fullmatch(v) for v in value))
        return [_masked(below, tiles) for below in value]
    if isinstance(value, str) and (hide or _SUITED.fullmatch(value)):
        return MASK
    return value
