"""``tablectl journal show|verify|replay|repair|cases``: the record of a table, for people.

Exit codes: 0 whole and agreeing, 1 damaged or different, 2 no such file.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tablectl.api.errors import BadArgument
from tablectl.daemon import history
from tablectl.daemon.errors import DaemonError, JournalNotFile
from tablectl.daemon.record import Verdict, read_lines
from tablectl.locale.catalog import text

from .sentences import sentence
from .terminal import FAILED, OK, Terminal
from .width import clean, clean_all

DIFFERS = {  # else a word of the result
    "state": "journal.state_differs",
    "end": "journal.no_end",
    "no_end": "journal.new_end",
    "rules": "journal.rules_differ",
}


def show(args: Namespace) -> int:
    """Print the records, tiles of a hand in play masked."""
    terminal = _terminal(args)
    damaged = False
    for row in history.show(_lines(args.file), open=args.open):
        damaged |= row.kind == "damaged"
        if args.json:
            terminal.json(row._asdict())
        else:
            head = f"{row.n:>6} {row.time:>12}  {row.kind:<8} {row.key:<16}"
            terminal.line(clean(f"{head} {_fields(row.fields)}".rstrip()))
    return FAILED if damaged else OK


def verify(args: Namespace) -> int:
    """Say whether the journal is whole, or its first bad line."""
    terminal = _terminal(args)
    notes: list[DaemonError] = []
    verdict = _verdict(args.file, notes)
    if args.json:
        terminal.json(
            {
                "ok": verdict.ok,
                "records": verdict.records,
                "bad_line": verdict.bad_line,
                "key": verdict.key,
                "data": verdict.data,
                "head": verdict.head._asdict(),
                "vouched": verdict.vouched,
            }
        )
    else:
        _say(terminal, args.file, verdict, notes)
    return OK if verdict.ok else FAILED


def replay(args: Namespace) -> int:
    """Play every input again and compare the result of each hand and the state after it with the record."""
    from tablectl.console.typed_rules import book_with
    from tablectl.daemon import rerun

    terminal = _terminal(args)
    if Path(args.file).is_fifo():  # it is read twice
        terminal.complain(f"tablectl: {sentence(JournalNotFile(path=args.file), terminal.lang)}")
        return FAILED
    if not _verdict(args.file).ok:
        return verify(args)  # a damaged record is not replayed: it says where it is damaged
    try:
        replayed = rerun.replay(_lines(args.file), book_with(args.rules))
    except DaemonError as error:
        terminal.complain(f"tablectl: {sentence(error, terminal.lang)}")
        return FAILED
    if args.json:
        differences = [asdict(difference) for difference in replayed.differences]
        told = {"inputs": replayed.inputs, "results_only": list(replayed.results_only)}
        terminal.json({"ok": not differences, **told, "differences": differences})
    elif replayed.differences:
        for difference in replayed.differences:
            key = DIFFERS.get(difference.what, "journal.differs")
            terminal.say(key, path=clean(args.file), **clean_all(asdict(difference)))
    else:
        key = "journal.results_agree" if replayed.results_only else "journal.replayed"
        hands = len(replayed.results_only)
        terminal.say(key, path=clean(args.file), inputs=replayed.inputs, hands=hands)
    return FAILED if replayed.differences else OK


def repair(args: Namespace) -> int:
    """Keep the good records before the damage, copy the whole file beside them."""
    from tablectl.daemon.recovery import refuse_irregular
    from tablectl.daemon.repair import repair as mend

    terminal = _terminal(args)
    try:
        refuse_irregular(Path(args.file))
        _verdict(args.file)
        mended = mend(Path(args.file))
    except DaemonError as error:
        terminal.complain(f"tablectl: {sentence(error, terminal.lang)}")
        return FAILED
    if args.json:
        terminal.json({"kept": mended.kept.n, "lost": mended.lost, "copy": str(mended.copy or "")})
    elif mended.copy is None:
        terminal.say("journal.intact", path=clean(args.file), records=mended.kept.n)
    else:
        terminal.say("journal.repaired", kept=mended.kept.n, lost=mended.lost, copy=clean(str(mended.copy)))
    return OK


def cases(args: Namespace) -> int:
    """Tell every case of the journal from the call to the signature, from the record alone."""
    from tablectl.console.case_lines import story
    from tablectl.console.typed_rules import book_with
    from tablectl.daemon import casebook
    from tablectl.daemon.record import read_records

    terminal = _terminal(args)
    if not _verdict(args.file).ok:
        return verify(args)
    try:
        read = casebook.read(read_records(_lines(args.file)), book_with(args.rules))
    except DaemonError as error:
        terminal.complain(f"tablectl: {sentence(error, terminal.lang)}")
        return FAILED
    found = [one.to_json() for one in read.stories]
    if args.json:
        terminal.json({"cases": found})
    elif not found:
        terminal.say("story.none")
    else:
        for one in found:
            for line in story(one, terminal.lang):
                terminal.line(line)
    return OK


def _say(terminal: Terminal, file: str, verdict: Verdict, notes: list[DaemonError]) -> None:
    path = clean(file)
    if not verdict.ok:
        reason = text(verdict.key, terminal.lang, **clean_all(verdict.data))
        terminal.say("journal.bad", path=path, reason=reason)
        return
    terminal.say("journal.intact", path=path, records=verdict.records)
    for note in notes:
        terminal.line(sentence(note, terminal.lang))
    if not verdict.vouched and not notes:
        terminal.say("journal.no_head", path=path)


def _fields(fields: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items())


def _lines(path: str) -> Iterator[bytes]:
    """The lines of a file. Raises ``BadArgument`` if it cannot be read."""
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed with the generator
    except OSError as error:
        raise BadArgument("bad.file", path=clean(path), reason=error.strerror or str(error)) from None

    def lines() -> Iterator[bytes]:
        with file:
            yield from read_lines(file)

    return lines()


def _verdict(path: str, notes: list[DaemonError] | None = None) -> Verdict:
    """What is right or wrong with a file. Raises ``BadArgument`` if it cannot be read."""
    try:
        return history.verify(Path(path), notes)
    except OSError as error:
        raise BadArgument("bad.file", path=clean(path), reason=error.strerror or str(error)) from None


def _terminal(args: Namespace) -> Terminal:
    return Terminal(args.lang, plain=args.plain, as_json=args.json)
