"""Losing and finding a board: replug, reboot, the wrong one, waits that grow and are capped."""

from __future__ import annotations

import itertools
import os

import pytest

from protocols.driver import EventsLost as Hole
from protocols.errors import PortMissing
from protocols.vocabulary import EventKind, Fault
from tablectl.daemon.link import backoff
from tablectl.daemon.link.backoff import CAP, LOOK, ROUNDS, BackOff
from tablectl.daemon.link.words import Word
from tablectl.game.inputs import BoardEvent, BoardStatus


@pytest.mark.report("B001")
def test_pulled_cable_is_told_once_and_found_again(room) -> None:
    link = room.watch_path()
    room.online()
    room.unplug()
    assert room.states() == [("lost", "cable_pulled"), ("backoff", "missing")]
    room.run(3600.0)
    assert len(room.told) == 2, "an hour without a cable adds nothing to the journal"
    assert room.tries() == 0, "a missing path is looked at, not opened"
    room.port_there = True
    room.run(LOOK + 0.1)
    assert link.state == "online"
    assert room.states()[2:] == [("reconcile", ""), ("online", "")]


@pytest.mark.report("B001")
def test_port_lost_while_an_answer_is_awaited(room) -> None:
    link = room.online()
    answers: list[int] = []
    link.ask_clock(lambda at, last, unc: answers.append(at))
    room.board.gone("port")
    room.run(2.0)
    assert answers == [], "the question died with the link; who asked asks again"
    assert link.state == "online"


@pytest.mark.report("B012")
def test_port_is_a_name_looked_up_at_each_open(room, tmp_path) -> None:
    """The adapter comes back as ttyUSB1; the configured by-id name leads to it."""
    name, first, second = tmp_path / "by-id", tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
    first.touch()
    name.symlink_to(first)
    opened: list[str] = []

    def make_driver():
        opened.append(os.path.realpath(name))
        return room.driver()

    link = room.make(driver_factory=make_driver, path_exists=name.exists)
    room.online()
    first.rename(second)  # the name dangles
    room.board.gone("port")
    room.run(5.0)
    assert link.state == "backoff"
    name.unlink()
    name.symlink_to(second)
    room.run(1.0)
    assert link.state == "online"
    assert opened == [str(first), str(second)]


@pytest.mark.report("B014")
def test_watchdog_reset_comes_back_by_itself(room) -> None:
    link = room.online()
    room.board.senses(EventKind.FAULT_SET, value=Fault.WATCHDOG_RESET)
    room.board.reboots()
    room.board.gone("silent")
    since = room.clock.now_us()
    assert link.quality()["since"] == since
    room.run(2 * LOOK)
    assert link.state == "online"
    assert room.states() == [
        ("lost", "board_silent"),
        ("backoff", "board_silent"),
        ("reconcile", "board_rebooted"),
        ("online", "board_rebooted"),
    ]


def test_boot_event_of_another_boot_is_a_reboot(room) -> None:
    link = room.online()
    room.board.reboots()
    room.board.senses(EventKind.BOOT, value=room.board.boot_count)
    assert room.states()[0] == ("lost", "board_rebooted")
    room.board.on_hello = [room.board.event(EventKind.BOOT, value=room.board.boot_count)]
    room.run(1.0)
    assert link.state == "online"
    (told,) = [told for told in room.told if isinstance(told, BoardEvent)]
    assert (told.event, told.boot) == ("boot", 8)


def test_boot_event_of_the_boot_that_said_hello_is_an_event(room) -> None:
    room.online()
    room.board.senses(EventKind.BOOT, value=room.board.boot_count)
    assert room.states() == []
    assert [told.event for told in room.told] == ["boot"]


@pytest.mark.parametrize("what", ["hello", "status"])
def test_any_report_of_another_boot_is_a_reboot(room, what: str) -> None:
    room.online()
    room.board.reboots()
    room.board.says(room.board.hello() if what == "hello" else room.board.status())
    assert room.states()[0] == ("lost", "board_rebooted")


def test_reboot_starts_the_clock_anew(room) -> None:
    """The new boot's clock begins at 0; its events still get the time they happened."""
    link = room.online()
    room.board.reboots()
    room.board.gone("silent")
    room.run(1.0)
    assert link.state == "online"
    room.forget()
    room.board.senses(EventKind.CENTRE_OPENED)
    at, unc = room.times[0]
    assert abs(at - room.clock.now_us()) <= unc


