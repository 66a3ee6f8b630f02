"""Both sessions over a line that damages, drops, delays and doubles: slower, never wrong."""

from __future__ import annotations

import pytest

from protocols.atp.frame import Frame
from protocols.driver import Hello, OperateFailed
from protocols.vocabulary import EventKind, Operation, Stage
from tests.protocols.rig import Noise, Rig

ORDERS = 12
LIGHT = Noise(damage=0.002, drop=0.001, jitter=0.01)
HEAVY = Noise(damage=0.02, drop=0.01, jitter=0.01)
DOUBLING = Noise(damage=0.002, drop=0.001, jitter=0.2, double=0.3)


def play(noise: Noise, seed: int) -> Rig:
    """Orders and events, one after the other, as in a hand; what is heard is acknowledged."""
    rig = Rig(noise, seed)
    rig.app.begun = lambda order: rig.after(1.2, lambda: rig.board.done(order.id, order.id & 0xFF))
    rig.run(60.0, until=lambda: bool(rig.of(Hello)) or bool(rig.gone))

    def acknowledge() -> None:
        if rig.numbers():
            rig.host.acknowledge(rig.numbers()[-1], rig.app.boot)
        rig.after(0.02, acknowledge)

    acknowledge()
    for number in range(1, ORDERS + 1):
        rig.operate(number << 8, Operation.DICE, side=number % 4, count=2)
        for value in (1, 2):
            rig.board.event(EventKind.SEAT_KEY, side=1, value=value, board_us=number)
        rig.run(3.0)
    rig.run(3.0)
    return rig


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("noise", [LIGHT, HEAVY, DOUBLING], ids=["light", "heavy", "doubling"])
def test_everything_arrives_once_and_in_order(noise: Noise, seed: int) -> None:
    rig = play(noise, seed)
    executed = [order.id for order in rig.app.executed]
    assert len(executed) == len(set(executed)), "an order moved twice"
    assert executed == sorted(executed), "orders overtook one another"
    numbers = rig.numbers()
    assert numbers == list(range(1, len(numbers) + 1)), "an event twice or out of order"
    if noise is HEAVY and rig.gone:
        return  # half of the frames lost may lose the link too; reconnecting is the daemon's
    assert rig.gone == ""
    assert len(numbers) == 2 * ORDERS
    failed = {report.id for report in rig.of(OperateFailed)}
    assert noise is HEAVY or not failed
    for number in range(1, ORDERS + 1):
        if number << 8 not in failed:
            assert rig.stages(number << 8) == [Stage.ACCEPTED, Stage.DONE]


@pytest.mark.parametrize("noise", [LIGHT, HEAVY], ids=["light", "heavy"])
def test_no_damaged_frame_is_ever_accepted(noise: Noise) -> None:
    """Each frame that was taken is, byte for byte, one that was sent."""
    taken: list[Frame] = []
    sent: list[Frame] = []
    for seed in range(4):
        rig = Rig(noise, seed)
        for end in (rig.host, rig.board):
            reader = end._end._reader  # type: ignore[attr-defined]
            feed = reader.feed
            reader.feed = lambda data, feed=feed: (taken.extend(got := feed(data)), got)[1]
        rig.run(30.0)
        for data in rig.sent["host"] + rig.sent["board"]:
            sent += [Frame.from_bytes(piece) for piece in data.split(b"\0") if piece]
    assert taken
    assert set(taken) <= set(sent)


@pytest.mark.parametrize("noise", [LIGHT, HEAVY], ids=["light", "heavy"])
def test_the_counters_tell_how_bad_the_line_is(noise: Noise) -> None:
    rig = play(noise, 3)
    sent, received = rig.board.counters.frames_sent, rig.host.counters.frames_received
    lost = sent - received
    assert lost > 0
    # a lost delimiter merges two frames, an inserted one splits a frame
    assert abs(lost - rig.host.counters.crc_errors) <= max(3, lost // 4)
    assert abs(lost - rig.host.counters.frames_missed) <= max(3, lost // 4)
    assert rig.host.counters.bad_bytes > rig.host.counters.crc_errors
