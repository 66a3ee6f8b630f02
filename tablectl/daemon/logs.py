"""The daemon's log: one JSON line an event worth a line, for journald or a terminal.

The record is the journal; the log is for whoever looks after the machine. Links and holds are told once a
change, so a cable that is out for an hour is two lines.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

from tablectl.daemon.core import Core

LOG = logging.getLogger("tablectl")
TOLD = ("event.link", "event.held", "event.released", "event.fault", "event.bug", "event.journal_failed")
WARNED = ("event.bug", "event.journal_failed", "event.fault")


class JsonFormatter(logging.Formatter):
    """``{"level":…,"text":…}`` and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, in UTF-8 whatever the locale is (B109)."""
        line: dict[str, Any] = {"level": record.levelname.lower(), "text": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up_logs() -> None:
    """Log to standard error."""
    handler = logging.StreamHandler()
    if hasattr(handler.stream, "reconfigure"):
        handler.stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("transitions").setLevel(logging.ERROR)  # a line a callback says nothing to anybody


def log_events(core: Core) -> Callable[[], None]:
    """Log what the table publishes that somebody should look at; returns how to stop."""

    def tell(event: dict[str, Any]) -> None:
        if event["key"] in TOLD:
            level = logging.WARNING if event["key"] in WARNED else logging.INFO
            LOG.log(level, event["key"], extra={"fields": {**event["data"], "n": event["n"]}})

    return core.subscribe(tell, None)[2]
