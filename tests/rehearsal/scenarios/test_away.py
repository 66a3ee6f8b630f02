"""Columns played in a guest: what comes back over its console, and what is said when nothing does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest

from sim.guest.kernel import GuestError
from tablectl.rehearsal.scenarios import away
from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Away, Trait
from tablectl.rehearsal.scenarios.endpoints.memory import Memory
from tablectl.rehearsal.scenarios.endpoints.pty import Pty
from tablectl.rehearsal.scenarios.rounds import Rounds
from tablectl.rehearsal.scenarios.runner import Cell, Verdict

TWO = [one for one in SCENARIOS if one.name in ("lamps", "key")]


class Elsewhere(Memory):
    """An endpoint that is opened in a guest."""

    name = "elsewhere"
    modules: Sequence[str] = ("vhci_hcd",)

    @asynccontextmanager
    async def around(self, guest: object) -> AsyncIterator[Sequence[str]]:
        yield ["-device", "cable"]


class FakeGuest:
    """Says what it is given to say, and ends."""

    says: Sequence[str] = ()
    code = 0
    booted: Sequence[object] = ()

    def __init__(self, lines: Callable[[str], None]) -> None:
        self.lines = lines

    async def boot(self, *how: object) -> None:
        type(self).booted = how

    async def wait(self) -> int:
        for line in self.says:
            self.lines(line)
        return self.code

    async def close(self) -> None:
        pass


def said(prefix: str, what: object) -> str:
    return prefix + msgspec.json.encode(what).decode()


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> type[FakeGuest]:
    monkeypatch.setattr(away, "Guest", FakeGuest)
    return FakeGuest


def test_an_endpoint_of_this_computer_is_not_played_in_a_guest() -> None:
    assert isinstance(Elsewhere(), Away)
    assert not isinstance(Pty(), Away)


async def test_cells_come_back_as_they_were_played(guest: type[FakeGuest]) -> None:
    there = [Cell(one.name, "elsewhere", Verdict.PASSED, table_s=1.5, notes=("a note",)) for one in TWO]
    went = Rounds("elsewhere", 20, 99)
    guest.says = ["booting", *(said(away.CELL, cell) for cell in there), said(away.ROUNDS, went)]
    cells, rounds = await away.column(Elsewhere(), TWO, 500)
    assert cells == there
    assert rounds == [went]
    words, modules, devices, imports = guest.booted
    assert isinstance(words, list)
    assert words[-6:] == ["--rounds", "20", "--scenario", "key", "--scenario", "lamps"]
    assert (modules, devices, imports) == (("vhci_hcd",), ["-device", "cable"], [away.ME])


async def test_rounds_that_were_asked_for_and_not_told_have_failed(guest: type[FakeGuest]) -> None:
    guest.says = [said(away.CELL, Cell(one.name, "elsewhere", Verdict.PASSED)) for one in TWO]
    guest.says += ["TimeoutError"]
    cells, rounds = await away.column(Elsewhere(), TWO, 5)
    assert [cell.verdict for cell in cells] == [Verdict.PASSED] * 2
    assert [(one.count, "TimeoutError" in one.left[0]) for one in rounds] == [(0, True)]


async def test_what_a_guest_did_not_say_has_failed_with_its_last_words(
    guest: type[FakeGuest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "code", 3)
    first = Cell(TWO[0].name, "elsewhere", Verdict.PASSED)
    guest.says = [said(away.CELL, first), "MemoryError", away.CELL + '{"torn']
    cells, _ = await away.column(Elsewhere(), TWO)
    assert cells[0] == first
    assert cells[1].verdict is Verdict.FAILED
    assert "code 3" in cells[1].why
    assert "MemoryError" in cells[1].why


async def test_a_guest_that_cannot_be_booted_fails_its_column(
    guest: type[FakeGuest], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*how: object) -> None:
        raise GuestError("no kernel")

    monkeypatch.setattr(guest, "boot", refuse)
    cells, _ = await away.column(Elsewhere(), TWO)
    assert [cell.why for cell in cells] == ["no kernel", "no kernel"]


async def test_what_does_not_apply_needs_no_guest(
    guest: type[FakeGuest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Elsewhere, "traits", frozenset({Trait.PEOPLE}))
    guest.booted = ()
    build = [one for one in SCENARIOS if one.name == "build"]
    cells, _ = await away.column(Elsewhere(), build)
    assert [cell.verdict for cell in cells] == [Verdict.NOT_APPLICABLE]
    assert not guest.booted
