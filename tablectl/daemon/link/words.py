"""Why a link is not online, in words: each word from its own evidence.

The driver says *how* a connection ended; `judge` says *why*, from what the last seconds knew.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from protocols.errors import TransportError
from tablectl.daemon.link.evidence import Evidence


class Word(StrEnum):
    """The closed set of reasons; each is a text key of the consoles (`link.<word>`)."""

    NONE = ""
    CABLE_PULLED = "cable_pulled"  # the open port vanished
    BOARD_SILENT = "board_silent"  # no good frame, on a line that was clean
    LINE_NOISE = "line_noise"  # no good frame, or errors only, on a dirty line
    UNDER_VOLTAGE = "under_voltage"  # the board reported a power dip just before
    BOARD_REBOOTED = "board_rebooted"  # the boot id is a new one
    HOST_STALLED = "host_stalled"  # our own event loop stood still
    WRONG_BOARD = "wrong_board"  # hello names another serial number
    SWAPPED = "swapped"  # a person put another table in its place
    VERSION = "version"  # no protocol version in common
    ERRORS = "errors"  # the peer answers with errors only
    MISSING = "missing"  # no such port
    BUSY = "busy"  # another process holds the port
    FORBIDDEN = "forbidden"  # no permission for the port
    CLOSED = "closed"  # the other end closed the connection
    NO_HANDSHAKE = "no_handshake"  # the port opens, the greeting never completes
    UNUSABLE = "unusable"  # what is there is no serial port
    AMBIGUOUS = "ambiguous"  # several boards answer to the port's name
    NO_DRIVER = "no_driver"  # the driver, of another package, cannot be used or failed
    FAILED = "failed"  # the port could not be opened for another reason
    NEEDS_A_PERSON = "needs_a_person"  # opens every time, never greets


FINAL = frozenset({Word.WRONG_BOARD, Word.VERSION})  # no use trying again with this board

_PLAIN_OPENING = (Word.MISSING, Word.BUSY, Word.FORBIDDEN, Word.UNUSABLE, Word.AMBIGUOUS)
_OPENING = {f"port.{word}": word for word in _PLAIN_OPENING} | {
    "port.unreachable": Word.MISSING,
    "port.forbidden_usb": Word.FORBIDDEN,
    "port.unusable_usb": Word.UNUSABLE,
}
_PLAIN = {"version": Word.VERSION, "closed": Word.CLOSED, "driver": Word.NO_DRIVER}


def judge(key: str, detail: str, evidence: Evidence, now: float) -> tuple[Word, dict[str, Any]]:
    """The word for a connection that is gone, and its numbers. ``key`` is that of the driver's `Gone`."""
    facts: dict[str, Any] = {"detail": detail} if detail else {}
    if key in _PLAIN:
        return _PLAIN[key], facts
    stalled = evidence.stalled(now)
    if key == "silent" and stalled:
        return Word.HOST_STALLED, facts | {"stalled_ms": round(stalled * 1000)}
    dip = evidence.dip(now)
    if dip is not None:
        return Word.UNDER_VOLTAGE, facts | ({"millivolts": dip} if dip else {})
    if key == "port":
        return Word.CABLE_PULLED, facts
    if noise := evidence.noise(now):
        return Word.LINE_NOISE, facts | noise
    return (Word.ERRORS if key == "errors" else Word.BOARD_SILENT), facts


def opening_word(key: str) -> Word:
    """The word for a port that could not be opened; ``key`` is that of the `TransportError`."""
    return Word.NO_DRIVER if key.startswith("driver.") else _OPENING.get(key, Word.FAILED)


def opening_detail(error: TransportError) -> dict[str, Any]:
    """The numbers of a port that could not be opened. ``sentence`` is the key of a text that fits better than
    the one of its word."""
    detail: dict[str, Any] = dict(error.fields)
    if error.key != f"port.{opening_word(error.key)}":
        detail["sentence"] = error.key
    return detail
