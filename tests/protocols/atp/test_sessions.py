"""How a connection begins, lives and ends: hello, clock, heartbeat, silence, reboot, odd peers."""

from __future__ import annotations

import pytest

from protocols.atp import messages as m
from protocols.atp.codec import Message
from protocols.atp.dictionary import LIMITS, TIMING
from protocols.atp.endpoint import Endpoint
from protocols.atp.host import HostSession
from protocols.driver import (
    ClockSample,
    Counters,
    Gone,
    Hello,
    OperateFailed,
    Rejected,
    Status,
)
from protocols.vocabulary import EventKind, Operation, Stage
from tests.protocols.rig import HELLO, JOURNAL, Rig, directly, types

# ---- hello ---------------------------------------------------------------------------------------------


def test_the_board_is_known_whole_before_anything_else() -> None:
    rig = Rig()
    rig.operate(256)
    rig.run(0.5)
    assert rig.reports[0] == HELLO
    assert rig.stages(256) == [Stage.ACCEPTED]
    sent = types(rig, "host")
    assert sent[0] == m.HelloAsk.TYPE
    assert sent.index(m.Operate.TYPE) > sent.index(m.AbilitiesAsk.TYPE)


def test_a_board_says_nothing_before_the_first_hello() -> None:
    rig = Rig()
    rig.cut = True
    rig.run(2.0)
    assert rig.sent["board"] == []


def test_a_board_that_falls_silent_while_saying_who_it_is_leaves_only_that() -> None:
    rig = Rig()
    rig.board.event(EventKind.BOOT, board_us=0)
    rig.run(0.005)
    rig.cut = True
    rig.run(2.0)
    assert [type(report) for report in rig.reports] == [Gone]


def test_nobody_there_is_silence() -> None:
    rig = Rig()
    rig.cut = True
    rig.run(TIMING.hello - 0.1)
    assert rig.gone == ""
    rig.run(0.2)
    assert rig.gone == "silent"
    assert rig.host.due() is None
    assert rig.host.outgoing(rig.now) == b""


@pytest.mark.parametrize(
    ("hello", "key"),
    [
        pytest.param({"version_min": 2, "version_max": 3}, "version", id="no version in common"),
        pytest.param({"dictionary": 5}, "dictionary", id="another dictionary"),
    ],
)
def test_a_board_of_another_kind_is_rejected(hello: dict[str, int], key: str) -> None:
    host = HostSession(0.0, journal_id=JOURNAL)
    host.outgoing(0.0)
    board = Endpoint("board", Counters())
    board.send(m.Hello(**({"token": 1, "version_min": 1, "version_max": 1, "boot": 5} | hello)))
    host.receive(board.drain(), 0.1)
    rejected, gone = host.take_reports()
    assert isinstance(rejected, Rejected)
    assert rejected.key == key
    assert isinstance(gone, Gone)
    assert gone.key == "version"


def test_a_newer_board_that_still_speaks_our_version_is_welcome() -> None:
    host = HostSession(0.0, journal_id=JOURNAL)
    host.outgoing(0.0)
    board = Endpoint("board", Counters())
    board.send(m.Hello(token=1, version_min=1, version_max=2, dictionary=99, boot=5))
    host.receive(board.drain(), 0.1)
    assert host.take_reports() == []
    assert not host.gone


def test_a_host_of_another_version_gets_an_answer_and_no_service() -> None:
    rig = Rig()
    stranger = Endpoint("host", Counters())
    stranger.send(m.HelloAsk(token=4, version_min=7, version_max=9, journal=JOURNAL))
    stranger.send(m.Operate(256, Operation.HOME))
    rig.board.receive(stranger.drain(), rig.now)
    answers = stranger.feed(rig.board.outgoing(rig.now))
    assert [type(answer) for answer in answers] == [m.Hello, m.Error]
    assert rig.app.executed == []


# ---- state and clock -----------------------------------------------------------------------------------


def test_status_is_whole() -> None:
    rig = Rig().greet()
    rig.host.ask_status()
    rig.host.ask_status()
    rig.run(0.1)
    (status,) = rig.of(Status)
    assert status == rig.app.status()


def test_a_clock_sample_brackets_the_boards_reading() -> None:
    rig = Rig().greet()
    token = rig.host.ask_clock()
    rig.run(0.1)
    (sample,) = rig.of(ClockSample)
    assert sample.token == token
    assert sample.sent < sample.board_us / 1e6 < sample.received


def test_a_clock_asked_twice_is_bracketed_from_the_first_asking_on() -> None:
    rig = Rig().greet()
    rig.cut = True
    asked = rig.now
    rig.host.ask_clock()
    rig.run(0.1)
    rig.cut = False
    rig.run(0.3)
    (sample,) = rig.of(ClockSample)
    assert sample.sent == asked


