"""The command line: from ``sys.argv`` to an exit code.

Every room is imported when its command is called, so that ``tablectl --help`` is quick on a small computer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tablectl.api.errors import ApiError, BadArgument
from tablectl.api.spec import CommandSpec
from tablectl.locale import catalog

from . import terminal
from .local import LocalSpec
from .parser import Parsed, find, group, leading_options, parse
from .terminal import Terminal


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    terminal.prepare_streams()
    words = list(sys.argv[1:] if argv is None else argv)
    lang = catalog.language(_asked_language(words))
    try:
        code = _run(words, lang)
        sys.stdout.flush()
        return code
    except BadArgument as error:
        print(f"tablectl: {error.text(lang)}", file=sys.stderr)
        return terminal.USAGE
    except KeyboardInterrupt:
        print(f"\n{catalog.text('error.interrupted', lang)}", file=sys.stderr)
        return terminal.INTERRUPTED
    except BrokenPipeError:
        return terminal.reader_gone()
    except OSError as error:
        if error.errno not in terminal.OUTPUT_ERRORS:
            raise
        return terminal.cannot_write(error, lang)


def _run(words: list[str], lang: str) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        return _help_above(words[1:], lang)
    if words[0] == "--version":
        from tablectl import __version__

        print(f"tablectl {__version__}")
        return terminal.OK
    wants_help = any(word in ("-h", "--help") for word in words)
    named = [word for word in leading_options(words)[1] if not word.startswith("-")]
    if wants_help and (not named or (len(named) == 1 and group(named[0]))):
        return _help_above(named, lang)
    parsed = parse(words)
    if parsed.options.get("help"):
        from .help import of_command

        print(of_command(parsed.spec, lang))
        return terminal.OK
    screen = Terminal(
        lang,
        plain=parsed.options.get("plain", False),
        as_json=parsed.options.get("json", False),
        chosen=catalog.is_chosen(_asked_language(words)),
    )
    if isinstance(parsed.spec, LocalSpec):
        return _run_local(parsed.spec, parsed, lang)
    assert isinstance(parsed.spec, CommandSpec)
    from .remote import run

    return run(parsed.spec, parsed, screen)


def _help_above(words: list[str], lang: str) -> int:
    from .help import of_command, of_group, overview

    named = [word for word in words if not word.startswith("-")]
    if not named:
        print(overview(lang))
    elif group(named[0]) and len(named) == 1:
        print(of_group(named[0], lang))
    else:
        print(of_command(find(named)[0], lang))
    return terminal.OK


def _run_local(spec: LocalSpec, parsed: Parsed, lang: str) -> int:
    import argparse
    import importlib

    module_name, _, function = spec.target.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not module_name.startswith(error.name):
            raise
        raise BadArgument("bad.not_here", command=spec.name) from None
    values: dict[str, Any] = {arg.name: parsed.args.get(arg.name) for arg in spec.args}
    for flag in ("json", "plain", "socket"):
        values[flag] = parsed.options.get(flag)
    values = {name: value if value is not None else _absent(spec, name) for name, value in values.items()}
    try:
        chosen = catalog.is_chosen(parsed.options.get("lang") or "")
        code: int = getattr(module, function)(
            argparse.Namespace(**{"lang": lang, "chosen": chosen, **values})
        )
    except ApiError as error:
        if isinstance(error, BadArgument):
            raise
        print(f"tablectl: {error.text(lang)}", file=sys.stderr)
        return terminal.FAILED
    return code


def _absent(spec: LocalSpec, name: str) -> bool | None:
    arg = spec.arg(name)
    is_flag = name in ("json", "plain") or (arg is not None and arg.kind == "flag")
    return False if is_flag else None


def _asked_language(words: list[str]) -> str:
    for at, word in enumerate(words):
        if word == "--lang" and at + 1 < len(words):
            return words[at + 1]
        if word.startswith("--lang="):
            return word.partition("=")[2]
    return ""
