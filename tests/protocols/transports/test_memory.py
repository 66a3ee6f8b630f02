"""The in-process line: order, pace, faults, and what an unplugged cable does."""

from __future__ import annotations

import asyncio

import pytest

from protocols.errors import PortBusy, PortGone, PortMissing, TransportError
from protocols.transports.memory import memory_pair
from sim.timebase import run_virtual


class Ear:
    """A handler that remembers."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, bytes]] = []
        self.ends: list[TransportError | None] = []

    def received(self, data: bytes) -> None:
        self.heard.append((asyncio.get_running_loop().time(), data))

    def lost(self, error: TransportError | None) -> None:
        self.ends.append(error)

    @property
    def data(self) -> bytes:
        return b"".join(data for _, data in self.heard)


async def passes(seconds: float) -> None:
    """Let virtual time pass."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    loop.call_later(seconds, done.set_result, None)
    await done


def test_bytes_arrive_in_order_and_not_from_inside_write() -> None:
    async def main() -> None:
        a, b, _ = memory_pair()
        ears = Ear(), Ear()
        left, right = await a.open(ears[0]), await b.open(ears[1])
        left.write(b"one")
        left.write(b"two")
        right.write(b"three")
        assert ears[1].heard == []
        await passes(0.001)
        assert [data for _, data in ears[1].heard] == [b"one", b"two"]
        assert ears[0].data == b"three"

    run_virtual(main())


def test_latency_and_baud_make_a_line_slow() -> None:
    async def main() -> None:
        a, b, _ = memory_pair(latency=0.5, baud=1000)
        ear = Ear()
        left, _ = await a.open(Ear()), await b.open(ear)
        for piece in (b"0123456789", b"x", b"y"):
            left.write(piece)
        await passes(2.0)
        assert [when for when, _ in ear.heard] == pytest.approx([0.6, 0.61, 0.62])
        assert ear.data == b"0123456789xy"

    run_virtual(main())


def test_writes_of_one_moment_keep_their_order_on_a_slow_line() -> None:
    async def main() -> None:
        a, b, _ = memory_pair(latency=0.5)
        ear = Ear()
        left, _ = await a.open(Ear()), await b.open(ear)
        sent = [bytes((n,)) for n in range(200)]
        for piece in sent:
            left.write(piece)
        await passes(1.0)
        assert [data for _, data in ear.heard] == sent

    run_virtual(main())


def test_a_fault_sees_all_and_decides_what_arrives() -> None:
    async def main() -> None:
        a, b, line = memory_pair()
        ear, other = Ear(), Ear()
        left, right = await a.open(other), await b.open(ear)
        line.to_b = lambda data: [] if data == b"lost" else [data[:1], data[1:]]
        for piece in (b"abc", b"lost", b"de"):
            left.write(piece)
        right.write(b"lost")
        await passes(0.01)
        assert [data for _, data in ear.heard] == [b"a", b"bc", b"d", b"e"]
        assert other.data == b"lost"

    run_virtual(main())


def test_a_cut_loses_both_ends_and_all_that_is_under_way() -> None:
    async def main() -> None:
        a, b, line = memory_pair(latency=0.1)
        ears = Ear(), Ear()
        left, _ = await a.open(ears[0]), await b.open(ears[1])
        left.write(b"too late")
        line.cut()
        line.restore()
        fresh = Ear()
        await a.open(Ear())
        await b.open(fresh)
        left.write(b"nothing happens on a stream that is over")
        await passes(1.0)
        assert [type(ear.ends[0]) for ear in ears] == [PortGone, PortGone]
        assert [len(ear.ends) for ear in ears] == [1, 1]
        assert fresh.heard == []

    run_virtual(main())


def test_an_end_can_be_missing_or_busy() -> None:
    async def main() -> None:
        a, _, line = memory_pair()
        stream = await a.open(Ear())
        with pytest.raises(PortBusy):
            await a.open(Ear())
        stream.close()
        await a.open(Ear())
        line.cut()
        with pytest.raises(PortMissing):
            await a.open(Ear())

    run_virtual(main())


def test_nobody_is_called_after_close() -> None:
    async def main() -> None:
        a, b, line = memory_pair()
        ear = Ear()
        stream, other = await a.open(ear), await b.open(Ear())
        other.write(b"late")
        line.cut()
        stream.close()
        await passes(1.0)
        assert ear.heard == []
        assert ear.ends == []

    run_virtual(main())
