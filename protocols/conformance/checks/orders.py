"""Orders that move nothing: what is kept of them, what is asked of it, what is refused and why."""

from __future__ import annotations

from protocols.atp import messages as m
from protocols.atp.dictionary import LIMITS
from protocols.conformance.bench import NOBODY_KNOWS, Bench
from protocols.conformance.checks.bodies import sample_orders
from protocols.conformance.checks.events import toggle
from protocols.conformance.checks.motion import begin_motion
from protocols.conformance.evidence import Evidence, NotApplicable, expect, named, saw
from protocols.conformance.register import Phase, check
from protocols.conformance.stages import StageMessage, expect_refused, stage_of
from protocols.vocabulary import NO_SIDE, SIDES, Capability, Lamp, Operation, Refusal, Stage

STRANGE_PROFILE = 7  # tiles of one set
STRANGE_SIDE, STRANGE_HAND, STRANGE_COUNT = 77, 54321, 4660
MOST_DICE = 8
BYTE = 256  # added to a right number, it is another one to whoever reads two bytes
FILL = LIMITS.results_kept + 2
QUERIES = 3


def told(message: StageMessage) -> str:
    """The stage a message tells, as SPEC.md writes it."""
    return stage_of(message).name


@check("ATP-R43", phase=Phase.MIXED)
async def results_are_kept(bench: Bench) -> Evidence:
    """As many orders as must be kept, all asked after; one under way while others pass."""
    orders = (await sample_orders(bench) + await sample_orders(bench))[-LIMITS.results_kept :]
    for id, stage in orders:
        kept = await bench.query(id)
        expect(
            stage_of(kept) is stage, "forgot_result", stage=stage.name, said=told(kept), number=len(orders)
        )
    if not bench.settings.motion:
        return saw("results", count=len(orders))
    id = await begin_motion(bench)
    for _ in range(FILL):
        await bench.give(NOBODY_KNOWS)
    kept = await bench.query(id)
    expect(stage_of(kept) is not Stage.UNKNOWN, "forgot_running", number=FILL)
    await bench.ended(id)
    return saw("results_moving", count=len(orders), others=FILL)


@check("ATP-R45")
async def pushed_out_ids(bench: Bench) -> Evidence:
    """An id that was pushed out, one below it that never was, and 0."""
    first = bench.next_id()
    never = first - 1
    await bench.give(NOBODY_KNOWS, id=first)
    await bench.next_orders(FILL)
    before = await bench.status()
    other = next((size for size in bench.profiles if size != before.profile), STRANGE_PROFILE)
    for id in (first, never, 0):
        answer = (await bench.give_order(m.Operate(id, Operation.SET_PROFILE, NO_SIDE, 0, other))).message
        expect(isinstance(answer, m.Unknown), "old_id_taken", id=id, stage=told(answer))
    after = await bench.status()
    expect(after.profile == before.profile, "old_id_moved", before=before.profile, after=after.profile)
    return saw("old_ids", count=3)


@check("ATP-R46")
async def queries(bench: Bench) -> Evidence:
    """Orders asked after again and again, and one nobody gave."""
    orders = await sample_orders(bench)
    never = bench.next_id()
    count = 0
    for _ in range(QUERIES):
        for id, stage in [*orders, (never, Stage.UNKNOWN)]:
            kept = await bench.query(id)
            expect(stage_of(kept) is stage, "wrong_query", wanted=stage.name, said=told(kept))
            operation = getattr(kept, "operation", bench.operations.get(id, 0))
            right = operation == bench.operations.get(id, 0)
            expect(
                right,
                "wrong_operation",
                wanted=named(Operation, bench.operations.get(id, 0)),
                said=named(Operation, operation),
            )
            count += 1
    unasked = [heard.message for id, _ in orders for heard in bench.stages[id] if _asked(heard.message)]
    expect(len(unasked) >= len(orders), "not_marked", count=len(unasked))
    return saw("queries", count=count)


def _asked(message: object) -> bool:
    return bool(getattr(message, "queried", 0))


