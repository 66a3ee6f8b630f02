"""The board is switched off and on: another boot, and nothing of the old one in it."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.bodies import sample_orders
from protocols.conformance.checks.building import built
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import FinalMessage
from protocols.vocabulary import EventKind, Fault, Operation, StoreState, TopState


@dataclass(slots=True)
class Boots:
    """Two boots of one board."""

    before: m.Hello
    after: m.Hello
    newest: int  # event of the boot before
    kept: list[str]  # stages of orders of the boot before
    events: list[m.Event]
    status: m.Status
    profile: int  # set before


async def restarted(bench: Bench) -> Boots:
    """Switch it off and on, say hello again, and ask after what was ordered before."""
    assert bench.hello is not None
    orders = await sample_orders(bench)
    profile = await _set_profile(bench, -1)
    newest = (await bench.clock()).message.last_event
    before = bench.hello
    await bench.restart()
    kept = [type(said).__name__.upper() for said in [await bench.query(id) for id, _ in orders]]
    await bench.caught_up()
    assert bench.hello is not None
    status = await bench.status()
    await bench.restore()
    return Boots(before, bench.hello, newest, kept, bench.events(), status, profile)


async def _set_profile(bench: Bench, place: int) -> int:
    """Set the profile at that place of the board's list, if it can be set; the one that is set then."""
    if bench.profiles:
        await bench.carry_out(Operation.SET_PROFILE, count=bench.profiles[place])
    return (await bench.status()).profile


@check("ATP-R28", phase=Phase.RESTART)
async def another_boot(bench: Bench) -> Evidence:
    """The boot id before and after."""
    what = await bench.once(restarted)
    expect(what.before.boot != 0 and what.after.boot != 0, "boot_zero")
    expect(what.before.boot != what.after.boot, "same_boot", boot=f"{what.after.boot:x}")
    return saw("boots", before=f"{what.before.boot:x}", after=f"{what.after.boot:x}")


@check("ATP-R29", phase=Phase.RESTART)
async def nothing_left_over(bench: Bench) -> Evidence:
    """Results, running orders and event numbers after a boot."""
    what = await bench.once(restarted)
    left = [stage for stage in what.kept if stage != "UNKNOWN"]
    expect(not left, "boot_kept_results", stage=left[0] if left else "")
    expect(not what.status.running_id, "boot_runs", running=what.status.running_id)
    expect(what.after.acknowledged <= what.status.last_event, "boot_numbers", said=what.after.acknowledged)
    numbers = [event.number for event in what.events]
    right = not numbers or numbers[0] == 1
    expect(right, "boot_numbers", said=numbers[0] if numbers else 0)
    return saw("new_boot", count=len(what.kept))


@check("ATP-R89", phase=Phase.RESTART)
async def the_profile_is_kept(bench: Bench) -> Evidence:
    """The profile before and after, or a fault that says it is lost."""
    what = await bench.once(restarted)
    boots = [(what.profile, what.status)]
    if bench.settings.motion:
        other = await bench.once(dark)
        boots.append((other.profile, other.cut))
    for profile, after in boots:
        lost = {int(Fault.CONFIG_LOST), int(Fault.EEPROM_BAD)} & set(after.faults)
        kept = after.profile == profile
        expect(kept or bool(lost), "profile_lost", before=profile, after=after.profile)
    return saw("profile_kept", count=len({profile for profile, _ in boots}))


@dataclass(slots=True)
class Dark:
    """A homing the power was taken from, and a set in store over a boot. None: it could not be tried."""

    profile: int  # set before
    cut: m.Status
    moved: bool  # the homing was under way
    homed: m.Status
    built: m.Status | None
    again: FinalMessage | None  # BUILD of what stands already
    news: list[m.Event]


async def dark(bench: Bench) -> Dark:
    """Take the power from a homing, home; build, take the power from a table at rest, order a build again."""
    await bench.ready()
    profile = await _set_profile(bench, 0)
    await bench.stop()
    id = bench.next_id()
    await bench.give(Operation.HOME, id=id)
    await bench.wire.listen(bench.repeat)
    moved = (await bench.status()).running_id == id
    await bench.restart()
    cut = await bench.status()
    await bench.carry_out(Operation.HOME)
    homed = await bench.status()
    await bench.restore()
    try:
        await built(bench)
        await bench.ready()
        end = await bench.carry_out(Operation.BUILD)
    except NotApplicable:
        return Dark(profile, cut, moved, homed, None, None, [])
    if not isinstance(end, m.Done):
        return Dark(profile, cut, moved, homed, None, None, [])
    await bench.restart()
    status, newest = await bench.status(), await bench.caught_up()
    again = await bench.carry_out(Operation.BUILD) if status.store == StoreState.READY else None
    await bench.caught_up()
    return Dark(profile, cut, moved, homed, status, again, bench.events(newest))


async def known_after_the_dark(bench: Bench) -> None:
    """Raise ``Broken`` unless STATUS after a boot says what sensors know. Nothing where nobody can switch."""
    if bench.settings.restart is None:
        return
    what = await bench.once(dark)
    if what.moved:
        expect(not what.cut.homed, "wrong_state", field="homed", wanted="0", said=what.cut.homed)
        known = what.cut.top in (TopState.UNKNOWN, TopState.WALLS_UP)
        expect(known, "wrong_state", field="top", wanted="UNKNOWN, WALLS_UP", said=what.cut.top)
    expect(what.homed.homed == 1, "wrong_state", field="homed", wanted="1", said=what.homed.homed)
    known = what.homed.top in (TopState.CLEAR, TopState.WALLS_UP)
    expect(known, "wrong_state", field="top", wanted="CLEAR, WALLS_UP", said=what.homed.top)
    if what.built is not None:
        known = what.built.store in (StoreState.READY, StoreState.UNKNOWN)
        said = named(StoreState, what.built.store)
        expect(known, "wrong_state", field="store", wanted="READY, UNKNOWN", said=said)
        whole = 2 * sum(what.built.store_stacks) == what.built.profile
        right = not whole or what.built.store == StoreState.READY
        expect(right, "wrong_state", field="store", wanted="READY", said=said)
    if what.again is not None:
        began = [event for event in what.news if event.kind == EventKind.BUILD_STARTED]
        right = isinstance(what.again, m.Done) and not began
        expect(right, "moved_although_reached", operation="BUILD", events="BUILD_STARTED")
