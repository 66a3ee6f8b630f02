"""Scenarios of the line and of the board itself: cable, power, answers, events, clock, keys."""

from __future__ import annotations

from protocols.driver import Reply
from protocols.vocabulary import SIDES, Capability, EventKind, Lamp, Operation, SeatKey, Stage
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait
from tablectl.rehearsal.scenarios.host import Host
from tablectl.rehearsal.scenarios.moving import REST_S, once

HOST_SILENCE_S = 1.5  # after so long without a host a board stops by itself
OUT_S = 3.0  # longer than that
LOST = {"cable_pulled", "board_silent", "board_rebooted", "closed"}
TRIES = 3
PRESSES = 300  # more than any board keeps
SETTLE_S = 1.0  # real seconds in which a clock that has leapt is asked anew
HOUR = 3600.0


async def unplug_in_motion(host: Host) -> None:
    """Without its host a board that can stop does; coming back sets nothing in motion, and it is asked."""
    id, before = await host.in_motion()
    began = host.loop.time()
    await host.pull(Lever.UNPLUG, OUT_S)
    if host.can(Capability.HOST_STOP):
        await host.find(lambda truth: not truth.moving, "rest without a host")
        took = host.loop.time() - began
        assert took <= HOST_SILENCE_S + REST_S / host.table.speed + host.late_s, f"{took:.2f} s until rest"
        host.note(f"at rest after {took:.2f} s")
    await host.online(2)
    assert set(host.words()) <= LOST, host.words()
    assert (await host.table.truth()).begun == before.begun, "coming back set something in motion"
    reply = await host.query(id)
    host.note(f"the order: {reply.stage.name.lower()}")
    if host.can(Capability.HOST_STOP):
        assert reply.stage is Stage.FAILED, reply
        assert (await host.status()).stopped
        await host.done(Operation.HOME)
        await host.done(Operation.BUILD)
    else:
        assert reply.stage is Stage.UNKNOWN, reply
        await host.event(EventKind.BUILD_DONE)
    await once(host)


async def reboot(host: Host) -> None:
    """Another boot is known as one; nothing moves for an order of the last, and the next one is taken."""
    boot, moves = host.hello.boot_id, host.has(Trait.MOTION)
    id, before = await host.in_motion() if moves else (0, await host.table.truth())
    await host.pull(Lever.REBOOT)
    await host.online(2)
    assert host.hello.boot_id != boot
    assert set(host.words()) <= LOST, host.words()
    assert (await host.table.truth()).begun == before.begun, "a new boot set something in motion"
    if moves:
        assert (await host.query(id)).stage is Stage.UNKNOWN
    if moves and host.can(Capability.HOST_STOP):
        await host.done(Operation.HOME)
        await host.done(Operation.BUILD)
    if host.has(Lever.KEY):
        await host.pull(Lever.KEY, 1)
        await host.event(EventKind.SEAT_KEY)
    await once(host)


async def lost_answer(host: Host) -> None:
    """The motion has begun and nobody says so: it ends as if nothing were, or is *unknown*; never twice."""
    orders = _orders(host)
    ends = []
    for operation, fields in orders:
        await host.pull(Lever.LOSE_ANSWER)
        id = host.send(operation, **fields)
        ends.append((await host.end_of(id)).stage)
        if operation is Operation.BUILD:
            await host.event(EventKind.BUILD_DONE)
    host.note(f"the order: {ends[0]}")
    expected = "done" if host.can(Capability.RESULT_MEMORY) else "unknown"
    assert ends == [expected] * len(orders), ends
    await once(host, begun=len(orders))


async def duplicate_command(host: Host) -> None:
    """An order repeated under its id, during its motion and after its end, moves once and is answered."""
    orders = _orders(host)
    for number, (operation, fields) in enumerate(orders, 1):
        id = host.send(operation, **fields)
        await host.find(lambda truth, number=number: truth.begun == number, "motion")  # type: ignore[misc]
        for _ in range(TRIES):
            host.send(operation, id=id, **fields)
        first = await host.end_of(id)
        assert first.stage == "done", first
        host.send(operation, id=id, **fields)
        await host.until(lambda id=id: len(_done(host, id)) >= 2, "the stored result")  # type: ignore[misc]
        values = {reply.value for reply in _done(host, id)}
        assert values == {first.value}, f"another result for the same order: {values}"
    await once(host, begun=len(orders))