@pytest.mark.parametrize("leap", [3600.0, -90.0], ids=["ahead", "back"])
def test_an_event_after_a_leap_of_the_boards_clock_happened_about_now(room, leap: float) -> None:
    link = room.online()
    room.run(20.0)
    room.board.booted_at -= leap
    room.board.senses(EventKind.CENTRE_OPENED)
    at, unc = room.times[-1]
    assert abs(at - room.clock.now_us()) <= unc <= 6_000_000  # at most since the clock was asked last
    room.run(2.0)
    room.board.senses(EventKind.CENTRE_CLOSED)
    at, unc = room.times[-1]
    assert abs(at - room.clock.now_us()) <= unc <= 10_000  # known again
    assert link.state == "online"


def test_same_boot_keeps_its_events_in_order(room) -> None:
    room.online()
    room.board.senses(EventKind.CENTRE_OPENED)
    room.board.gone("port")
    missed = room.board.event(EventKind.CENTRE_CLOSED)
    room.board.on_hello = [missed]
    room.run(1.0)
    assert room.states()[2:] == [("reconcile", ""), ("online", "")]
    assert [told.number for told in room.told if isinstance(told, BoardEvent)] == [1, 2]


def test_wrong_board_is_refused_until_it_is_exchanged(room) -> None:
    link = room.watch_path()
    room.online()
    room.board.serial = "CN4-0666"
    room.unplug()
    room.port_there = True
    room.run(60.0)
    assert room.states()[-1] == ("refused", "wrong_board")
    refusal = room.changes("refused")[0]
    assert refusal.detail == {"expected": "CN4-0001", "found": "CN4-0666"}
    assert refusal.serial == "CN4-0666"
    assert room.tries() == 1, "a wrong board is not opened again and again"
    assert "status" not in {what for what, *_ in room.board.done}
    room.port_there = False
    room.run(1.0)
    assert room.states()[-1] == ("backoff", "missing")
    room.board.serial = "CN4-0001"
    room.port_there = True
    room.run(1.0)
    assert link.state == "online"


def test_configured_serial_is_expected_from_the_start(room) -> None:
    room.make(expected_serial="CN4-0002").start()
    room.run(1.0)
    assert room.states() == [("refused", "wrong_board")]
    room.board.serial = "CN4-0002"
    assert room.link.retry()
    room.run(1.0)
    assert room.link.state == "online"


def test_changed_firmware_is_online_but_told(room) -> None:
    room.online()
    room.board.firmware_hash = "bb" * 32
    room.board.gone("port")
    room.run(1.0)
    (online,) = room.changes("online")
    assert online.detail["firmware_changed"] == {"from": "aa" * 32, "to": "bb" * 32}
    room.board.gone("port")
    room.run(1.0)
    assert room.changes("online")[1].detail == {}


@pytest.mark.report("B017")
@pytest.mark.parametrize("step", ["hello", "clock", "status"])
def test_handshake_that_never_completes_ends_at_a_person(room, step: str) -> None:
    room.board.mute_at = step
    link = room.make()
    link.start()
    room.run(600.0)
    assert link.state in ("backoff", "opening", "hello", "verify", "reconcile")
    assert room.states() == [("backoff", "no_handshake"), ("backoff", "needs_a_person")]
    told = room.changes("backoff")[1].detail
    assert told == {"cause": "no_handshake", "rounds": ROUNDS}
    room.board.mute_at = ""
    room.run(20.0)
    assert link.state == "online", "it goes on trying, slowly"


@pytest.mark.report("B017")
def test_waits_grow_are_capped_and_a_person_may_cut_them_short(room) -> None:
    room.board.mute_at = "hello"
    link = room.make()
    opened: list[float] = []

    def fail() -> None:
        opened.append(room.loop.time())
        room.board.gone("silent")

    link.start()
    for _ in range(ROUNDS + 3):
        while link.state != "hello":
            room.run(0.01)
        fail()
    waits = [round(b - a, 1) for a, b in itertools.pairwise(opened)]
    assert waits[:5] == pytest.approx([0.25, 0.5, 1.0, 2.0, 4.0], abs=0.06)
    assert waits[5:] == pytest.approx([CAP] * len(waits[5:]), abs=0.06)
    assert room.states() == [("backoff", "board_silent"), ("backoff", "needs_a_person")]
    room.board.mute_at = ""
    assert link.retry()
    room.run(0.1)
    assert link.state == "online"
    assert not link.retry(), "nothing to retry"


@pytest.mark.report("B017")
def test_board_that_leaves_the_bus_at_every_hello_is_not_reset_for_ever(room) -> None:
    room.board.mute_at = "hello"
    link = room.watch_path()
    link.start()
    for _ in range(10 * ROUNDS):
        room.run(0.2)
        if link.state == "hello":
            room.unplug()
            room.run(0.3)
            room.port_there = True
    assert room.states()[-1] == ("backoff", "needs_a_person")
    tries = room.tries()
    room.run(0.9 * CAP)
    assert room.tries() <= tries + 1


