"""From *closed* to *online*: who is confirmed, what is told, in which order and with which times."""

from __future__ import annotations

import pytest

from protocols import driver
from protocols.vocabulary import EventKind, Operation, Order, Stage
from tablectl.game.effects import Operate, Query
from tablectl.game.inputs import (
    BoardEvent,
    BoardStatus,
    EventsLost,
    LinkChange,
    OperationReply,
    OperationSilent,
)


def test_tells_identity_then_snapshot_then_online(room) -> None:
    room.make().start()
    room.run(1.0)
    assert [type(told) for told in room.told] == [LinkChange, BoardStatus, LinkChange]
    assert room.states() == [("reconcile", ""), ("online", "")]
    change = room.told[0]
    assert (change.serial, change.boot, change.profiles) == ("CN4-0001", 7, (136, 144))
    assert change.capabilities == ("dice", "seat_keys", "simulated")
    assert change.limits["build"] == 30_000_000
    assert room.told[1].store == "ready"


def test_is_online_well_within_a_second(room) -> None:
    room.make().start()
    room.run(0.1)
    assert room.link.state == "online"


def test_orders_no_motion_by_itself(room) -> None:
    room.online()
    room.board.gone("silent")
    room.run(10.0)
    assert room.link.state == "online"
    assert {what for what, *_ in room.board.done} <= {"open", "close", "status"}


def test_board_that_answers_before_the_port_call_returns(room) -> None:
    room.board.hello_at_once = True
    room.make().start()
    room.run(1.0)
    assert room.link.state == "online"


def test_events_wait_for_identity_and_clock(room) -> None:
    """An event kept by the board through a break is told after *reconcile*, at the time it happened."""
    stamp = 40_000_000  # 60 s before the link was made: the board booted 100 s before
    event = room.board.event(EventKind.SEAT_KEY, side=2, value=1, board_us=stamp)
    room.board.on_hello = [event]
    room.make().start()
    room.run(1.0)
    assert [type(told) for told in room.told] == [LinkChange, BoardEvent, BoardStatus, LinkChange]
    told, (at, unc) = room.told[1], room.times[1]
    assert (told.event, told.side, told.value, told.boot) == ("seat_key", 2, 1, 7)
    assert abs(at - -60_000_000) <= unc < 50_000


def test_table_time_runs_at_the_scale_of_hello_before_anything_is_told(room) -> None:
    room.board.time_scale = 10
    room.board.on_hello = [room.board.event(EventKind.CENTRE_OPENED)]
    room.make().start()
    room.run(0.5)
    assert room.clock.scale == 10
    sensed = round((room.told[1].board_us / 1e6 + room.board.booted_at) * 1e7)
    at, unc = room.times[1]
    assert abs(at - sensed) <= unc
    assert unc >= 10 * 1_000, "half a round trip, in table time"


def test_event_is_told_once(room) -> None:
    room.online()
    event = room.board.event(EventKind.CENTRE_OPENED)
    room.board.says(event)
    room.board.says(event)
    assert [told.number for told in room.told] == [1]
    assert room.link.last_event(7) == 1
    assert room.link.last_event(8) == 0


def test_reports_become_inputs(room) -> None:
    room.online()
    room.board.says(driver.Reply(259, Stage.ACCEPTED))
    room.board.says(driver.EventsLost(1, 4))
    room.board.says(driver.OperateFailed(260, 5))
    assert room.told == [
        OperationReply(device="table", id=259, stage="accepted"),
        EventsLost(device="table", boot=7, first=1, last=4),
        OperationSilent(device="table", id=260, attempts=5),
    ]
    assert room.link.last_event(7) == 4


def test_orders_and_queries_reach_the_driver(room) -> None:
    link = room.online()
    link.operate(Operate("table", 768, "raise", hand=3, side=1))
    link.query(Query("table", 512))
    room.run(0.1)
    assert room.board.done == [("operate", Order(768, Operation.RAISE, hand=3, side=1)), ("query", 512)]
    assert room.told == [OperationReply(device="table", id=512, stage="unknown", queried=True)]