@check("ATP-R49", phase=Phase.MIXED)
async def other_arguments(bench: Bench) -> Evidence:
    """Orders with nonsense in the arguments they do not use."""
    tried = 0
    profile = (await bench.status()).profile
    orders = [
        (Operation.CLEAR_FAULT, {"side": STRANGE_SIDE, "hand": STRANGE_HAND, "count": STRANGE_COUNT}),
        (Operation.SET_PROFILE, {"side": STRANGE_SIDE, "hand": STRANGE_HAND, "count": profile}),
        (Operation.LAMPS, {"hand": STRANGE_HAND, "count": Lamp.OFF}),
    ]
    if bench.settings.motion:
        await bench.ready()
        orders.append((Operation.HOME, {"side": STRANGE_SIDE, "hand": STRANGE_HAND, "count": STRANGE_COUNT}))
        if Capability.DICE in bench.capabilities:
            orders.append((Operation.DICE, {"side": 1, "hand": STRANGE_HAND, "count": 1}))
    for operation, arguments in orders:
        end = await bench.carry_out(operation, **arguments)
        if isinstance(end, m.Refused) and end.refusal == Refusal.UNSUPPORTED:
            continue
        expect(isinstance(end, m.Done), "looked_at_others", operation=operation.name, stage=told(end))
        tried += 1
    if not tried:
        raise NotApplicable("unsupported", operation="CLEAR_FAULT SET_PROFILE LAMPS")
    return saw("others_ignored", count=tried)


@check("ATP-R57", phase=Phase.MIXED)
async def refusals_give_a_reason(bench: Bench) -> Evidence:
    """Orders with arguments that make no sense, and one whose start is not reached."""
    bad = (Refusal.BAD_ARGUMENT, Refusal.UNSUPPORTED)
    orders: list[tuple[Operation, dict[str, int], tuple[Refusal, ...]]] = [
        (Operation.SET_PROFILE, {"count": STRANGE_PROFILE}, bad),
        (Operation.SET_PROFILE, {"count": 0}, bad),
        *((Operation.SET_PROFILE, {"count": size + 1}, bad) for size in bench.profiles),
        *((Operation.SET_PROFILE, {"count": size + BYTE}, bad) for size in bench.profiles),
    ]
    if bench.settings.motion:
        await bench.ready()
        orders += [
            (Operation.DICE, {"side": STRANGE_SIDE, "count": 2}, bad),
            (Operation.DICE, {"side": len(SIDES), "count": 2}, bad),
            (Operation.DICE, {"side": 1, "count": 0}, bad),
            (Operation.DICE, {"side": 1, "count": MOST_DICE + 1}, bad),
            (Operation.DICE, {"side": 1, "count": BYTE + 2}, bad),
            (Operation.RAISE, {"side": STRANGE_SIDE, "hand": 3}, (*bad, Refusal.NOT_READY)),
            (Operation.RAISE, {"side": len(SIDES), "hand": 3}, (*bad, Refusal.NOT_READY)),
        ]
    for operation, arguments, reasons in orders:
        expect_refused(await bench.carry_out(operation, **arguments), operation.name, *reasons)
    return saw("refusals", count=len(orders))


@check("ATP-R86", phase=Phase.MIXED)
async def honest_capabilities(bench: Bench) -> Evidence:
    """What each claim can be tried by: an order it stands for is not UNSUPPORTED and does what it says."""
    tried = []
    for capability, operation, arguments in await _claims(bench):
        if capability not in bench.capabilities:
            continue
        end = await bench.carry_out(operation, **arguments)
        lie = isinstance(end, m.Refused) and end.refusal == Refusal.UNSUPPORTED
        expect(not lie, "false_claim", capability=str(capability.name), operation=operation.name)
        if capability is Capability.DICE_READBACK and isinstance(end, m.Done):
            expect(end.value > 0, "false_claim", capability="DICE_READBACK", operation="DICE")
        tried.append(str(capability.name))
    if Capability.GEAR_REMOTE in bench.capabilities:
        expect(bool(bench.profiles), "no_profiles")
        if await toggle(bench):
            await bench.restore()
    if Capability.SIMULATED not in bench.capabilities:
        expect(bench.scale == 1, "hurried", scale=bench.scale)
    if not tried:
        raise NotApplicable("nothing_claimed")
    return saw("claims", capabilities=" ".join(tried))


async def _claims(bench: Bench) -> list[tuple[Capability, Operation, dict[str, int]]]:
    """Capabilities and the orders that try them; those that move only where motion is allowed."""
    profile = (await bench.status()).profile
    claims = [
        (Capability.GEAR_REMOTE, Operation.SET_PROFILE, {"count": profile}),
        (Capability.LAMPS, Operation.LAMPS, {"count": int(Lamp.OFF)}),
    ]
    if bench.settings.motion:
        await bench.ready()
        throw = {"side": 0, "count": 1}
        claims += [
            (Capability.DICE, Operation.DICE, throw),
            (Capability.DICE_READBACK, Operation.DICE, throw),
            (Capability.PAUSE_INSERT, Operation.PAUSE, {}),
        ]
    return claims
