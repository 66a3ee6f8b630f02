"""Numbered subscriptions: resumed, reset when too old, and dropped when nobody reads."""

from __future__ import annotations

import pytest

from tests.api.fakes import FakeCore, Wire


def watch(wire: Wire, **args: int) -> dict[str, object]:
    result: dict[str, object] = wire.call("watch", {"args": args})["result"]
    return result


def test_a_new_subscriber_gets_the_state_and_then_every_event() -> None:
    wire = Wire()
    wire.core.publish(3)
    answer = watch(wire)
    assert (answer["seq"], answer["reset"], answer["events"]) == (3, False, [])
    assert answer["state"]
    wire.core.publish(2)
    assert wire.events() == [4, 5]
    assert wire.lines[-1]["params"] == {
        "seq": 5, "n": 5, "at": 5_000_000, "key": "event.discarded", "data": {"side": 0}
    }  # fmt: skip


@pytest.mark.report("B122")
def test_since_gives_what_was_missed() -> None:
    wire = Wire()
    wire.core.publish(5)
    answer = watch(wire, since=2)
    assert [event["seq"] for event in answer["events"]] == [3, 4, 5]  # type: ignore[attr-defined]
    assert not answer["reset"]


@pytest.mark.report("B122")
@pytest.mark.parametrize("since", [1, 99], ids=["too old", "never was"])
def test_what_cannot_be_replayed_is_a_reset_with_the_whole_state(since: int) -> None:
    wire = Wire()
    wire.core.publish(5)
    wire.core.oldest = 3
    answer = watch(wire, since=since)
    assert answer["reset"]
    assert answer["seq"] == 5
    assert answer["state"]
    assert answer["events"] == []


def test_watching_again_replaces_the_first_subscription() -> None:
    wire = Wire()
    watch(wire)
    watch(wire)
    assert len(wire.core.tells) == 1


def test_closing_ends_the_subscription() -> None:
    wire = Wire()
    watch(wire)
    wire.connection.close()
    assert not wire.core.tells


@pytest.mark.report("B133")
def test_a_reader_that_stops_is_dropped_and_nobody_else_notices() -> None:
    core = FakeCore()
    slow, quick = Wire(core), Wire(core)
    watch(slow)
    watch(quick)
    core.publish(2)
    slow.connection.pause()
    core.publish(1000)
    assert slow.events() == [1, 2]
    assert len(core.tells) == 2
    core.publish(1)
    assert len(core.tells) == 1, "the slow one is no longer told"
    core.publish(5000)
    slow.connection.resume()
    farewell = slow.lines[-1]
    assert farewell["method"] == "dropped"
    assert farewell["params"]["since"] == 2, "where to take up again"
    assert slow.events() == [1, 2]
    assert len(quick.events()) == 6003


def test_a_reader_that_pauses_shortly_loses_nothing() -> None:
    wire = Wire()
    watch(wire)
    wire.connection.pause()
    wire.core.publish(1000)
    wire.connection.resume()
    wire.core.publish(1)
    assert wire.events() == list(range(1, 1002))


def test_a_subscription_begun_while_paused_waits() -> None:
    wire = Wire()
    wire.connection.pause()
    wire.connection.receive(b'{"jsonrpc":"2.0","id":1,"method":"watch"}\n')
    assert not wire.core.tells
    wire.connection.resume()
    wire.turn()
    wire.core.publish(1)
    assert wire.events() == [1]
