"""The command line's grammar, made from the registry: which command is meant, and its checked arguments.

argparse cuts the words and writes the help; every sentence about a mistake is ours, in the language asked
for and with the nearest valid word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablectl.api.arguments import MAX_WHO, nearest, one_of, read_arguments
from tablectl.api.errors import BadArgument
from tablectl.api.registry import COMMANDS
from tablectl.api.spec import ROLES, Arg, CommandSpec, Spec

from .local import LOCAL
from .width import clean

if TYPE_CHECKING:
    from argparse import ArgumentParser

SPECS: dict[str, Spec] = {spec.name: spec for spec in (*COMMANDS, *LOCAL)}
COMMON = (
    Arg("json", "flag", help="option.json"),
    Arg("plain", "flag", help="option.plain"),
    Arg("lang", "choice", choices=("en", "zh-Hans", "zh"), help="option.lang"),
    Arg("socket", "path", help="option.socket"),
    Arg("help", "flag", help="option.help"),
)
CALLING = (  # for commands of the API
    Arg("actor", "text", high=MAX_WHO, help="option.actor"),
    Arg("role", "choice", choices=ROLES, default="referee", help="option.role"),
)
COMMANDING = (  # for those that change something
    Arg("id", "text", high=MAX_WHO, help="option.id"),
    Arg("expect", "text", help="option.expect"),
    Arg("yes", "flag", help="option.yes"),
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command, its own arguments and the options every command has."""

    spec: Spec
    args: dict[str, Any]
    options: dict[str, Any]


def parse(argv: Sequence[str]) -> Parsed:
    """The command line as a command. Raises ``BadArgument``."""
    early, words = leading_options(argv)
    spec, rest = find(words)
    options = options_of(spec)
    parser = build(spec)
    from argparse import ArgumentError

    try:
        found, extra = parser.parse_known_args([*early, *rest])
    except ArgumentError as error:
        raise BadArgument("bad.no_value", argument=error.argument_name or clean(" ".join(rest))) from None
    for word in extra:
        known = [arg.option for arg in (*spec.args, *options) if not arg.positional]
        if word.startswith("-"):
            option = clean(word.partition("=")[0])
            meant = nearest(option, known)
            raise BadArgument("bad.unknown_option", command=spec.name, given=option, nearest=meant)
        raise BadArgument("bad.extra_word", command=spec.name, given=clean(word))
    given = {name: value for name, value in vars(found).items() if value is not None}
    common = Spec(spec.name, options)
    mine = {arg.name: _value(arg, given[arg.name]) for arg in spec.args if arg.name in given}
    theirs = {arg.name: _value(arg, given[_dest(arg)]) for arg in options if _dest(arg) in given}
    checked = read_arguments(common, theirs)
    if checked.get("help"):
        return Parsed(spec, mine, checked)
    whole = read_arguments(spec, mine)
    if isinstance(spec, CommandSpec):  # what was left out is the daemon's to fill in: it knows the house
        whole = {name: value for name, value in whole.items() if name in mine}
    return Parsed(spec, whole, checked)


def find(words: Sequence[str]) -> tuple[Spec, list[str]]:
    """The command the first words name, and the words after it. Raises ``BadArgument``."""
    for count in (2, 1):
        name = " ".join(words[:count])
        if len(words) >= count and name in SPECS:
            return SPECS[name], list(words[count:])
    first = words[0] if words else ""
    inner = group(first)
    if inner and (len(words) == 1 or words[1].startswith("-")):
        raise BadArgument("bad.incomplete_command", given=first, valid=" ".join(inner))
    if inner:
        raise one_of(clean(words[1]), inner, "bad.choice", argument=first)
    raise one_of(clean(first), first_words(), "bad.unknown_command")


def group(first: str) -> list[str]:
    """The second words of the commands that begin with ``first``."""
    return [name.split()[1] for name in SPECS if name.startswith(first + " ")]


def first_words() -> list[str]:
    """What a command line may begin with."""
    return list(dict.fromkeys(name.split()[0] for name in SPECS))


def options_of(spec: Spec) -> tuple[Arg, ...]:
    """The options a command has beside its own arguments, which may be those of the same name."""
    if not isinstance(spec, CommandSpec):
        return tuple(arg for arg in COMMON if spec.arg(arg.name) is None)
    return (*COMMON, *CALLING) if spec.query else (*COMMON, *CALLING, *COMMANDING)


def build(spec: Spec) -> ArgumentParser:
    """An argparse parser of one command; nothing is required or converted by it, so it only raises."""
    from argparse import ArgumentParser  # not for the overview: it costs a third of the start-up

    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for arg in spec.args:
        _add(parser, arg, arg.name)
    for arg in options_of(spec):
        _add(parser, arg, _dest(arg))
    return parser


def metavar(arg: Arg) -> str:
    """What stands for the value in a usage line."""
    if arg.kind == "seat":
        return "E|S|W|N"
    return "|".join(arg.choices) or {"number": "N", "tiles": "TILE...", "paths": "PATH"}.get(
        arg.kind, arg.kind.upper()
    )


def _dest(arg: Arg) -> str:
    return f"option_{arg.name}"


def _add(parser: ArgumentParser, arg: Arg, dest: str) -> None:
    if arg.kind == "flag":
        names = ("-h", "--help") if arg.name == "help" else (arg.option,)
        parser.add_argument(*names, dest=dest, action="store_true", default=None)
    elif arg.positional:
        parser.add_argument(dest, nargs="?", metavar=arg.name.upper())
    else:
        nargs = "+" if arg.kind == "tiles" else None
        names = (arg.option, arg.short) if arg.short else (arg.option,)
        action = "append" if arg.kind == "paths" else "store"
        parser.add_argument(*names, dest=dest, nargs=nargs, action=action, metavar=metavar(arg))


def _value(arg: Arg, value: Any) -> Any:
    if arg.kind in ("number", "side"):
        try:
            return int(value)
        except ValueError:
            return value
    if arg.kind == "tiles":
        return [tile for word in value for tile in word.replace(",", " ").split()]
    return value


def leading_options(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options may stand before the command: they are read as if they followed it."""
    flags = {"-h"} | {arg.option for arg in (*COMMON, *COMMANDING) if arg.kind == "flag"}
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "-":
        at += 1 if argv[at] in flags or "=" in argv[at] else 2
    return list(argv[:at]), list(argv[at:])