def _orders(host: Host) -> list[tuple[Operation, dict[str, int]]]:
    """A state to reach, and, where there are dice, what would be another throw each time."""
    dice: list[tuple[Operation, dict[str, int]]] = [(Operation.DICE, {"side": 1, "count": 2})]
    return [(Operation.BUILD, {}), *(dice if host.can(Capability.DICE) else [])]


def _done(host: Host, id: int) -> list[Reply]:
    return [reply for reply in host.of(Reply) if reply.id == id and reply.stage is Stage.DONE]


async def event_gap(host: Host) -> None:
    """Events that are lost on the way come all the same: each once and in order."""
    await host.pull(Lever.LOSE_EVENTS, 1.0)
    for side in range(TRIES):
        await host.pull(Lever.KEY, side)
    await host.event(EventKind.SEAT_KEY, TRIES)
    assert [event.side for event in host.events(EventKind.SEAT_KEY)] == list(range(TRIES))
    numbers = host.numbers(host.hello.boot_id)
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), numbers
    assert not host.lost()


async def key(host: Host) -> None:
    """A key at a seat is told once, with its side and the time it was pressed."""
    await host.passes(1.0)
    event, error, unc = await host.pressed(3)
    assert (event.side, event.value) == (3, SeatKey.DISCARD)
    assert error <= unc, f"told {error:.6f} s off, ± {unc:.6f}"
    host.note(f"{error * 1000:.1f} ms off, ±{unc * 1000:.1f}")


async def clock_jump(host: Host) -> None:
    """The board's clock leaps an hour ahead and back: what is pressed then is told of about now."""
    worst = 0.0
    for press, leap in enumerate((0.0, HOUR, -HOUR), 1):
        await host.passes(host.table.speed * SETTLE_S)
        await host.pull(Lever.CLOCK_JUMP, leap)
        _, error, unc = await host.pressed(1, press)
        assert error <= unc, f"after a leap of {leap:+.0f} s told {error:.3f} s off, ± {unc:.3f}"
        worst = max(worst, error)
    assert worst <= host.late_s, f"told {worst:.3f} s off"
    host.note(f"at most {worst * 1000:.1f} ms off")
    assert not host.words(), host.words()


async def event_overflow(host: Host) -> None:
    """More keys than any board keeps, the cable out until the last is pressed: each is told, or is said to
    be lost, once; and some are lost."""
    await host.pull(Lever.UNPLUG)
    for press in range(PRESSES):
        await host.pull(Lever.KEY, press % len(SIDES))
    await host.passes(host.table.speed * OUT_S)
    assert not host.events(EventKind.SEAT_KEY), "a key was told while the cable was out"
    await host.pull(Lever.PLUG)
    await host.online(2)
    boot = host.hello.boot_id
    newest = (await host.status()).last_event
    assert newest >= PRESSES
    await host.until(lambda: newest in _accounted(host, boot), f"event {newest}, or that it is lost")
    first = min(_accounted(host, boot))
    assert _accounted(host, boot) == list(range(first, newest + 1))
    lost = sum(gap.last - gap.first + 1 for gap in host.lost())
    assert lost, "none was lost: the board keeps more than it was given"
    host.note(f"{lost} said to be lost")


def _accounted(host: Host, boot: int) -> list[int]:
    """Every event number of a boot that was told, or told to be lost."""
    lost = [number for gap in host.lost() for number in range(gap.first, gap.last + 1)]
    return sorted([*host.numbers(boot), *lost])


async def unplug_at_rest(host: Host) -> None:
    """A key pressed while the cable is out is told when it is back, of when it was pressed."""
    await host.passes(host.table.speed * SETTLE_S)
    await host.pull(Lever.UNPLUG, OUT_S)
    _, error, unc = await host.pressed(2)
    assert error <= unc, f"told {error:.6f} s off, ± {unc:.6f}"
    await host.online(2)
    host.note(f"{error * 1000:.1f} ms off, ±{unc * 1000:.1f}")


async def lamps(host: Host) -> None:
    """The lamps at the seats are lit by an order that moves nothing."""
    begun = (await host.table.truth()).begun
    for lamp in (Lamp.PLAY, Lamp.HOLD, Lamp.OFF):
        await host.done(Operation.LAMPS, count=lamp)
    assert (await host.table.truth()).begun == begun


async def chatter(host: Host) -> None:
    """What means nothing on the line costs nothing: the board is asked in the middle of it, and answers."""
    for _ in range(TRIES):
        await host.pull(Lever.CHATTER)
        await host.status()
    assert not host.words(), host.words()
    counters = host.link.quality()
    host.note(f"{counters['unknown'] + counters['crc_errors'] + counters['late']} pieces thrown away")
