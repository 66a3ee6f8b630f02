"""What any driver may report, whatever comes over its line: words and numbers the daemon can record."""

from __future__ import annotations

import msgspec

from protocols import driver
from protocols.clocksync import ClockSync
from protocols.driver import Report
from tablectl.daemon.link import translate

U64 = 1 << 64
BYTE = 1 << 8  # a side is one; what is no side of a table, the core ignores


def recordable(report: Report) -> None:
    """It is what its type says, and what a link makes of it can be written into a journal."""
    match report:
        case driver.BoardEvent(number=number, board_us=board_us, side=side, value=value):
            assert all(0 <= one < U64 for one in (number, board_us, value)), report
            assert 0 <= side < BYTE, report
            msgspec.json.encode(translate.board_event("x", 1, report))
        case driver.Reply(id=id, side=side, value=value, percent=percent):
            assert 0 <= id < U64, report
            assert 0 <= value < U64, report
            assert 0 <= percent < BYTE, report
            assert 0 <= side < BYTE, report
            msgspec.json.encode(translate.operation_reply("x", report))
        case driver.Status(last_event=last, board_us=board_us, faults=faults):
            assert all(0 <= one < U64 for one in (last, board_us, report.hand, report.running_id)), report
            assert all(0 <= side < BYTE for _, side in faults), report
            msgspec.json.encode(translate.board_status("x", report))
        case driver.Hello(boot_id=boot, time_scale=scale, profiles=profiles):
            assert 0 <= boot < U64, report
            assert 0 < scale < U64, report
            assert all(0 <= tiles < U64 for tiles in profiles), report
            msgspec.json.encode(report)
        case driver.EventsLost(first=first, last=last):
            assert 0 < first <= last < U64, report
        case driver.ClockSample():
            sync = ClockSync()
            sync.add(report)
            sync.to_host(report.board_us)
        case _:
            pass
