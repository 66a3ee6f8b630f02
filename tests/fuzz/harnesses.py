"""All harnesses by name. Nothing here needs the fuzzer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import (
    api,
    board,
    box,
    capture,
    config,
    frame,
    hand,
    host,
    journal,
    lines,
    messages,
    modbus,
    ruleset,
    snapshot,
    telnet,
    usb,
)

CORPUS = Path(__file__).parent / "corpus"


class Harness(NamedTuple):
    """One decoder. ``wire``: its input comes from a serial line."""

    name: str
    one: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    wire: bool

    def corpus(self) -> list[bytes]:
        """Good inputs, and those an earlier run found worth keeping."""
        kept = sorted((CORPUS / self.name).glob("*"))
        return [*self.seeds(), *(path.read_bytes() for path in kept)]


WIRE = (frame, messages, host, board, modbus, lines, box, telnet)
FILES = (usb, capture, journal, snapshot, config, ruleset, api, hand)
HARNESSES = {
    module.__name__.rpartition(".")[2]: Harness(
        module.__name__.rpartition(".")[2], module.one, module.seeds, module in WIRE
    )
    for module in (*WIRE, *FILES)
}
