"""Orders: every stage, an id never twice, lost replies, stop."""

from __future__ import annotations

import pytest

from protocols.atp import messages as m
from protocols.atp.dictionary import DICTIONARY, LIMITS, TIMING
from protocols.atp.host import HostSession
from protocols.driver import (
    OperateFailed,
    Reply,
)
from protocols.vocabulary import Fault, Operation, Refusal, Stage
from tests.protocols.rig import JOURNAL, Rig, directly

# ---- orders --------------------------------------------------------------------------------------------


def test_an_order_goes_through_its_stages() -> None:
    rig = Rig().greet()
    rig.operate(256, Operation.DICE, side=3, count=2)
    rig.run(0.1)
    (order,) = rig.app.executed
    assert (order.id, order.operation, order.side, order.count) == (256, Operation.DICE, 3, 2)
    rig.board.progress(256, 40)
    rig.run(0.1)
    rig.board.done(256, 0x43)
    rig.run(0.1)
    replies = rig.of(Reply)
    assert [reply.stage for reply in replies] == [Stage.ACCEPTED, Stage.PROGRESS, Stage.DONE]
    assert replies[1].percent == 40
    assert replies[2].value == 0x43
    assert {reply.operation for reply in replies} == {Operation.DICE}


def test_a_failure_names_fault_and_side() -> None:
    rig = Rig().greet()
    rig.operate(256, Operation.BUILD)
    rig.run(0.1)
    rig.board.failed(256, Fault.HEAD_JAM, 1)
    rig.run(0.1)
    last = rig.of(Reply)[-1]
    assert (last.stage, last.fault, last.side) == (Stage.FAILED, Fault.HEAD_JAM, 1)


def test_a_refusal_says_why_and_is_kept() -> None:
    rig = Rig().greet()
    rig.app.refuse = Refusal.NOT_READY
    rig.operate(256)
    rig.run(0.1)
    rig.app.refuse = Refusal.NONE
    rig.operate(256)
    rig.run(0.1)
    assert [reply.refusal for reply in rig.of(Reply)] == [Refusal.NOT_READY] * 2
    assert rig.app.executed == []


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        pytest.param(m.Operate(256, 99, 255), Refusal.UNSUPPORTED, id="an operation nobody knows"),
        pytest.param(m.Operate(256, Operation.DICE, 4), Refusal.BAD_ARGUMENT, id="no such side"),
    ],
)
def test_a_senseless_order_is_refused(message: m.Operate, refusal: Refusal) -> None:
    rig = Rig().greet()
    answers = directly(rig, message)
    assert answers == [m.Refused(message.id, 0, message.operation, refusal)]


@pytest.mark.parametrize("operation", [Operation.HOME, Operation.SET_PROFILE, Operation.BUILD])
def test_an_argument_the_operation_does_not_use_is_not_looked_at(operation: Operation) -> None:
    rig = Rig().greet()
    assert directly(rig, m.Operate(256, operation, 7)) == [m.Accepted(256, 0, operation)]


def test_an_operation_nobody_knows_may_give_side_another_meaning() -> None:
    rig = Rig().greet()
    assert directly(rig, m.Operate(256, 99, 7)) == [m.Refused(256, 0, 99, Refusal.UNSUPPORTED)]


def test_an_order_without_an_id_is_nobodys() -> None:
    rig = Rig().greet()
    assert directly(rig, m.Operate(0, Operation.DICE, 255)) == [m.Unknown(0)]
    assert rig.app.executed == []


def test_a_board_that_is_done_at_once_still_accepts_first() -> None:
    rig = Rig().greet()
    rig.app.begun = lambda order: rig.board.done(order.id)
    rig.operate(256, Operation.LAMPS, count=1)
    rig.run(0.1)
    assert rig.stages(256) == [Stage.ACCEPTED, Stage.DONE]


def test_a_repeated_id_is_answered_with_what_is_stored_and_never_moves_again() -> None:
    rig = Rig().greet()
    order = m.Operate(256, Operation.DICE, 0)
    assert directly(rig, order) == [m.Accepted(256, 0, Operation.DICE)]
    assert directly(rig, order) == [m.Accepted(256, 0, Operation.DICE)]
    rig.board.progress(256, 30)
    rig.board.outgoing(rig.now)
    assert directly(rig, order) == [m.Progress(256, 0, Operation.DICE, 30)]
    rig.board.done(256, 5)
    rig.board.outgoing(rig.now)
    assert directly(rig, order, order) == [m.Done(256, 0, Operation.DICE, 5)] * 2
    assert len(rig.app.executed) == 1


def test_an_id_pushed_out_of_the_memory_is_old_and_never_moves_again() -> None:
    rig = Rig().greet()
    for number in range(1, LIMITS.results_kept + 2):
        directly(rig, m.Operate(number, Operation.LAMPS, 0))
        rig.board.done(number)
    rig.board.outgoing(rig.now)
    assert directly(rig, m.Operate(1, Operation.LAMPS, 0)) == [m.Unknown(1)]
    assert len(rig.app.executed) == LIMITS.results_kept + 1


def test_an_order_under_way_is_never_pushed_out() -> None:
    rig = Rig().greet()
    directly(rig, m.Operate(1, Operation.BUILD, 0))
    for number in range(2, LIMITS.results_kept + 5):
        directly(rig, m.Operate(number, Operation.LAMPS, 0))
        rig.board.done(number)
    rig.board.outgoing(rig.now)
    assert directly(rig, m.Query(1)) == [m.Accepted(1, 1, Operation.BUILD)]


