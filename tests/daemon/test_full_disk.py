"""The disk is full: what is not recorded has not happened, on no screen and no sheet; stop still works."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from sim.timebase import pause, run_virtual
from tablectl.daemon.core import Core
from tablectl.daemon.journal import MemoryJournal
from tablectl.daemon.timebase import TableClock
from tablectl.game.inputs import Command
from tablectl.rules.book import load_book

BOOK = load_book()
FULL = OSError(28, "No space left on device")


class Daemon:
    """A core whose disk can be full, and the answers it gave."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.journal = MemoryJournal(
            loop, Random(1), on_failure=lambda failure: self.core.journal_failed(failure)
        )
        self.core = Core(self.journal, TableClock(loop.time), BOOK)
        self.answers: dict[str, dict] = {}

    def ask(self, name: str, role: str = "referee", **args: object) -> str:
        id_ = f"c{len(self.answers)}-{name}"
        command = Command(id_, "kim", role, name, args)
        self.answers[id_] = {}
        self.core.submit(command, lambda out, n, at: self.answers.__setitem__(id_, {**out, "record": n}))
        return id_

    async def told(self, id_: str) -> dict:
        await pause(1)
        return self.answers[id_]


@pytest.fixture
def play():
    def run(story):
        async def tell():
            await story(Daemon())

        return run_virtual(tell())

    return run


def names(core: Core) -> list[str]:
    return [hold["name"] for hold in core.view(False)["holds"]]


def test_what_was_refused_for_want_of_a_record_is_on_no_screen_and_no_sheet(play):
    async def story(d: Daemon) -> None:
        await d.told(d.ask("session start", rules="mcr"))
        await d.told(d.ask("penalty add", seat="W", article="early_draw"))
        kept = d.core.view(False)["cases"]
        vouched = d.core.sheet(0, 0)["record"]
        lost = d.ask("penalty add", seat="W", article="early_draw")
        assert len(d.core.view(False)["cases"]) == 2
        assert d.core.sheet(0, 0)["record"] == vouched, "a sheet vouches only for what is on the disk"
        d.journal.fail(FULL)
        answer = await d.told(lost)
        assert (answer["outcome"], answer["key"]) == ("refused", "refused.journal_failed")
        assert d.core.view(False)["cases"] == kept
        assert d.core.sheet(0, 0)["record"] == vouched
        assert names(d.core) == ["journal"]
        assert (await d.told(d.ask("penalty add", seat="W", article="early_draw")))["outcome"] == "refused"
        assert d.core.view(False)["cases"] == kept

    play(story)


def test_a_hand_that_closed_unrecorded_is_open_again(play):
    async def story(d: Daemon) -> None:
        await d.told(d.ask("session start", rules="mcr"))
        await d.told(d.ask("session machine", state="off"))
        await d.told(d.ask("hand start"))
        before = d.core.view(False)["hand"]["phase"]
        d.ask("hand cancel")
        assert d.core.view(False)["hand"]["phase"] == "void"
        d.journal.fail(FULL)
        await pause(1)
        assert d.core.view(False)["hand"]["phase"] == before

    play(story)


@pytest.mark.parametrize("when", ["before", "while it is asked"])
def test_stop_is_answered_as_what_it_was(play, when):
    async def story(d: Daemon) -> None:
        if when == "before":
            d.journal.fail(FULL)
        stop = d.ask("machine stop", "anyone")
        if when != "before":
            d.journal.fail(FULL)
        answer = await d.told(stop)
        assert (answer["outcome"], answer["key"]) == ("accepted", "answer.stopped_unrecorded")
        assert sorted(names(d.core)) == ["journal", "stopped"]

    play(story)