# ---- life ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("runs", "beat"), [(False, TIMING.beat_idle), (True, TIMING.beat_moving)])
def test_a_heartbeat_goes_only_into_silence(runs: bool, beat: float) -> None:
    rig = Rig().greet()
    rig.app.runs = runs
    rig.run(2.0)
    before = len(types(rig, "board"))
    rig.run(20.0)
    assert len(types(rig, "board")) - before == pytest.approx(20 / beat, rel=0.1)
    before = types(rig, "board").count(m.Beat.TYPE)
    for _ in range(50):
        rig.host.ask_clock()
        rig.run(0.1)
    assert types(rig, "board").count(m.Beat.TYPE) - before == 0


@pytest.mark.report("B001")
def test_silence_ends_the_connection_and_the_motion() -> None:
    rig = Rig().greet()
    rig.cut = True
    rig.run(TIMING.silence + 0.1)
    assert rig.gone == "silent"
    assert rig.app.silences == 1
    rig.run(10.0)
    assert rig.app.silences == 1
    assert len(rig.of(Gone)) == 1


@pytest.mark.report("B025")
def test_a_short_break_is_no_silence_and_loses_nothing() -> None:
    rig = Rig().greet()
    rig.app.runs = True
    rig.operate(256, Operation.BUILD)
    rig.run(0.1)
    rig.cut = True
    rig.board.done(256, 144)
    rig.run(0.2)
    rig.cut = False
    rig.run(1.0)
    assert rig.gone == ""
    assert rig.stages(256) == [Stage.ACCEPTED, Stage.DONE]


def test_a_board_whose_host_comes_back_goes_on() -> None:
    rig = Rig().greet()
    rig.cut = True
    rig.run(1.6)
    rig.cut = False
    rig.host = HostSession(rig.now, journal_id=JOURNAL)
    rig.reports.clear()
    rig.greet()
    rig.run(5.0)
    assert rig.gone == ""
    assert rig.app.silences == 1


@pytest.mark.parametrize(
    ("word", "answers"),
    [
        pytest.param(m.HelloAsk(9, 1, 1, JOURNAL), [m.Hello, m.Event], id="hello"),
        pytest.param(m.Beat(), [m.Event], id="any good frame"),
    ],
)
def test_a_board_that_fell_quiet_says_each_event_once_when_it_hears_again(
    word: Message, answers: list[type[Message]]
) -> None:
    rig = Rig().greet()
    rig.cut = True
    rig.run(TIMING.silence + 0.2)
    rig.board.outgoing(rig.now)
    rig.board.event(EventKind.STOPPED, board_us=0)
    assert rig.board.outgoing(rig.now) == b""
    assert [type(answer) for answer in directly(rig, word)] == answers


@pytest.mark.report("B007")
@pytest.mark.parametrize("beats", [False, True], ids=["errors only", "errors and heartbeats"])
def test_a_peer_that_answers_only_errors_is_given_up(beats: bool) -> None:
    host = HostSession(0.0, journal_id=JOURNAL)
    board = Endpoint("board", Counters())
    now, answered = 0.0, 0
    while not host.gone:
        for asked in board.feed(host.outgoing(now)):
            answered += 1
            board.send(m.Error(m.ErrorCode.UNKNOWN_TYPE, asked.TYPE))
            if beats:
                board.send(m.Beat())
        host.receive(board.drain(), now)
        now += 0.01
        host.tick(now)
    assert answered == LIMITS.error_tries
    assert now < 4.0
    rejected, gone = host.take_reports()
    assert isinstance(rejected, Rejected)
    assert isinstance(gone, Gone)
    assert (rejected.key, gone.key) == ("errors", "errors")
    assert host.counters.peer_errors == LIMITS.error_tries


def test_two_ends_never_complain_in_a_circle() -> None:
    rig = Rig()
    assert directly(rig, m.Error(1, 2)) == []


# ---- reboot --------------------------------------------------------------------------------------------


def test_a_reboot_on_an_open_line_is_a_new_hello() -> None:
    rig = Rig().greet()
    rig.reboot()
    rig.run(2.0)
    assert [hello.boot_id for hello in rig.of(Hello)] == [77, 78]
    assert rig.gone == ""


def test_an_order_a_lost_boot_may_have_begun_never_reaches_the_new_one() -> None:
    rig = Rig().greet()
    rig.cut = True
    rig.operate(256, Operation.RAISE)
    rig.run(0.05)
    rig.reboot()
    rig.cut = False
    rig.run(2.0)
    assert rig.app.executed == []
    assert [failed.id for failed in rig.of(OperateFailed)] == [256]
    failed, hello = rig.of(OperateFailed)[0], rig.of(Hello)[1]
    assert rig.reports.index(failed) < rig.reports.index(hello)


def test_a_running_order_of_a_lost_boot_is_not_asked_after_any_more() -> None:
    rig = Rig().greet()
    rig.operate(256, Operation.RAISE)
    rig.run(0.1)
    rig.reboot()
    rig.run(5.0)
    assert rig.stages(256) == [Stage.ACCEPTED]
    assert rig.app.executed[1:] == []


def test_an_own_echo_is_taken_for_nothing() -> None:
    rig = Rig().greet()
    rig.operate(256)
    echo = rig.host.outgoing(rig.now)
    rig.host.receive(echo, rig.now)
    assert rig.host.take_reports() == []
    assert rig.host.counters.unknown > 0
