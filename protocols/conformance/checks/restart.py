"""The board is switched off and on: another boot, and nothing of the old one in it."""

from __future__ import annotations

from dataclasses import dataclass

from protocols.atp import messages as m
from protocols.conformance.bench import Bench
from protocols.conformance.checks.bodies import sample_orders
from protocols.conformance.evidence import Evidence, expect, saw
from protocols.conformance.register import Phase, check


@dataclass(slots=True)
class Boots:
    """Two boots of one board."""

    before: m.Hello
    after: m.Hello
    newest: int  # event of the boot before
    kept: list[str]  # stages of orders of the boot before
    events: list[m.Event]
    status: m.Status


async def restarted(bench: Bench) -> Boots:
    """Switch it off and on, say hello again, and ask after what was ordered before."""
    assert bench.hello is not None
    orders = await sample_orders(bench)
    newest = (await bench.clock()).message.last_event
    before = bench.hello
    await bench.restart()
    kept = [type(said).__name__.upper() for said in [await bench.query(id) for id, _ in orders]]
    await bench.caught_up()
    assert bench.hello is not None
    return Boots(before, bench.hello, newest, kept, bench.events(), await bench.status())


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
