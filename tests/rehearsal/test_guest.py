"""What comes back out of a guest, and what is made of it: the record of a hand, the results of the suite."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest

from protocols.conformance.evidence import Evidence, Result, Verdict
from sim.guest.kernel import GuestError
from tablectl.game import step as game
from tablectl.rehearsal.guest import Played, checked
from tablectl.rehearsal.hardware import chained
from tablectl.rehearsal.room import Setting
from tablectl.rehearsal.scenarios.endpoints.ftdi import Ftdi
from tests.rehearsal.rig import Disturbed


@pytest.fixture(scope="module")
def journal() -> bytes:
    """The record of one hand."""
    return Disturbed(Setting(seed=4)).play().journal


def test_a_whole_record_verifies(journal: bytes) -> None:
    assert checked(journal) == (len(journal.splitlines()), True)


def test_a_record_with_one_bit_turned_over_does_not(journal: bytes) -> None:
    middle = len(journal) // 2
    spoilt = journal[:middle] + bytes((journal[middle] ^ 1,)) + journal[middle + 1 :]
    assert not checked(spoilt)[1]


def test_a_record_that_replays_to_something_else_does_not(
    journal: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "digest", lambda state: "another")
    assert not checked(journal)[1]


@pytest.mark.parametrize(
    ("played", "good"),
    [
        pytest.param(Played(0, ("win discard",), 119, True), True, id="a hand, verified"),
        pytest.param(Played(1, ("win discard",), 119, True), False, id="the guest's part failed"),
        pytest.param(Played(0, (), 119, True), False, id="no hand ended"),
        pytest.param(Played(0, ("win discard",), 119, False), False, id="damaged"),
        pytest.param(Played(0, ("win discard",), 0, True), False, id="no record came"),
    ],
)
def test_a_hand_is_good_only_with_its_record(played: Played, good: bool) -> None:
    assert played.good is good


class FakeGuest:
    """Says what it is given to say, and ends."""

    says: Sequence[str] = ()
    code = 0

    def __init__(self, lines: Callable[[str], None]) -> None:
        self.lines = lines

    async def boot(self, *how: object) -> None: ...

    async def wait(self) -> int:
        for line in self.says:
            self.lines(line)
        return self.code

    async def close(self) -> None: ...


@pytest.fixture
def guest(monkeypatch: pytest.MonkeyPatch) -> type[FakeGuest]:
    @asynccontextmanager
    async def around(self: object, guest: object) -> AsyncIterator[Sequence[str]]:
        yield ()

    monkeypatch.setattr(Ftdi, "around", around)
    monkeypatch.setattr(chained, "Guest", FakeGuest)
    return FakeGuest


async def test_results_of_the_suite_come_back_as_they_were(
    guest: type[FakeGuest], capsys: pytest.CaptureFixture[str]
) -> None:
    result = Result("ATP-R40", Verdict.FAILED, Evidence("broke.late", {"ms": 812.5}), 3.25)
    guest.says = ["a word of the kernel", chained.RESULT + msgspec.json.encode(result).decode()]
    assert await chained.in_guest() == [result]
    assert "a word of the kernel" in capsys.readouterr().out


async def test_a_suite_that_broke_off_is_no_result(
    guest: type[FakeGuest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "code", 1)
    with pytest.raises(GuestError, match="code 1"):
        await chained.in_guest()
