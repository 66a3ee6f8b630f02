"""Clock and state: numbers that fit each other, a clock that runs, a snapshot that is one."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import TIMING
from protocols.conformance.bench import Bench
from protocols.conformance.checks.events import fresh_event, toggle
from protocols.conformance.checks.motion import journey
from protocols.conformance.evidence import Evidence, NotApplicable, expect, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.talk import Answer
from protocols.vocabulary import EventKind

US = 1_000_000
PPM = 1_000_000
ROUNDS = 4
SAMPLES = 8
YEAR = 365 * 24 * 3600 * US  # no board has been up for a year


def slack(first: Answer[m.Clock], second: Answer[m.Clock]) -> float:
    """How much two readings may differ from what lies between them by our clock, µs."""
    apart = second.heard.at - first.heard.at
    return (first.seconds + second.seconds + apart * TIMING.clock_drift_ppm / PPM) * US + 1000


@check("ATP-R03")
async def numbers_fit(bench: Bench) -> Evidence:
    """The same quantity in different messages: boot, newest event, time, profile, hash."""
    assert bench.hello is not None
    before = (await bench.clock()).message
    status = await bench.status()
    abilities = (await bench.ask(m.AbilitiesAsk(), m.Abilities)).message
    beat = await bench.asked_beat()
    after = (await bench.clock()).message
    hello = bench.hello
    pairs = [
        ("CLOCK.board_us", before.board_us, 0, YEAR),
        ("STATUS.boot", status.boot, hello.boot, hello.boot),
        ("STATUS.board_us", status.board_us, before.board_us, after.board_us),
        ("ABILITIES.uptime", abilities.uptime, before.board_us, after.board_us),
        ("STATUS.last_event", status.last_event, before.last_event, after.last_event),
        ("BEAT.last_event", beat.last_event, before.last_event, after.last_event),
        ("ABILITIES.time_scale", abilities.time_scale, 0, 1000),
        ("HELLO.acknowledged", hello.acknowledged, 0, after.last_event),
    ]
    await bench.caught_up()
    for event in bench.events()[-ROUNDS:]:
        pairs.append(("EVENT.number", event.number, 1, after.last_event))
        pairs.append(("EVENT.board_us", event.board_us, 0, after.board_us))
        if event.kind == EventKind.PROFILE_CHANGED:
            pairs.append(("EVENT.value", event.value, min(bench.profiles), max(bench.profiles)))
        if event.kind == EventKind.BOOT:
            pairs.append(("ABILITIES.boot_count", abilities.boot_count, event.value, event.value))
    for field, said, low, high in pairs:
        expect(low <= said <= high, "number", field=field, said=said, low=low, high=high)
    return saw("numbers", count=len(pairs))


@check("ATP-R81")
async def the_clock_when_asked(bench: Bench) -> Evidence:
    """Readings against our own time between them, and against the events around them."""
    previous = await bench.clock()
    worst = 0.0
    for _ in range(SAMPLES):
        await bench.wire.listen(TIMING.rto_min)
        known = bench.in_order()
        sample = await bench.clock()
        if previous.tries == sample.tries == 1:
            apart = (sample.heard.at - previous.heard.at) * US
            said = sample.message.board_us - previous.message.board_us
            worst = max(worst, abs(said - apart))
            right = abs(said - apart) <= slack(previous, sample)
            expect(right, "clock_apart", said=said, wanted=round(apart))
        newest = sample.message.last_event
        expect(newest >= known, "clock_event", said=newest, wanted=known)
        previous = sample
    for _ in range(ROUNDS):
        try:
            number = await fresh_event(bench)
        except NotApplicable:
            break
        await bench.caught_up()
        event = bench.event(number)
        newest = (await bench.clock()).message.last_event
        expect(newest >= number, "clock_event", said=newest, wanted=number)
        before = previous.message
        later = event is None or number <= before.last_event or event.board_us >= before.board_us
        expect(later, "event_before_clock", number=number)
    return saw("clock", count=SAMPLES, us=round(worst))


@check("ATP-R82", phase=Phase.MIXED)
async def one_snapshot(bench: Bench) -> Evidence:
    """STATUS between two clocks, right after a change, and while something moves."""
    assert bench.hello is not None
    for _ in range(ROUNDS):
        before = (await bench.clock()).message
        status = await bench.status()
        after = (await bench.clock()).message
        fresh = before.board_us <= status.board_us <= after.board_us
        expect(fresh, "stale_time", said=status.board_us, low=before.board_us, high=after.board_us)
        right = before.last_event <= status.last_event <= after.last_event
        expect(right, "stale_event", said=status.last_event, wanted=after.last_event)
        expect(
            status.boot == bench.hello.boot,
            "wrong_boot",
            said=f"{status.boot:x}",
            wanted=f"{bench.hello.boot:x}",
        )
        was = status.profile
        if await toggle(bench):
            now = (await bench.status()).profile
            expect(now != was, "stale", field="profile", said=now)
    await bench.restore()
    if not bench.settings.motion:
        return saw("snapshot", count=ROUNDS)
    trip = await bench.once(journey)
    if bool(trip.beats[0].moving):
        running = trip.status.running_id == trip.id
        expect(running, "stale", field="running_id", said=trip.status.running_id)
    expect(not trip.after.running_id, "stale", field="running_id", said=trip.after.running_id)
    return saw("snapshot_moving", count=ROUNDS, operation=trip.operation.name)
