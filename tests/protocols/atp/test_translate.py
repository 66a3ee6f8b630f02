"""Words of the contract there and back, and numbers nobody here knows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocols.atp import messages as m
from protocols.atp import translate
from protocols.driver import BoardEvent, Hello, Reply
from protocols.vocabulary import (
    TILE_NAMES,
    EventKind,
    Fault,
    Operation,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)
from tests.protocols.rig import HELLO, FakeBoard


def introduced(hello: Hello) -> Hello:
    """Who the host takes a board for."""
    parts = {part: m.Identity.from_bytes(translate.identity_message(hello, part).to_bytes()).data
             for part in translate.PARTS}  # fmt: skip
    abilities = m.Abilities.from_bytes(translate.abilities_message(hello).to_bytes())
    return translate.hello_report(translate.hello_message(hello, 1, 0), parts, abilities)


def test_hello_there_and_back() -> None:
    assert introduced(HELLO) == HELLO


def test_a_name_too_long_is_cut_at_a_whole_character() -> None:
    assert introduced(replace(HELLO, vendor="麻將桌製造商有限公司")).vendor == "麻將桌製造"


def test_an_unknown_firmware_hash_is_empty() -> None:
    assert introduced(replace(HELLO, firmware_hash="")).firmware_hash == ""


def test_a_board_that_states_no_time_scale_runs_in_real_time() -> None:
    abilities = replace(translate.abilities_message(HELLO), time_scale=0)
    parts = dict.fromkeys(translate.PARTS, b"")
    assert translate.hello_report(m.Hello(), parts, abilities).time_scale == 1


def test_status_there_and_back() -> None:
    status = FakeBoard().status()
    message = m.Status.from_bytes(translate.status_message(status, 1, 0).to_bytes())
    assert translate.status_report(message) == status


def test_a_status_with_unknown_numbers_is_still_a_status() -> None:
    report = translate.status_report(
        m.Status(top=99, store=99, faults=b"\xee\0\0\0", fault_sides=b"\2\0\0\0")
    )
    assert (report.top, report.store) == (TopState.UNKNOWN, StoreState.UNKNOWN)
    assert report.faults == ((Fault.PROTOCOL_ERROR, 2),)


@pytest.mark.parametrize("tile", TILE_NAMES[1:])
def test_every_tile_has_a_code(tile: str) -> None:
    event = BoardEvent(1, 2**40, EventKind.TILE_DISCARDED, 3, Source.SENSOR, 0, (tile,))
    message = m.Event.from_bytes(translate.event_message(event).to_bytes())
    assert translate.event_report(message) == event


def test_a_meld_has_room_for_four_tiles() -> None:
    event = BoardEvent(1, 5, EventKind.MELD_SHOWN, 3, Source.SENSOR, 3, ("7p",) * 4)
    assert translate.event_report(translate.event_message(event)) == event


def test_an_event_of_an_unknown_kind_is_not_for_us() -> None:
    assert translate.event_report(m.Event(1, 2, 250)) is None


@pytest.mark.parametrize(
    "reply",
    [
        Reply(5, Stage.ACCEPTED, operation=Operation.DICE),
        Reply(5, Stage.REFUSED, refusal=Refusal.LOCKED, operation=Operation.DICE),
        Reply(5, Stage.PROGRESS, percent=44, operation=Operation.DICE),
        Reply(5, Stage.DONE, percent=100, value=0x65, operation=Operation.DICE),
        Reply(5, Stage.FAILED, fault=Fault.DICE_NO_SPIN, side=1, operation=Operation.DICE),
    ],
    ids=lambda reply: reply.stage.name.lower(),
)
@pytest.mark.parametrize("queried", [False, True])
def test_every_stage_there_and_back(reply: Reply, queried: bool) -> None:
    message = translate.reply_message(reply, queried=queried)
    assert translate.reply_report(message) == replace(reply, queried=queried)


def test_a_refusal_for_an_unknown_reason_is_still_one() -> None:
    reply = translate.reply_report(m.Refused(5, 0, 6, 77))
    assert reply is not None
    assert (reply.stage, reply.refusal) == (Stage.REFUSED, Refusal.UNSUPPORTED)


def test_what_is_no_stage_is_none() -> None:
    assert translate.reply_report(m.Beat()) is None
