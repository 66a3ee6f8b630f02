"""A piece of the wire as plain data (`--json`) and as a line for people, and who may see its tiles."""

from __future__ import annotations

from typing import Any

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.endpoint import VERSION, message_of
from protocols.vocabulary import Capability
from tablectl.daemon.history import table_time
from tablectl.locale.catalog import text

from .decode_file import Heard
from .decode_words import fields_of, in_words, sender, type_name
from .width import clean, pad

ELAPSED_CELLS, TIME_CELLS, SENDER_CELLS, NAME_CELLS = 9, 12, 6, 13


class NotSimulated(Exception):
    """The tiles of a real table were to be shown while it may be playing."""


class Veil:
    """Covers tiles: always, never, or until the board has said that it is a simulated table."""

    def __init__(self, *, wanted_open: bool, live: bool) -> None:
        self.open = wanted_open and not live
        self._asks_the_board = wanted_open and live

    def see(self, message: Message) -> None:
        """A message came by. Raises ``NotSimulated`` when the board says what it is, and that is real."""
        if not self._asks_the_board:
            return
        if isinstance(message, m.Hello):
            self.open = False  # another board may have been plugged in
        elif isinstance(message, m.Abilities):
            self.open = bool(message.capabilities & Capability.SIMULATED)
            if not self.open:
                raise NotSimulated


def entry(heard: Heard, veil: Veil) -> dict[str, Any]:
    """A piece as data: where, when, from whom, what. ``damaged`` says why it is no frame."""
    piece = heard.piece
    found: dict[str, Any] = {"offset": piece.offset}
    if heard.seconds is not None:
        found["seconds"] = round(heard.seconds, 6)
    if heard.sender:
        found["from"] = heard.sender
    if piece.frame is None:
        found |= {"damaged": piece.flaw, "bytes": piece.size}
        return found if piece.would_be is None else found | {"type": type_name(piece.would_be)}
    message = message_of(piece.frame)
    if message is None:
        found |= {"type": type_name(piece.frame.type), "counter": piece.frame.counter}
        return found | {"version": piece.frame.version, "bytes": len(piece.frame.body)}
    veil.see(message)
    found.setdefault("from", sender(message))
    found |= {"type": message.LAYOUT.row.name, "counter": piece.frame.counter}
    return found | {"fields": fields_of(message, open=veil.open)}


def line(found: dict[str, Any], lang: str) -> str:
    """The same for people: time, who speaks, message, fields."""
    columns = []
    if "seconds" in found:
        columns.append(f"{found['seconds']:{ELAPSED_CELLS}.3f}")
    fields = dict(found.get("fields", {}))
    board_us = fields.pop("board_us", None)
    columns.append(pad("" if board_us is None else table_time(board_us), TIME_CELLS, ">"))
    columns.append(pad(text(f"decode.from.{found['from']}", lang) if "from" in found else "", SENDER_CELLS))
    if "damaged" in found:
        columns.append(_damage(found, lang))
    else:
        said = in_words(found["type"], fields) if "fields" in found else _strange(found, lang)
        columns += [pad(found["type"], NAME_CELLS), said]
    return clean(" ".join(columns).rstrip())


def _damage(found: dict[str, Any], lang: str) -> str:
    flaw = text("decode.flaw." + found["damaged"].replace(" ", "_"), lang)
    key = "decode.damaged_message" if "type" in found else "decode.damaged"
    return text(key, lang, flaw=flaw, bytes=found["bytes"], type=found.get("type"))


def _strange(found: dict[str, Any], lang: str) -> str:
    key = "decode.unknown_type" if found["version"] == VERSION else "decode.other_version"
    return text(key, lang, bytes=found["bytes"], version=found["version"])