def test_order_without_a_link_never_leaves_then_or_later(room) -> None:
    link = room.make()
    link.operate(Operate("table", 768, "build"))
    room.run(0.1)
    link.start()
    room.run(1.0)
    assert [what for what, *_ in room.board.done if what == "operate"] == []


def test_stop_leaves_at_once_or_first_thing_after_hello(room) -> None:
    link = room.online()
    assert link.stop()
    assert room.board.done == [("stop",)]
    room.board.gone("port")
    assert not link.stop()
    room.run(1.0)
    assert [what for what, *_ in room.board.done] == ["stop", "close", "open", "stop", "status"]
    room.board.gone("port")
    room.run(1.0)
    assert room.board.done.count(("stop",)) == 2, "a stop that was heard is not repeated at the next hello"


def test_recorded_events_are_acknowledged_also_those_recorded_while_away(room) -> None:
    link = room.online()
    room.board.senses(EventKind.CENTRE_OPENED)
    room.board.senses(EventKind.CENTRE_CLOSED)
    link.durable(7, 1)
    assert room.board.done == [("ack", 1, 7)]
    room.board.gone("port")
    link.durable(7, 2)
    room.run(1.0)
    assert ("open", 2, 7) in room.board.done
    assert ("ack", 2, 7) in room.board.done


def test_recorded_events_of_the_journal_are_known_before_the_start(room) -> None:
    link = room.make()
    link.durable(7, 41)
    room.board.last_event = 41
    room.board.on_hello = [driver.BoardEvent(41, 1, EventKind.CENTRE_OPENED)]
    link.start()
    room.run(1.0)
    assert ("open", 41, 7) in room.board.done
    assert room.states() == [("reconcile", ""), ("online", "")]
    assert [told for told in room.told if isinstance(told, BoardEvent)] == [], "41 is recorded already"


def test_boot_after_the_journals_last_one_is_a_reboot(room) -> None:
    link = room.make()
    link.durable(6, 41)
    link.start()
    room.run(1.0)
    assert room.states() == [("reconcile", "board_rebooted"), ("online", "board_rebooted")]
    assert link.last_event(7) == 0


def test_clock_is_asked_five_times_at_connect_then_every_five_seconds(room) -> None:
    link = room.online()
    assert room.board.live is not None
    asked = room.board.live._token
    assert asked == 5
    room.run(20.0)
    assert room.board.live._token == asked + 4
    assert link.quality()["clock"]["ready"]


def test_ask_clock_answers_with_board_time_as_table_time(room) -> None:
    link = room.online()
    answers: list[tuple[int, int, int]] = []
    room.board.last_event = 0
    asked = room.clock.now_us()
    assert link.ask_clock(lambda *answer: answers.append(answer))
    room.run(0.1)
    ((at, last_event, unc),) = answers
    assert asked - unc <= at <= asked + 2_000 + unc
    assert last_event == 0
    assert unc >= 1_000


def test_ask_clock_asks_again_until_answered(room) -> None:
    link = room.online()
    answers: list[int] = []
    room.board.mute_at = "clock"
    link.ask_clock(lambda at, last, unc: answers.append(at))
    room.run(1.0)
    assert answers == []
    room.board.mute_at = ""
    room.run(1.5)
    assert len(answers) == 1


def test_ask_clock_without_a_link(room) -> None:
    assert not room.make().ask_clock(lambda *_: pytest.fail("nobody can know"))


def test_close_while_the_port_hangs(room) -> None:
    room.board.hangs = True
    room.make().start()
    room.run(0.1)
    room.loop.run_until_complete(room.link.close())
    assert room.link.state == "closed"
    assert room.told == []


def test_quality_has_the_numbers_of_the_line(room) -> None:
    link = room.online()
    room.board.live.counters.crc_errors = 4
    room.board.gone("port")
    room.run(1.0)
    quality = link.quality()
    assert quality["state"] == "online"
    assert quality["crc_errors"] == 4, "summed over connections"
    assert quality["losses_hour"] == 1
    assert quality["last_loss"] == {"word": "cable_pulled", "seconds_ago": 1}
    assert quality["connections"] == 2
    assert quality["round_trip_us"] == {"min": 2000, "p50": 2000, "p90": 2000, "p99": 2000}
    room.run(3700.0)
    assert link.quality()["losses_hour"] == 0
