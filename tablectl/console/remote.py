"""Commands of the API from the command line: sent, answered, said in words, turned into an exit code."""

from __future__ import annotations

import os
import secrets
import sys
from typing import Any

from tablectl.api.arguments import MAX_WHO
from tablectl.api.blocking import Caller
from tablectl.api.errors import AnsweredError, ApiError, NoDaemon
from tablectl.api.spec import CommandSpec
from tablectl.locale.catalog import text

from . import terminal
from .parser import Parsed
from .socket_path import find_socket
from .terminal import Terminal
from .width import clean_all

BUSY = -32000  # no place for one more client; not imported from rpc, which would load more than is needed
SHEET = "session sheet"
OUTCOME_CODES = {"accepted": terminal.OK, "refused": terminal.REFUSED, "pending": terminal.PENDING}


def run(spec: CommandSpec, parsed: Parsed, screen: Terminal) -> int:
    """Give a command or ask a query. Returns the exit code."""
    options = parsed.options
    path = find_socket(options.get("socket", ""), os.environ)
    actor = options.get("actor") or (os.environ.get("USER") or "local")[:MAX_WHO]
    if spec.name == "watch":
        from .watch import run as watch

        try:
            return watch(
                path,
                screen,
                actor=actor,
                role=options["role"],
                since=parsed.args.get("since"),
                open=parsed.args.get("open", False),
            )
        except ApiError as error:
            return _failed(error, screen)
    envelope = {} if spec.query else _envelope(spec, options, screen)
    if envelope is None:
        return terminal.REFUSED
    try:
        with Caller(path, actor=actor, role=options["role"]) as caller:
            result = caller.ask(spec, parsed.args, **envelope)
            if not _is_answer(spec, result):
                raise caller.stranger()
            unheard = _offline_word(caller) if spec.name == "machine stop" else None
    except ApiError as error:
        return _failed(error, screen)
    screen.at(result.get("house"))
    if spec.name == SHEET:
        from .sheet.command import show

        return show(result["sheet"], screen)
    if spec.query:
        return _show(spec, result, screen)
    return _answer(result, screen, unheard)


def _envelope(spec: CommandSpec, options: dict[str, Any], screen: Terminal) -> dict[str, Any] | None:
    """Id, expectation and confirmation of a command; None if it was not confirmed."""
    envelope: dict[str, Any] = {"id": options.get("id") or secrets.token_hex(8)}
    if options.get("expect"):
        envelope["expect"] = options["expect"]
    if spec.undo != "destructive":
        return envelope
    confirmed = options.get("yes", False)
    if not confirmed and sys.stdin.isatty() and not screen.as_json:
        word = spec.name.split()[-1]
        if _typed(text("confirm.ask", screen.lang, command=spec.name, word=word)) != word:
            screen.complain(text("confirm.no", screen.lang))
            return None
        confirmed = True
    return {**envelope, "confirm": True} if confirmed else envelope


def _typed(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        return ""


def _is_answer(spec: CommandSpec, result: dict[str, Any]) -> bool:
    """True if the answer has the shape a daemon's has."""
    if spec.name == SHEET:
        return isinstance(result.get("sheet"), dict)
    if not spec.query:
        texts = [result.get("text"), result.get("help", {})]
        whole = all(isinstance(result.get(name), int) for name in ("record", "at"))
        outcome, key = result.get("outcome"), result.get("key")
        known = isinstance(outcome, str) and outcome in OUTCOME_CODES and isinstance(key, str)
        return known and whole and all(isinstance(text, dict) for text in texts)
    state = result.get("state", {} if spec.name == "link status" else None)
    if not isinstance(state, dict):
        return False
    tables = [result.get("links"), state.get("links") or {}]
    return all(
        isinstance(links, dict) and all(isinstance(link, dict) for link in links.values()) for links in tables
    )


def _answer(result: dict[str, Any], screen: Terminal, unheard: str | None) -> int:
    """Say the answer. ``unheard`` is why no table can have heard it, None if one could."""
    code = OUTCOME_CODES[result["outcome"]]
    if result["key"] == "refused.no_table" or unheard is not None:
        code = terminal.NO_TABLE
    if screen.as_json:
        screen.json(result)
        return code
    result = clean_all(result)
    sentence = result["text"].get(screen.lang, "")
    if result["outcome"] == "refused":
        screen.complain(f"tablectl: {sentence}")
    else:
        record = text("answer.record", screen.lang, record=result["record"], at=result["at"])
        screen.line(f"{sentence} ({record})")
    if "help" in result:
        screen.complain(result["help"].get(screen.lang, ""))
    if unheard is not None:
        screen.complain(text("refused.no_table", screen.lang, word=clean_all(unheard)))
    return code


def _show(spec: CommandSpec, result: dict[str, Any], screen: Terminal) -> int:
    links = (result.get("state") or {}).get("links") or result["links"]
    code = terminal.OK if any(link.get("state") == "online" for link in links.values()) else terminal.NO_TABLE
    if screen.as_json:
        screen.json(result)
    else:
        from . import status

        status.show(spec, clean_all(result), screen)
    return code


def _offline_word(caller: Caller) -> str | None:
    from tablectl.api.registry import BY_NAME

    status = caller.ask(BY_NAME["status"], {})
    if not _is_answer(BY_NAME["status"], status):
        raise caller.stranger()
    links = (status["state"].get("links") or {}).values()
    if any(link.get("state") == "online" for link in links):
        return None
    return next((link.get("word", "") for link in links), "")


def _failed(error: ApiError, screen: Terminal) -> int:
    if isinstance(error, NoDaemon) or (isinstance(error, AnsweredError) and error.code == BUSY):
        code = terminal.NO_DAEMON
    elif error.key == "refused.role":
        code = terminal.REFUSED
    else:
        code = terminal.USAGE if isinstance(error, AnsweredError) else terminal.FAILED
    if screen.as_json:
        screen.json({"outcome": "error", "key": error.key, "text": error.texts()})
    screen.complain(f"tablectl: {clean_all(error.text(screen.lang))}")
    return code