@pytest.mark.report("B023")
def test_event_withheld_by_a_sleeping_port_is_fetched_by_a_new_hello(room) -> None:
    """It answers what it is asked and says nothing unasked."""
    link = room.online()
    asleep = room.board.event(EventKind.CENTRE_OPENED)
    room.board.on_hello = [asleep]
    room.run(9.0)
    assert room.states()[0] == ("lost", "board_silent")
    assert room.changes("lost")[0].detail == {"withheld": [1, 1]}
    assert link.state == "online"
    assert [told.event for told in room.told if isinstance(told, BoardEvent)] == ["centre_opened"]
    assert any(isinstance(told, BoardStatus) for told in room.told)


@pytest.mark.report("B023")
def test_event_on_its_way_is_not_withheld(room) -> None:
    link = room.online()
    late = room.board.event(EventKind.CENTRE_OPENED)
    room.run(6.0)
    room.board.says(late)
    room.run(60.0)
    assert link.state == "online"
    assert room.states() == []


@pytest.mark.report("B025")
def test_short_drop_is_a_loss_and_the_state_is_read_again(room) -> None:
    """200 ms off the bus during a motion: the node is back before anybody looks."""
    link = room.watch_path()
    room.online()
    room.board.gone("port")
    room.run(0.2)
    room.run(0.2)
    assert link.state == "online"
    assert room.states() == [
        ("lost", "cable_pulled"),
        ("backoff", "cable_pulled"),
        ("reconcile", ""),
        ("online", ""),
    ]
    assert any(isinstance(told, BoardStatus) for told in room.told)
    for _ in range(9):
        room.board.gone("port")
        room.run(0.4)
        assert link.state == "online", "a bad cable is not punished with longer waits"
    assert link.quality()["losses_hour"] == 10


@pytest.mark.report("B027")
def test_absent_board_is_no_table_all_the_time_and_connected_when_it_appears(room) -> None:
    room.board.port_error = PortMissing("/dev/table")
    link = room.make()
    link.start()
    room.run(600.0)
    assert room.states() == [("backoff", "missing")]
    assert link.quality()["word"] == "missing"
    room.board.port_error = None
    room.run(LOOK + 0.1)
    assert link.state == "online"


def test_port_that_vanishes_while_waiting_is_opened_as_soon_as_it_is_back(room) -> None:
    room.board.mute_at = "hello"
    link = room.watch_path()
    link.start()
    for _ in range(5):
        while link.state != "hello":
            room.run(0.01)
        room.board.gone("silent")
    room.board.mute_at = ""
    room.port_there = False
    room.run(LOOK)
    room.port_there = True
    room.run(LOOK + 0.1)
    assert link.state == "online", "a wait of 4 s was running"


def test_flapping_board_is_tried_less_often(room) -> None:
    link = room.online()
    gaps = []
    for _ in range(5):
        room.board.gone("silent")
        start = room.loop.time()
        while link.state != "online":
            room.run(0.01)
        gaps.append(room.loop.time() - start)
    assert gaps == sorted(gaps)
    assert gaps[-1] > 3
    room.run(backoff.STABLE)
    room.board.gone("silent")
    room.run(LOOK + 0.1)
    assert link.state == "online", "steady again, tried at once again"


def test_port_that_hangs_in_opening_is_given_up(room) -> None:
    room.board.hangs = True
    link = room.make()
    link.start()
    room.run(60.0)
    assert room.states() == [("backoff", "no_handshake")]
    room.board.hangs = False
    room.run(30.0)
    assert link.state == "online"


def test_hole_in_the_events_moves_on(room) -> None:
    link = room.online()
    room.board.last_event = 9
    room.board.says(Hole(1, 9))
    room.run(30.0)
    assert link.state == "online", "what is lost is not waited for"


def test_late_report_of_a_closed_driver_is_dropped(room) -> None:
    room.online()
    old = room.board.live
    room.board.gone("port")
    sink = room.link._hear
    room.run(1.0)
    room.forget()
    sink(old, room.board.event(EventKind.CENTRE_OPENED))
    assert room.told == []


@pytest.mark.parametrize(
    ("source", "word", "online", "wait"),
    [
        ("opening", Word.MISSING, 0, LOOK),
        ("opening", Word.BUSY, 0, LOOK),
        ("lost", Word.CABLE_PULLED, 0, LOOK),
        ("refused", Word.MISSING, 0, LOOK),
    ],
)
def test_first_wait(source: str, word: Word, online: float, wait: float) -> None:
    assert BackOff().wait(source, word, online) == wait
