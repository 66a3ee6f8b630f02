"""Puts one table together and takes it apart: the record, the writer, the devices' links."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from protocols.transports.port import port_at
from tablectl import __version__
from tablectl.daemon.config import Settings
from tablectl.daemon.core import Core
from tablectl.daemon.drivers import driver_factory
from tablectl.daemon.filelayer import FileLayer
from tablectl.daemon.journal import FileJournal
from tablectl.daemon.link.link import Link
from tablectl.daemon.lock import StateLock
from tablectl.daemon.logs import log_events
from tablectl.daemon.recovery import Recovered, open_or_create
from tablectl.daemon.restore import restore
from tablectl.daemon.sections import Device
from tablectl.daemon.snapshot import snapshots
from tablectl.daemon.timebase import TableClock, wall_time_ms
from tablectl.daemon.wallclock import WallWatch
from tablectl.game.inputs import Restarted
from tablectl.rules.book import RuleBook

LOG = logging.getLogger("tablectl")


@asynccontextmanager
async def one_table(
    settings: Settings, book: RuleBook, *, layer: FileLayer | None = None
) -> AsyncIterator[Core]:
    """A table that works on its record as long as the context lasts. Raises ``DaemonError``.

    ``layer`` is another disk for the journal than the real one.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(StateLock(settings.state_dir))
        written_ms = last_written_ms(settings.journal)
        recovered = open_or_create(
            settings.journal,
            code=__version__,
            rules={id_: book.hash(id_) for id_ in book},
            new_id=partial(secrets.token_hex, 16),
        )
        for note in recovered.notes:
            LOG.warning("%s", note)
        core = await _core(stack, settings, book, recovered, layer, away_s(written_ms, wall_time_ms()))
        for device in settings.devices:
            _connect(stack, core, device, settings, recovered)
        stack.callback(log_events(core))
        yield core


def last_written_ms(journal: Path) -> int | None:
    """When the journal was last written, by the computer's date; None if there is none."""
    try:
        return journal.stat().st_mtime_ns // 1_000_000
    except OSError:
        return None


def away_s(written_ms: int | None, now_ms: int) -> int:
    """Seconds since then, for people to read: a date that was set back says 0, and no clock follows it."""
    return 0 if written_ms is None else max(0, now_ms - written_ms) // 1000


async def _core(
    stack: AsyncExitStack,
    settings: Settings,
    book: RuleBook,
    recovered: Recovered,
    layer: FileLayer | None,
    gap_s: int,
) -> Core:
    loop = asyncio.get_running_loop()
    restored = restore(recovered, book)
    failures: list[Core] = []
    journal = FileJournal(
        settings.journal,
        recovered.head,
        on_failure=lambda failure: failures[0].journal_failed(failure),
        layer=layer,
    )
    stack.push_async_callback(journal.close)
    clock = TableClock(loop.time, recovered.last_at)
    core = Core(
        journal,
        clock,
        book,
        state=restored.state,
        answers=recovered.answers,
        snapshot=snapshots(journal, recovered.name.id),
        name=recovered.name.id,
    )
    failures.append(core)
    watch = WallWatch(loop, wall_time_ms, lambda step: core.emit(step, clock.now_us(), 0))
    stack.callback(watch.close)
    core.resume_from(restored.base, restored.tail)
    stack.callback(core.close)
    if not recovered.created:
        core.emit(Restarted(__version__, torn=recovered.torn, gap_s=gap_s), clock.now_us(), 0)
    return core


def _connect(
    stack: AsyncExitStack, core: Core, device: Device, settings: Settings, recovered: Recovered
) -> None:
    loop = asyncio.get_running_loop()
    wiring = settings.wirings.get(device.name)
    port = port_at(device.port, baud=device.baud, lines=device.modem_lines)
    stack.push_async_callback(port.settle)
    known = core.state.devices.get(device.name)
    adopted = known is not None and known.adopted  # a swapped table has another number than the configured
    serial = known.serial if known is not None and adopted else device.serial
    link = Link(
        device.name,
        device.port,
        driver_factory(device.driver, port.open, wiring, device.options),
        loop=loop,
        clock=core.clock,
        emit=core.emit,
        journal_id=bytes.fromhex(recovered.name.id),
        expected_serial=serial or None,
        path_exists=port.present,
        port_faults=port.faults,
        belongs_to=partial(_belongs_to, core, settings.devices, device),
    )
    core.devices[device.name] = link
    if known is not None and known.boot:
        link.durable(known.boot, known.last_event)
    link.start()
    stack.push_async_callback(link.close)


def _belongs_to(core: Core, devices: tuple[Device, ...], here: Device, serial: str) -> str:
    """The other device a serial number is known of: then the ports of the two are swapped. A device that has
    never met a board cannot tell, for makers give one number to many."""
    known = {device.name: _number(core, device) for device in devices}
    if known[here.name] in ("", serial):
        return ""
    return next((name for name, number in known.items() if number == serial), "")


def _number(core: Core, device: Device) -> str:
    """The serial number a device's board has, as far as it is known: configured, or met before."""
    met = core.state.devices.get(device.name)
    if met is None or (device.serial and not met.adopted):
        return device.serial
    return met.serial
