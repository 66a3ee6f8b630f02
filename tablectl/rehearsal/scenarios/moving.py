"""Scenarios of the mechanism: from an empty table to the second hand, and what is in the way of it."""

from __future__ import annotations

from protocols.vocabulary import SIDES, Capability, EventKind, Lamp, Operation, StoreState, TopState
from tablectl.rehearsal.scenarios.endpoint import Lever
from tablectl.rehearsal.scenarios.host import Host

FACES = range(1, 7)
DEALT = 13
REST_S = 0.7  # table seconds from a stop to rest (SPEC.md, hardware model: pause and stop)
DEALER = 2


async def build(host: Host) -> None:
    """A complete set is in the store, counted where the board counts."""
    reply = await host.done(Operation.BUILD)
    status = await host.status()
    assert status.store is StoreState.READY
    assert reply.value == status.profile, f"{reply.value} tiles built of {status.profile}"
    if host.can(Capability.PER_SIDE_COUNTS):
        assert 2 * sum(status.store_stacks) == status.profile
    await host.event(EventKind.BUILD_DONE)
    await once(host, begun=1)


async def raise_walls(host: Host) -> None:
    """The walls of the hand ordered stand, and the board says for which hand."""
    await host.done(Operation.BUILD)
    await host.done(Operation.RAISE, hand=1, side=DEALER)
    up = await host.event(EventKind.WALLS_UP)
    assert (up.value, up.source) == (1, "host")
    status = await host.status()
    assert (status.top, status.hand) == (TopState.WALLS_UP, 1)
    await once(host)


async def dice(host: Host) -> None:
    """Dice roll for a side; where the board reads them, reply and event say the same."""
    reply = await host.done(Operation.DICE, side=1, count=2)
    assert (await host.event(EventKind.DICE_STARTED)).side == 1
    if host.can(Capability.DICE_READBACK):
        shown = await host.event(EventKind.DICE_RESULT)
        assert shown.value == reply.value
        assert {reply.value & 15, reply.value >> 4} <= set(FACES)
    await once(host, begun=1)


async def deal(host: Host) -> None:
    """People throw, break the walls and deal; each tile drawn is an event."""
    await host.done(Operation.BUILD)
    await host.done(Operation.RAISE, hand=1, side=DEALER)
    host.send(Operation.LAMPS, count=Lamp.PLAY)
    await host.event(EventKind.TILE_DRAWN, DEALT * len(SIDES) + 1)
    drawn = [event.side for event in host.events(EventKind.TILE_DRAWN)[: DEALT * len(SIDES) + 1]]
    assert [drawn.count(side) for side in SIDES] == [DEALT + (side == DEALER) for side in SIDES]
    host.send(Operation.LAMPS, count=Lamp.CLOSED)
    await once(host)


async def pause_to_insert(host: Host) -> None:
    """The build that runs by itself rests, the centre is open; it goes on and ends complete."""
    await host.done(Operation.BUILD)
    await host.done(Operation.RAISE, hand=1, side=DEALER)
    await host.done(Operation.PAUSE)
    assert (await host.status()).store is StoreState.PAUSED
    await host.done(Operation.RESUME)
    assert (await host.status()).store is StoreState.READY
    await once(host)


async def jam_and_clear(host: Host) -> None:
    """A tile jams: the board says so, somebody takes it out, and the build ends complete."""
    await host.pull(Lever.JAM)
    id = host.send(Operation.BUILD)
    fault = await host.event(EventKind.FAULT_SET)
    if host.can(Capability.FAULT_CODE):
        assert (await host.end_of(id)).stage == "failed"
    await host.pull(Lever.MEND)
    if host.can(Capability.FAULT_CODE):
        await host.done(Operation.CLEAR_FAULT)
    cleared = await host.event(EventKind.FAULT_CLEARED)
    assert (cleared.value, cleared.side) == (fault.value, fault.side)
    if host.can(Capability.FAULT_CODE):
        await host.done(Operation.RESUME)
    else:
        assert (await host.end_of(id)).stage == "done"
    assert (await host.status()).store is StoreState.READY
    await once(host)


async def stop_in_motion(host: Host) -> None:
    """All motion ends in time; nothing moves until the table was homed, and then it builds."""
    id, _ = await host.in_motion()
    began = host.loop.time()
    host.link.stop()
    await host.event(EventKind.STOPPED)
    took = (host.loop.time() - began) * host.table.speed
    assert not (await host.table.truth()).moving
    assert took <= REST_S + host.late_s * host.table.speed, f"{took:.2f} s until it stood still"
    host.note(f"at rest after {took:.2f} s")
    assert (await host.end_of(id)).stage == "failed"
    refused = await host.order(Operation.DICE, side=0, count=2)
    assert (refused.stage, refused.refusal) == ("refused", "stopped")
    await host.done(Operation.HOME)
    await host.done(Operation.BUILD)
    await once(host)


async def two_hands(host: Host) -> None:
    """Two hands in a row: the set pushed in while the first is raised is built by itself."""
    await host.done(Operation.BUILD)
    for hand in (1, 2):
        await host.done(Operation.RAISE, hand=hand, side=hand)
        assert (await host.event(EventKind.WALLS_UP, hand)).value == hand
        await host.done(Operation.BUILD)  # the one that runs
    status = await host.status()
    assert (status.top, status.store, status.hand) == (TopState.WALLS_UP, StoreState.READY, 2)
    await once(host)


async def once(host: Host, begun: int = 0) -> None:
    """No order has moved anything twice; ``begun`` orders in all, where that is known."""
    truth = await host.table.truth()
    assert not truth.twice, f"moved twice: {truth.twice}"
    assert not begun or truth.begun == begun, f"{truth.begun} orders set something in motion, not {begun}"
