"""Hello: answered each time, harmless when repeated, and what another journal or version means."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import DICTIONARY, TIMING
from protocols.conformance.bench import NOBODY_KNOWS, Bench
from protocols.conformance.checks.bodies import sample_orders
from protocols.conformance.checks.events import fresh_event, toggle
from protocols.conformance.evidence import Evidence, expect, named, saw
from protocols.conformance.register import check
from protocols.conformance.wire import VERSION, Heard
from protocols.vocabulary import Operation, Stage

FOREIGN = (VERSION + 1, VERSION + 2)  # versions of a host that does not speak ours
TIMES = 3
HELLOS = 8  # in a row, quicker than an event is repeated


@check("ATP-R26")
async def versions_that_do_not_meet(bench: Bench) -> Evidence:
    """A host of later versions, with another journal: it is told so, and changes nothing."""
    orders = await sample_orders(bench)
    answer = await bench.say_hello(bench.settings.rng.randbytes(16), FOREIGN)
    if answer is None:
        raise bench.unanswered("HELLO_ASK", "HELLO")
    for id, stage in orders:
        kept = await bench.query(id)
        expect(not isinstance(kept, m.Unknown), "foreign_hello_forgot", stage=stage.name)
    return saw("foreign_hello", low=FOREIGN[0], high=FOREIGN[1], count=len(orders))


@check("ATP-R27")
async def dictionary_hash(bench: Bench) -> Evidence:
    """The hash in HELLO, when the board's highest version is ours."""
    assert bench.hello is not None
    low, high, said = bench.hello.version_min, bench.hello.version_max, bench.hello.dictionary
    expect(low <= VERSION <= high, "versions", low=low, high=high)
    wanted = DICTIONARY.hash(VERSION)
    right = high != VERSION or said in (0, wanted)
    expect(right, "wrong_hash", said=f"0x{said:08X}", wanted=f"0x{wanted:08X}")
    return saw("hash", said=f"0x{said:08X}")


@check("ATP-R31")
async def another_journal(bench: Bench) -> Evidence:
    """Results of one journal asked after in the name of another, and ids that were pushed out used anew."""
    orders = await sample_orders(bench)
    old, bench.journal = bench.journal, bench.settings.rng.randbytes(16)
    await _hello(bench)
    for id, _ in orders:
        kept = await bench.query(id)
        expect(isinstance(kept, m.Unknown), "kept_of_another", stage=type(kept).__name__.upper())
    id = 1  # below any that was pushed out
    bench.reused.add(id)
    again = (await bench.give(NOBODY_KNOWS, id=id)).message
    expect(not isinstance(again, m.Unknown), "still_pushed_out", id=id)
    # a host that also speaks later versions is as good a host
    bench.journal = bench.settings.rng.randbytes(16)
    await _hello(bench, (VERSION, VERSION + 2))
    kept = await bench.query(id)
    expect(isinstance(kept, m.Unknown), "kept_of_another", stage=type(kept).__name__.upper())
    bench.journal = old
    await _hello(bench)
    return saw("forgot", count=len(orders))


async def _hello(bench: Bench, versions: tuple[int, int] = (VERSION, VERSION)) -> list[Heard]:
    """Say hello; what came from its answer on."""
    since = len(bench.wire.heard)
    if await bench.say_hello(versions=versions) is None:
        raise bench.unanswered("HELLO_ASK", "HELLO")
    return bench.wire.heard[since:]


@check("ATP-R34")
async def hello_brings_events(bench: Bench) -> Evidence:
    """HELLO first, then every event not acknowledged, for each greeting."""
    with bench.withholding():
        number = await fresh_event(bench)
        for _ in range(TIMES):
            await bench.wire.listen(0.0)
            since = len(bench.wire.heard)
            answer = await bench.say_hello()
            if answer is None:
                raise bench.unanswered("HELLO_ASK", "HELLO")
            at = bench.wire.heard.index(answer.heard, since)
            again = await bench.wire.until(
                lambda heard: isinstance(heard.message, m.Event) and heard.message.number == number,
                bench.now() + bench.repeat,
                at,
            )
            expect(again is not None, "no_events_after_hello", number=number)
        await _each_hello(bench, number)
    return saw("hello_events", count=TIMES, number=number)