def test_another_journal_makes_the_board_forget() -> None:
    rig = Rig().greet()
    directly(rig, m.Operate(1, Operation.BUILD, 0))
    again = m.HelloAsk(9, 1, 1, JOURNAL)
    assert type(directly(rig, again, m.Query(1))[-1]) is m.Accepted
    assert directly(rig, m.HelloAsk(9, 1, 1, bytes(16)), m.Query(1))[-1] == m.Unknown(1)


def test_what_moves_for_another_journal_never_answers_for_this_one() -> None:
    rig = Rig().greet()
    directly(rig, m.Operate(256, Operation.BUILD, 0), m.HelloAsk(9, 1, 1, bytes(16)))
    dice = m.Operate(256, Operation.DICE, 0)
    assert directly(rig, dice) == [m.Refused(256, 0, Operation.DICE, Refusal.BUSY)]
    rig.board.progress(256, 50)
    rig.board.done(256, 144)
    assert directly(rig, m.Query(256)) == [m.Refused(256, 1, Operation.DICE, Refusal.BUSY)]
    assert [order.operation for order in rig.app.executed] == [Operation.BUILD]


def test_an_id_is_free_again_once_the_other_journals_order_has_ended() -> None:
    rig = Rig().greet()
    directly(rig, m.Operate(256, Operation.BUILD, 0), m.HelloAsk(9, 1, 1, bytes(16)))
    rig.board.done(256, 144)
    dice = m.Operate(256, Operation.DICE, 0)
    assert directly(rig, dice) == [m.Accepted(256, 0, Operation.DICE)]


def test_a_query_says_so_and_moves_nothing() -> None:
    rig = Rig().greet()
    rig.host.query(4096)
    rig.run(0.1)
    (reply,) = rig.of(Reply)
    assert (reply.id, reply.stage, reply.queried) == (4096, Stage.UNKNOWN, True)
    assert rig.app.executed == []


def test_after_a_reconnect_a_queried_order_is_heard_of_again() -> None:
    rig = Rig().greet()
    rig.operate(256, Operation.BUILD)
    rig.run(0.1)
    rig.host = HostSession(rig.now, journal_id=JOURNAL)
    rig.reports.clear()
    rig.greet()
    rig.board.progress(256, 10)
    rig.run(0.1)
    assert rig.stages(256) == []
    assert rig.host.counters.late == 1
    rig.host.query(256)
    rig.run(0.1)
    rig.board.done(256)
    rig.run(0.1)
    assert rig.stages(256) == [Stage.PROGRESS, Stage.DONE]
    assert [reply.queried for reply in rig.of(Reply)] == [True, False]


@pytest.mark.parametrize("lost", ["ACCEPTED", "DONE", "both"])
def test_a_lost_reply_is_asked_after(lost: str) -> None:
    rig = Rig().greet()
    rig.operate(256)
    rig.cut = lost == "both"
    rig.run(0.05)
    if lost == "ACCEPTED":
        assert rig.stages(256) == [Stage.ACCEPTED]
    rig.cut = True
    rig.board.done(256, 7) if rig.app.executed else None
    rig.run(0.05)
    rig.cut = False
    rig.app.begun = lambda order: rig.board.done(order.id, 7)
    rig.run(TIMING.result_query + 0.2)
    assert rig.stages(256) == [Stage.ACCEPTED, Stage.DONE]
    assert len(rig.app.executed) == 1


def test_an_order_never_answered_fails_though_the_board_lives() -> None:
    rig = Rig().greet()
    deaf = m.Operate.TYPE
    handle = rig.board._handle
    rig.board._handle = lambda message, now: None if deaf == message.TYPE else handle(message, now)  # type: ignore[method-assign]
    rig.operate(256, Operation.DICE)
    rig.run(DICTIONARY.operations[Operation.DICE].accept + 0.1)
    (failed,) = rig.of(OperateFailed)
    assert failed.id == 256
    assert failed.attempts > 10
    assert rig.gone == ""


# ---- stop ----------------------------------------------------------------------------------------------


def test_stop_is_repeated_until_the_board_is_at_rest() -> None:
    rig = Rig().greet()
    rig.app.at_rest = False
    rig.host.stop(rig.now)
    rig.run(0.3)
    assert rig.app.stops == pytest.approx(0.3 / TIMING.stop_repeat, abs=1)
    rig.app.at_rest = True
    rig.board.stopped()
    rig.run(0.2)
    stops = rig.app.stops
    rig.run(0.5)
    assert rig.app.stops == stops


def test_stop_needs_no_hello() -> None:
    rig = Rig()
    rig.host.stop(rig.now)
    rig.run(0.01)
    assert rig.app.stops == 1


def test_a_rest_nobody_asked_for_is_not_said_as_an_answer() -> None:
    rig = Rig().greet()
    rig.board.stopped()
    assert directly(rig) == []
    rig.app.at_rest = False
    assert directly(rig, m.Stop()) == []
    rig.board.stopped()
    rig.board.stopped()
    assert directly(rig) == [m.Stopped()]


def test_an_order_not_yet_answered_does_not_move_the_table_after_a_stop() -> None:
    rig = Rig().greet()
    rig.cut = True
    rig.operate(256, Operation.HOME)
    rig.run(0.01)
    rig.host.stop(rig.now)
    rig.cut = False
    rig.run(2.0)
    assert rig.app.stops == 1
    assert rig.app.executed == []
    assert [failed.id for failed in rig.of(OperateFailed)] == [256]


def test_an_order_given_after_a_stop_waits_for_it() -> None:
    rig = Rig().greet()
    rig.app.at_rest = False
    rig.host.stop(rig.now)
    rig.operate(256, Operation.HOME)
    rig.run(0.2)
    assert rig.app.executed == []
    rig.board.stopped()
    rig.run(0.1)
    assert [order.id for order in rig.app.executed] == [256]
