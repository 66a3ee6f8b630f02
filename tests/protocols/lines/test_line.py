"""One line: its bytes, what damage does to it, and what is no line at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.driver import BoardEvent, Reply
from protocols.lines import words as w
from protocols.lines.line import BOX, HOST, Reader, checksum, line
from protocols.vocabulary import NO_SIDE, EventKind, Fault, Operation, Order, Refusal, SeatKey, Source, Stage


def test_the_checksum_is_the_catalogued_one() -> None:
    assert checksum(b"123456789") == 0x29B1  # the check value of CRC-16/IBM-3740


def test_a_line_can_be_read_in_a_terminal() -> None:
    event = BoardEvent(12, 1_034_567, EventKind.SEAT_KEY, 2, value=SeatKey.DISCARD)
    assert line(BOX, *w.event_words(event)) == b"\n<event 12 1034567 seat_key 2 discard*7D80\n"


def words(data: bytes) -> list[tuple[str, ...]]:
    return [heard.words for heard in Reader(BOX).feed(data)]


@pytest.mark.parametrize(
    ("data", "heard"),
    [
        (b"\r\nKEYPAD 4x7 ready\r\n" + line(BOX, "pong", 3), [(), ("pong", "3")]),
        (b"Debug: x=" + line(BOX, "pong")[1:], [("pong",)]),
        (line(HOST, "ping") + line(BOX, "pong"), [("pong",)]),
        (line(BOX, "pong").replace(b"\n", b"\r"), [("pong",)]),
        (line(BOX, "pong").lower(), [("pong",)]),
        (b"<event 1 2 seat" + line(BOX, "pong"), [(), ("pong",)]),
    ],
    ids=["banner", "chatter before", "own echo", "carriage returns", "lower case", "a torn line"],
)
def test_what_is_not_for_us_is_left_alone(data: bytes, heard: list[tuple[str, ...]]) -> None:
    assert words(data) == heard


@given(st.data())
def test_a_damaged_line_is_never_taken_for_another(data: st.DataObject) -> None:
    sent = line(BOX, "event", 12, 1_034_567, "seat_key", 2, "discard")
    at = data.draw(st.integers(1, len(sent) - 2))
    bit = data.draw(st.integers(0, 7))
    spoiled = bytearray(sent)
    spoiled[at] ^= 1 << bit
    told = [heard for heard in words(bytes(spoiled)) if heard]
    # the case of a hex digit is the only thing that may change
    assert told in ([], [("event", "12", "1034567", "seat_key", "2", "discard")])


@given(st.binary(max_size=600), st.integers(1, 40))
def test_any_bytes_in_any_pieces_are_survived(noise: bytes, size: int) -> None:
    reader = Reader(BOX)
    data = noise + line(BOX, "pong")
    heard = [one.words for at in range(0, len(data), size) for one in reader.feed(data[at : at + size])]
    assert heard[-1] == ("pong",)


def test_a_line_without_end_takes_no_memory() -> None:
    reader = Reader(BOX)
    for _ in range(1000):
        reader.feed(b"x" * 100)
    assert [one.damaged for one in reader.feed(line(BOX, "pong"))] == [True, False]


sides = st.sampled_from([0, 1, 2, 3, NO_SIDE])
events = st.builds(
    BoardEvent,
    number=st.integers(1, 1 << 40),
    board_us=st.integers(0, 1 << 60),
    kind=st.sampled_from([kind for kind in EventKind if kind not in w.VALUES]),
    side=sides,
    source=st.sampled_from(Source),
    value=st.integers(0, 1 << 20),
) | st.builds(
    BoardEvent,
    number=st.integers(1, 99),
    board_us=st.integers(0, 99),
    kind=st.just(EventKind.SEAT_KEY),
    side=sides,
    value=st.sampled_from(SeatKey),
)
ids = st.integers(0, 1 << 60)
refusals = st.sampled_from([refusal for refusal in Refusal if refusal is not Refusal.NONE])
replies = st.one_of(
    st.builds(Reply, id=ids, stage=st.just(Stage.ACCEPTED)),
    st.builds(Reply, id=ids, stage=st.just(Stage.REFUSED), refusal=refusals),
    st.builds(Reply, id=ids, stage=st.just(Stage.FAILED), fault=st.sampled_from(Fault), side=sides),
    st.builds(Reply, id=ids, stage=st.just(Stage.DONE), percent=st.just(100), value=st.integers(0, 999)),
)
orders = st.builds(
    Order,
    id=st.integers(0, 1 << 60),
    operation=st.sampled_from(Operation),
    hand=st.integers(0, 999),
    side=sides,
    count=st.integers(0, 200),
)


def back(*sent: object, **fields: object) -> tuple[str, ...]:
    (heard,) = words(line(BOX, *sent, **fields))
    return heard


@given(events)
def test_an_event_arrives_as_it_left(event: BoardEvent) -> None:
    assert w.event_of(back(*w.event_words(event))) == event


@given(replies)
def test_a_reply_arrives_as_it_left(reply: Reply) -> None:
    assert w.reply_of(back(*w.reply_words(reply))) == reply


@given(orders)
def test_an_order_arrives_as_it_left(order: Order) -> None:
    head, fields = w.order_words(order)
    assert w.order_of(back(*head, **fields)) == order
