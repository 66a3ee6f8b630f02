"""The sections of the configuration file: every key, its type and what it is without a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(min_length=1)]
TableName = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\S")]  # it stands on every screen
PathText = Annotated[str, Meta(pattern=r"^[^\0]*$")]  # what the system can take as a path
Language = Literal["en", "zh-Hans", "both"]
ModemLines = Literal["leave", "raise", "drop"]
DriverName = Text  # atp, lines, panel, or what a driver package offers
Baud = Literal[9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the sections."""


class Table(Section, frozen=True):
    """``[table]``: what people call it, and the language it speaks."""

    name: TableName = "Table 1"  # what people call it, first on every screen
    language: Language = "both"  # of its screens, without `--lang`; both: of whoever sits there


class Device(Section, frozen=True):
    """``[[device]]``: one board. Without any there is one, to be found at ``--port``."""

    name: Text = "table"  # stands in the record and in the names of holds; another for each device
    driver: DriverName = "atp"  # what its board speaks: `atp`, `lines`, `panel`, or a driver package's name
    port: PathText = ""  # path that stays the same (/dev/serial/by-id/…) or address; empty: none yet
    baud: Baud = 115200  # speed of a serial port, here or elsewhere, bits a second
    modem_lines: ModemLines = "leave"  # DTR and RTS of a serial port here; many boards reset on their edge
    wiring: PathText = ""  # which relay is which key of a panel: a file, see [panel.md](panel.md)
    serial: str = ""  # number the board must have; empty: that of the first to answer, until `machine swap`
    options: dict[str, Any] = {}  # what a driver package wants to know; `atp`, `lines` and `panel` have none


class Api(Section, frozen=True):
    """``[api]``: where consoles connect."""

    socket: PathText = ""  # empty: see the places below


class Rules(Section, frozen=True):
    """``[rules]``: the rule system of a new session, and files with others."""

    default: Text = "mcr"  # what `session start` without `--rules` plays
    files: tuple[PathText, ...] = ()  # files with further rule systems


class State(Section, frozen=True):
    """``[state]``: where the journal is kept."""

    dir: PathText = ""  # empty: see the places below


class Config(Section, frozen=True):
    """The file. Paths in it are relative to its own folder; ``~`` is the home folder."""

    table: Table = Table()
    device: tuple[Device, ...] = ()
    api: Api = Api()
    rules: Rules = Rules()
    state: State = State()
