"""What a link knows of the board at the other end, from one connection to the next.

Who it is (pinned at the first hello), which boot its events belong to, how far they arrived and how far they
are recorded.
"""

from __future__ import annotations

from typing import Any

from protocols.driver import BoardEvent, Hello, Report, Status
from protocols.vocabulary import Capability, EventKind
from tablectl.daemon.link import translate
from tablectl.daemon.link.words import Word


class Board:
    """The board of one link."""

    def __init__(self, expected_serial: str | None) -> None:
        self.hello: Hello | None = None  # the newest, of the right board or not
        self.boot = 0
        self.received = 0  # newest event told to the core, of this boot
        self.recorded = 0  # newest event durably recorded, of this boot
        self._serial = expected_serial
        self._firmware_hash = ""

    @property
    def time_scale(self) -> int:
        """Table seconds a real second: 1 at a real table, whatever it says; a simulated one may hurry."""
        hello = self.hello
        return hello.time_scale if hello is not None and Capability.SIMULATED in hello.capabilities else 1

    def restore(self, boot: int, recorded: int) -> None:
        """What the journal holds of the newest boot it knows."""
        if boot != self.boot:
            self._begin(boot)
        self.received = self.recorded = max(self.recorded, recorded)

    def stranger(self, hello: Hello) -> dict[str, Any]:
        """Expected and found serial number if this is not our board, else nothing."""
        if self._serial is None or hello.serial == self._serial:
            return {}
        return {"expected": self._serial, "found": hello.serial}

    @staticmethod
    def neighbour(hello: Hello, here: str, port: str, other: str) -> dict[str, Any]:
        """The facts of swapped ports if it is the board of another device of this table, else nothing."""
        facts = {"found": hello.serial, "here": here, "other": other, "port": port}
        return facts | {"sentence": "port.swapped"} if other else {}

    def meet(self, hello: Hello) -> tuple[Word, dict[str, Any]]:
        """Take note of who answered; what is new since the last hello: a word and its numbers."""
        word = Word.NONE
        news: dict[str, Any] = {}
        if self._firmware_hash not in ("", hello.firmware_hash):
            news["firmware_changed"] = {"from": self._firmware_hash, "to": hello.firmware_hash}
        if hello.boot_id != self.boot:
            if self.boot:
                word = Word.BOARD_REBOOTED
                news["boot_count"] = hello.boot_count
            self._begin(hello.boot_id)
        self._serial, self._firmware_hash = hello.serial, hello.firmware_hash
        return word, news

    def forget(self) -> None:
        """Another board takes its place: whoever says hello next is ours."""
        self.hello, self._serial, self._firmware_hash = None, None, ""
        self._begin(0)

    def is_new_boot(self, report: Report) -> bool:
        """Does this report come from another boot than the one that said hello?"""
        match report:
            case Hello(boot_id=boot) | Status(boot_id=boot):
                return boot != self.boot
            case BoardEvent(kind=EventKind.BOOT, value=count):
                return self.hello is not None and count != self.hello.boot_count
            case _:
                return False

    def identity(self) -> dict[str, Any]:
        """The fields of a `LinkChange` that say who the board is."""
        hello = self.hello
        if hello is None:
            return {}
        return {
            "serial": hello.serial,
            "firmware": hello.firmware,
            "firmware_hash": hello.firmware_hash,
            "boot": hello.boot_id,
            "capabilities": translate.capabilities(hello.capabilities),
            "profiles": hello.profiles,
            "time_scale": self.time_scale,
        }

    def record(self, boot: int, number: int) -> bool:
        """Events of ``boot`` up to ``number`` are recorded; True if that is news of this boot."""
        if boot != self.boot or number <= self.recorded:
            return False
        self.recorded = number
        return True

    def _begin(self, boot: int) -> None:
        self.boot, self.received, self.recorded = boot, 0, 0
