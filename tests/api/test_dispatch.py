"""The API on bytes: what reaches the core, what comes back, and that no bytes can break it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.api.dispatch import LINES_A_TURN, MAX_UNANSWERED, MAX_WAITING, Dispatcher
from tablectl.api.registry import COMMANDS
from tablectl.api.rpc import MAX_LINE
from tablectl.api.spec import CommandSpec
from tests.api.fakes import AT, FakeCore, Wire

VALUES: dict[str, Any] = {
    "seat": "E",
    "side": 1,
    "tile": "5p",
    "tiles": ["5p"],
    "name": "mcr",
    "text": "because",
    "flag": True,
}


def some_value(spec: CommandSpec) -> dict[str, Any]:
    return {
        arg.name: arg.choices[0]
        if arg.choices
        else max(arg.low, 1)
        if arg.kind == "number"
        else VALUES[arg.kind]
        for arg in spec.args
    }


@pytest.mark.parametrize("spec", [spec for spec in COMMANDS if not spec.query], ids=lambda spec: spec.name)
def test_every_command_reaches_the_core_with_its_arguments(spec: CommandSpec) -> None:
    wire = Wire()
    args = some_value(spec)
    reply = wire.call(
        spec.method,
        {"id": "a-1", "actor": "kim", "role": "chief", "expect": "hand 3", "confirm": True, "args": args},
    )
    command = wire.core.commands[0]
    assert (command.name, command.args) == (spec.name, args)
    assert (command.id, command.actor, command.role, command.expect) == ("a-1", "kim", "chief", "hand 3")
    assert command.refused == ""
    result = reply["result"]
    assert (result["outcome"], result["record"], result["at"]) == ("accepted", 1, AT)
    assert set(result["text"]) == {"en", "zh-Hans"}


def test_the_sheet_is_asked_for_whole_or_for_a_hand() -> None:
    wire = Wire()
    assert wire.call("session.sheet")["result"]["sheet"]["hand"] == 0
    reply = wire.call("session.sheet", {"role": "anyone", "args": {"hand": 3, "stage": 2}})
    assert reply["result"]["sheet"] == {"hand": 3, "stage": 2, "players": []}


def test_a_refusal_says_why_and_what_helps_in_both_languages() -> None:
    wire = Wire()
    wire.core.answers["hand start"] = {
        "outcome": "refused",
        "key": "refused.hand_running",
        "data": {"hand": 3},
    }
    result = wire.call("hand.start", {"id": "1"})["result"]
    assert result["text"] == {"en": "hand 3 is still being played", "zh-Hans": "第 3 盘仍在进行"}
    assert "hand void" in result["help"]["en"]
    assert result["data"] == {"hand": 3}


def test_pending_names_the_second_person() -> None:
    wire = Wire()
    wire.core.answers["hand void"] = {"outcome": "pending", "key": "pending.second_person", "data": {}}
    result = wire.call("hand.void", {"id": "1", "args": {"reason": "collapsed"}})["result"]
    assert result["outcome"] == "pending"
    assert "second person" in result["text"]["en"]


def test_the_same_id_is_passed_through_for_the_core_to_judge() -> None:
    wire = Wire()
    for _ in range(2):
        wire.call("hand.start", {"id": "same", "actor": "kim"})
    assert [(command.id, command.actor) for command in wire.core.commands] == [("same", "kim")] * 2


def test_a_role_too_low_is_recorded_as_refused() -> None:
    wire = Wire()
    result = wire.call("hand.start", {"id": "1", "role": "player"})["result"]
    assert wire.core.commands[0].refused == "refused.role"
    assert result["text"]["en"] == "hand start needs the role referee"


def test_what_cannot_be_taken_back_needs_confirmation() -> None:
    wire = Wire()
    assert wire.call("session.stop", {"id": "1"})["result"]["key"] == "refused.confirm"
    assert wire.call("session.stop", {"id": "2", "confirm": True})["result"]["outcome"] == "accepted"


@pytest.mark.parametrize("role", ["anyone", "player", "chief"])
def test_stop_leaves_before_it_is_recorded_for_any_role(role: str) -> None:
    core = FakeCore()
    core.patient = True
    wire = Wire(core)
    wire.connection.receive(
        json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "machine.stop", "params": {"id": "1", "role": role}}
        ).encode()
        + b"\n"
    )
    assert core.stops == 1
    assert not wire.lines
    core.release()
    assert wire.lines[0]["result"]["outcome"] == "accepted"


def test_defaults_of_a_local_socket() -> None:
    wire = Wire(actor="uid1000", role="player")
    wire.call("deal.done", {"id": "1"})
    assert (wire.core.commands[0].actor, wire.core.commands[0].role) == ("uid1000", "player")


BROKEN: list[tuple[bytes, int]] = [
    (b"{", -32700),
    (b"\xff\xfe", -32700),
    (b'{"a":1}{', -32700),
    (b"NaN", -32700),
    (b"null", -32600),
    (b"3", -32600),
    (b"[]", -32600),
    (b'[{"jsonrpc":"2.0","id":1,"method":"status"}]', -32600),
    (b"{}", -32600),
    (b'{"jsonrpc":"2.0","method":"hand.start"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"status"}', -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"status"}', -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"status"}', -32600),
    (b'{"id":1,"method":"status"}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"nope"}', -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":[1]}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"args":[]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"since":1}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"role":"king"}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"role":["chief"]}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{"id":""}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{"id":7}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{"id":"1","actor":""}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{"id":"1","confirm":1}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"hand.start","params":{"id":"' + b"x" * 81 + b'"}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"discard","params":{"id":"1","args":{"seat":"X"}}}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"discard","params":{"id":"1","args":{"seat":"\\ud800"}}}', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"status","params":' + b'{"a":' * 30 + b"1" + b"}" * 31, -32600),
    (b"[" * 20_000 + b"]" * 20_000, -32600),
]  # fmt: skip


@pytest.mark.report("B131")
@pytest.mark.parametrize(("line", "code"), BROKEN, ids=[line.decode("latin1")[:60] for line, _ in BROKEN])
def test_a_broken_request_gets_a_sentence_and_changes_nothing(line: bytes, code: int) -> None:
    wire = Wire()
    error = wire.raw(line + b"\n")["error"]
    assert error["code"] == code
    assert set(error["data"]["text"]) == {"en", "zh-Hans"}
    assert error["data"]["key"] not in error["message"]
    assert not wire.core.commands
    assert "result" in wire.call("status"), "the connection goes on"


def test_an_unknown_method_names_the_nearest() -> None:
    assert "“hand.start”" in Wire().call("hand start")["error"]["message"]
    assert "“machine.raise”" in Wire().call("machine.rise")["error"]["message"]


def test_the_error_of_a_known_request_carries_its_id() -> None:
    assert Wire().call("nope", id="mine")["id"] == "mine"
    assert Wire().call("status", {"args": {"x": 1}}, id=9)["id"] == 9


@pytest.mark.report("B131")
def test_a_line_of_50_mb_is_cut_off_with_bounded_memory() -> None:
    wire = Wire()
    piece = b"x" * MAX_LINE
    for _ in range(50 * 16):
        wire.connection.receive(piece)
    assert len(wire.lines) == 1
    assert wire.lines[0]["error"]["data"]["key"] == "rpc.too_long"
    assert len(wire.connection._reader._rest) <= MAX_LINE
    wire.connection.receive(b"\n")
    assert "result" in wire.call("status")


def test_requests_come_in_any_pieces() -> None:
    wire = Wire()
    data = b'{"jsonrpc":"2.0","id":1,"method":"status"}\n\n{"jsonrpc":"2.0","id":2,"method":"link.status"}\n'
    for at in range(len(data)):
        wire.connection.receive(data[at : at + 1])
    assert [line["id"] for line in wire.lines] == [1, 2]


def test_too_many_unanswered_commands_are_put_off() -> None:
    core = FakeCore()
    core.patient = True
    wire = Wire(core)
    body = b'{"jsonrpc":"2.0","id":1,"method":"pause","params":{"id":"1"}}\n'
    wire.raw(body * (MAX_UNANSWERED + 1))
    assert [line["error"]["code"] for line in wire.lines] == [-32000]
    core.release()
    assert len(wire.lines) == MAX_UNANSWERED + 1


@given(st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["jsonrpc", "id", "method", "params", "args", "seat", "role"]), inner, max_size=5),
    max_leaves=12,
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_no_bytes_break_it(data: bytes) -> None:
    wire = Wire()
    wire.connection.receive(data + b"\n")
    while wire.turns:
        wire.turn()
    assert all("error" in line or "result" in line for line in wire.lines)
    assert "result" in wire.call("status")


@pytest.mark.report("B129")
def test_only_a_referee_sees_the_tiles_of_a_hand_in_play() -> None:
    wire = Wire()
    assert wire.call("status", {"args": {"open": True}})["result"]["state"]["open"]
    assert not wire.call("status", {"role": "player"})["result"]["state"]["open"]
    denied = wire.call("status", {"role": "player", "args": {"open": True}})["error"]
    assert denied["data"]["key"] == "refused.role"


def test_an_answer_to_a_client_that_left_goes_nowhere() -> None:
    core = FakeCore()
    core.patient = True
    wire = Wire(core)
    wire.connection.receive(b'{"jsonrpc":"2.0","id":1,"method":"pause","params":{"id":"1"}}\n')
    wire.connection.close()
    core.release()
    assert core.commands
    assert not wire.lines


STATUS = b'{"jsonrpc":"2.0","id":1,"method":"status"}\n'
STOP = b'{"jsonrpc":"2.0","id":2,"method":"machine.stop","params":{"id":"s"}}\n'


def test_many_lines_at_once_are_answered_in_turns_and_a_stop_among_them_acts_first() -> None:
    wire = Wire()
    wire.connection.receive(STATUS * 3000 + STOP)
    assert len(wire.lines) == 1
    assert wire.core.stops == 1
    wire.turn()
    assert len(wire.lines) == 1 + LINES_A_TURN
    while wire.turns:
        wire.turn()
    assert len(wire.lines) == 3001
    assert wire.core.stops == 2, "what was commanded before it is stopped too"


def test_connections_take_turns() -> None:
    turns: list[Callable[[], None]] = []
    dispatcher = Dispatcher(FakeCore(), soon=turns.append)
    answers = [0, 0]

    def count(client: int) -> None:
        answers[client] += 1

    for client in (0, 1):
        dispatcher.connect(lambda _, client=client: count(client)).receive(STATUS * 100)  # type: ignore[misc]
    turns.pop(0)()
    assert answers == [1 + LINES_A_TURN // 2] * 2
    assert len(turns) == 1


def test_who_does_not_read_is_not_answered_but_its_stop_acts() -> None:
    wire = Wire()
    wire.connection.pause()
    wire.connection.receive(STATUS)
    wire.connection.receive(STOP)
    assert not wire.lines
    assert wire.core.stops == 1
    wire.connection.resume()
    while wire.turns:
        wire.turn()
    assert [line["id"] for line in wire.lines] == [1, 2]


def test_a_closed_connection_answers_nothing_more() -> None:
    wire = Wire()
    wire.connection.receive(STATUS * 100)
    wire.connection.close()
    while wire.turns:
        wire.turn()
    assert len(wire.lines) == 1


def test_who_sends_more_than_may_wait_is_dropped_with_one_error() -> None:
    wire = Wire()
    for _ in range(MAX_WAITING // (1000 * len(STATUS)) + 1):
        wire.connection.receive(STATUS * 1000)
    assert wire.hung_up
    assert wire.lines[-1]["error"]["data"]["key"] == "rpc.too_much"
    assert not wire.connection._waiting


def test_a_fault_in_one_answer_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Wire()
    wire.connection.receive(STATUS * 3)
    monkeypatch.setattr(wire.core, "view", lambda open: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        wire.turn()
    monkeypatch.undo()
    wire.raw(STATUS)
    assert len(wire.lines) == 3
