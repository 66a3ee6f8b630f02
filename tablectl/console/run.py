"""``tablectl run``: the daemon, until it is told to stop."""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import signal
import sys
from pathlib import Path

from tablectl.api.dispatch import Dispatcher
from tablectl.api.errors import ApiError
from tablectl.api.house import House
from tablectl.api.server import Server
from tablectl.console.sentences import sentence
from tablectl.daemon import notify
from tablectl.daemon.config import Overrides, Settings, load_settings
from tablectl.daemon.errors import DaemonError, RulesUnknown, RulesUnreadable
from tablectl.daemon.logs import set_up_logs
from tablectl.daemon.supervisor import one_table
from tablectl.rules.book import RuleBook, load_book
from tablectl.tomlfile import TomlError


def main(args: argparse.Namespace) -> int:
    """Run until SIGTERM or Ctrl-C. Returns the exit code."""
    overrides = Overrides(
        config=Path(args.config) if args.config else None,
        port=args.port,
        state_dir=Path(args.state_dir) if args.state_dir else None,
        socket=Path(args.socket) if args.socket else None,
    )
    set_up_logs()
    try:
        settings = load_settings(overrides, os.environ)
        return asyncio.run(serve(settings, rule_book(settings)))
    except (TomlError, DaemonError, ApiError, OSError) as error:
        print(f"tablectl run: {sentence(error, args.lang)}", file=sys.stderr)
        return 2 if isinstance(error, TomlError) else int(getattr(error, "exit_code", 1))


def rule_book(settings: Settings) -> RuleBook:
    """The rule systems of this table, the one it plays by default among them. Raises ``RulesUnreadable``,
    ``RulesUnknown`` or ``TomlError``."""
    book = load_book(map(read_rules, settings.rules_files))
    if settings.rules not in book:
        raise RulesUnknown(path=str(settings.source), rules=settings.rules, known=", ".join(book))
    return book


def read_rules(path: Path) -> tuple[str, str]:
    """A club's rules file as (name, text). Raises ``RulesUnreadable``."""
    if path.exists() and not path.is_file():  # a pipe would keep the daemon waiting for ever
        raise RulesUnreadable(path=str(path), reason="it is not a file")
    try:
        return str(path), path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RulesUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise RulesUnreadable(path=str(path), reason="it is not UTF-8 text") from error


def house_of(settings: Settings) -> House:
    """What the configuration says of the table."""
    return House(settings.table_name, settings.language, settings.rules)


async def serve(settings: Settings, book: RuleBook) -> int:
    """Run the table and its socket, and wait to be told to stop."""
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with one_table(settings, book) as core:
        server = await Server.open(Dispatcher(core, house=house_of(settings)), settings.socket)
        gc.freeze()  # what start-up made stays: a full collection need not look at it, and takes no time
        notify.ready(settings.socket)
        watchdog = notify.watchdog(loop)
        try:
            await stop.wait()
        finally:
            notify.stopping()
            if watchdog is not None:
                watchdog.cancel()
            await server.close()
    return 0 if core.failure is None else core.failure.exit_code
