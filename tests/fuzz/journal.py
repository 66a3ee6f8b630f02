"""Journals with anything in them: damaged bytes, and well-sealed records of anything."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import msgspec

from tablectl.daemon.errors import DaemonError, RecordUnfit
from tablectl.daemon.record import Chain, journal_body, read_lines, verify
from tablectl.daemon.recovery import recover_bytes
from tablectl.daemon.restore import restore
from tablectl.rules.book import RuleBook, load_book

ID = "5e" * 16
SEALED = b"\x01"  # first byte: what follows are bodies, one JSON object a line, to be sealed


@cache
def book() -> RuleBook:
    """The packed rules."""
    return load_book()


def one(data: bytes) -> None:
    """Recovery gives a journal that verifies, a prefix of the file, or says what is wrong."""
    if data[:1] == SEALED:
        data = _sealed(data[1:])
    verdict = verify(read_lines(io.BytesIO(data)))
    try:
        recovered = recover_bytes(data)
    except DaemonError as error:
        assert str(error)
        assert not verdict.ok
        return
    kept = data[: recovered.size]
    again = verify(kept.splitlines(keepends=True))
    assert again.ok
    assert again.head == recovered.head
    assert recovered.torn == (len(kept) < len(data))
    try:
        restore(recovered, book())
    except DaemonError as error:  # an input this code does not know, or that breaks it
        assert str(error)


def _sealed(text: bytes) -> bytes:
    chain = Chain()
    lines = [chain.seal(journal_body(ID, "0.1.0", {}))]
    for line in text.splitlines()[:20]:
        try:
            body: Any = msgspec.json.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
        if not isinstance(body, dict):
            continue
        try:
            lines.append(chain.seal(body))
        except RecordUnfit:
            continue
    return b"".join(lines)


EVENT = b'{"at":2,"unc":1,"in":{"kind":"event","device":"t","event":"boot","number":1,"boot":7,"board_us":5}}'
COMMAND = b'{"at":3,"unc":0,"in":{"kind":"command","id":"a","actor":"kim","role":"referee","name":"pause"}}'
START = (
    b'{"at":4,"unc":0,"in":{"kind":"command","id":"b","actor":"kim","role":"referee","name":"session start",'
    b'"args":{"rules":"mcr","east":"p0"}}}'
)
LINK = (
    b'{"at":5,"unc":0,"in":{"kind":"link","device":"t","state":"online","boot":7,"capabilities":["dice"],'
    b'"profiles":[144],"limits":{"raise":1000000}}}'
)


def seeds() -> list[bytes]:
    """A good journal, one with a torn end, and bodies of several kinds to be sealed."""
    whole = _sealed(b"\n".join((EVENT, COMMAND, START, LINK)))
    bodies = SEALED + b"\n".join((LINK, START, COMMAND, EVENT))
    return [whole, whole[:-20], bodies, SEALED + EVENT, SEALED + LINK + b"\n" + START, b""]
