"""Scenarios of the line and of the board itself: cable, power, answers, events, clock, keys."""

from __future__ import annotations

from protocols.driver import Reply
from protocols.vocabulary import Capability, EventKind, Operation, SeatKey, Stage
from tablectl.rehearsal.scenarios.endpoint import Lever, Trait
from tablectl.rehearsal.scenarios.host import Host
from tablectl.rehearsal.scenarios.moving import LOOK_S, REST_S, once

HOST_SILENCE_S = 1.5  # after so long without a host a board stops by itself
OUT_S = 3.0  # longer than that
LOST = {"cable_pulled", "board_silent", "board_rebooted", "closed"}
TRIES = 3


async def unplug_in_motion(host: Host) -> None:
    """Without its host a board that can stop does; coming back sets nothing in motion, and it is asked."""
    id = host.send(Operation.BUILD)
    await host.accepted(id)
    begun = (await host.find(lambda truth: truth.moving, "motion")).begun
    began = host.loop.time()
    await host.pull(Lever.UNPLUG, OUT_S)
    if host.can(Capability.HOST_STOP):
        await host.find(lambda truth: not truth.moving, "rest without a host")
        took = host.loop.time() - began
        assert took <= HOST_SILENCE_S + REST_S / host.table.speed + LOOK_S, f"{took:.2f} s until rest"
        host.note(f"at rest {took:.2f} s after the cable")
    await host.online(2)
    assert set(host.words()) <= LOST, host.words()
    assert (await host.table.truth()).begun == begun, "coming back set something in motion"
    reply = await host.query(id)
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
    id = host.send(Operation.BUILD) if moves else 0
    begun = (await host.find(lambda truth: truth.moving, "motion")).begun if moves else 0
    await host.pull(Lever.REBOOT)
    await host.online(2)
    assert host.hello.boot_id != boot
    assert set(host.words()) <= LOST, host.words()
    if moves:
        assert (await host.query(id)).stage is Stage.UNKNOWN
        assert (await host.table.truth()).begun == begun, "a new boot set something in motion"
    if moves and host.can(Capability.HOST_STOP):
        await host.done(Operation.HOME)
        await host.done(Operation.BUILD)
    if host.has(Lever.KEY):
        await host.pull(Lever.KEY, 1)
        await host.event(EventKind.SEAT_KEY)
    await once(host)


async def lost_answer(host: Host) -> None:
    """The motion has begun and nobody says so: it ends as if nothing were, or is *unknown*; never twice."""
    await host.pull(Lever.LOSE_ANSWER)
    id = host.send(Operation.BUILD)
    reply = await host.end_of(id)
    if host.can(Capability.RESULT_MEMORY):
        assert reply.stage == "done", reply
        assert host.retries >= 1
    else:
        assert reply.stage == "unknown", reply
        await host.event(EventKind.BUILD_DONE)
    await once(host, begun=1)


async def duplicate_command(host: Host) -> None:
    """An order repeated under its id, during its motion and after its end, moves once and is answered."""
    id = host.send(Operation.BUILD)
    await host.find(lambda truth: truth.moving, "motion")
    for _ in range(TRIES):
        host.send(Operation.BUILD, id=id)
    assert (await host.end_of(id)).stage == "done"
    host.send(Operation.BUILD, id=id)
    await host.until(lambda: len(_done(host, id)) >= 2, "the stored result of a repeated order")
    await once(host, begun=1)


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
    pressed = host.clock.now_us()
    await host.pull(Lever.KEY, 3)
    event = await host.event(EventKind.SEAT_KEY)
    assert (event.side, event.value) == (3, SeatKey.DISCARD)
    at, unc = next((at, unc) for told, at, unc in host.told if told is event)
    error = abs(at - pressed)
    assert error <= unc + LOOK_S * 1e6 * host.clock.scale, f"told {error} µs off, ± {unc}"
    host.note(f"told {error / 1000:.1f} ms off, ±{unc / 1000:.1f}")