async def _each_hello(bench: Bench, number: int) -> None:
    """Raise ``Broken`` when an event comes more seldom than hellos do: then no hello brings it."""
    known = len(bench.arrivals[number])
    for _ in range(HELLOS):
        await _hello(bench)
        await bench.wire.listen(TIMING.rto_min)
    came = len(bench.arrivals[number]) - known
    expect(came * 2 > HELLOS, "no_events_after_hello", number=number)


@check("ATP-R35")
async def repeated_hello(bench: Bench) -> Evidence:
    """The same greeting again: same boot, same state, results kept."""
    assert bench.hello is not None
    orders = await sample_orders(bench)
    for _ in range(TIMES):
        before = await bench.status()
        answer = await bench.say_hello()
        if answer is None:
            raise bench.unanswered("HELLO_ASK", "HELLO")
        same = answer.message.boot == bench.hello.boot
        expect(same, "boot_changed", before=f"{bench.hello.boot:x}", now=f"{answer.message.boot:x}")
        after = await bench.status()
        expect(state_of(before) == state_of(after), "hello_changed", **difference(before, after))
        for id, stage in orders:
            kept = await bench.query(id)
            now = Stage.UNKNOWN if isinstance(kept, m.Unknown) else stage
            expect(now is stage, "hello_forgot", stage=stage.name)
        await toggle(bench)  # another state to be left alone
    await bench.restore()
    return saw("hello_again", count=TIMES)


@check("ATP-R36")
async def opening_moves_nothing(bench: Bench) -> Evidence:
    """What STATUS and BEAT say runs, before a greeting and after it."""
    deadline = bench.now() + bench.limit(Operation.HOME)
    while (before := await bench.asked_beat()).moving and bench.now() < deadline:
        await bench.wire.listen(bench.repeat)  # whatever came before has to be over
    await _hello(bench)
    status, beat = await bench.status(), await bench.asked_beat()
    expect(not status.running, "hello_moves", running=named(Operation, status.running))
    expect(bool(before.moving) or not beat.moving, "hello_moves", running=named(Operation, status.running))
    return saw("hello_still")


@check("ATP-R37")
async def the_same_board(bench: Bench) -> Evidence:
    """Identity, capabilities and profiles asked again."""
    if bench.abilities is None:
        raise bench.unanswered("ABILITIES_ASK", "ABILITIES")
    for part, data in bench.identity.items():
        again = await bench.ask_part(part)

        expect(again.data == data, "identity_changed", part=part)
    now = (await bench.ask(m.AbilitiesAsk(), m.Abilities)).message
    was = bench.abilities
    same = (now.capabilities, now.profiles, now.boot_count) == (
        was.capabilities,
        was.profiles,
        was.boot_count,
    )
    expect(same, "abilities_changed")
    expect(any(bench.identity[1]) and any(bench.identity[2]), "nameless")
    return saw("same_identity", count=len(bench.identity))


VOLATILE = ("token", "board_us", "last_event")


def state_of(status: m.Status) -> dict[str, object]:
    """A snapshot without what changes by itself."""
    names = [field.name for field in status.LAYOUT.row.fields if field.name not in VOLATILE]
    return {name: getattr(status, name) for name in names}


def difference(before: m.Status, after: m.Status) -> dict[str, str]:
    """The first field that changed, and how."""
    one, other = state_of(before), state_of(after)
    for name, value in one.items():
        if other[name] != value:
            return {"field": name, "before": _shown(value), "after": _shown(other[name])}
    return {"field": "", "before": "", "after": ""}


def _shown(value: object) -> str:
    return value.hex(" ") if isinstance(value, bytes) else str(value)
