"""Help, written from the registry in either language."""

from __future__ import annotations

from tablectl.api.spec import Arg, CommandSpec, Spec
from tablectl.locale.catalog import text

from .parser import COMMON, SPECS, first_words, group, metavar, options_of
from .terminal import NARROWEST
from .width import cells, pad, wrap

NAME_CELLS = 20


def overview(lang: str) -> str:
    """All first words of the command line with a line each."""
    rows = []
    for word in first_words():
        spec = SPECS.get(word)
        rows.append((word, text(spec.key if spec else f"group.{word}", lang)))
    usage = f"{text('help.usage', lang)} tablectl COMMAND [ARGUMENTS]"
    version = [("--version", text("option.version", lang))]
    return "\n".join(
        [
            usage,
            "",
            *wrap(text("about", lang), NARROWEST),
            "",
            *_table(text("help.commands", lang), rows),
            "",
            *_table(text("help.common", lang), [_row(arg, lang) for arg in COMMON] + version),
            "",
            text("help.more", lang),
        ]
    )


def of_group(first: str, lang: str) -> str:
    """The commands that begin with a word."""
    rows = [(f"{first} {second}", text(SPECS[f"{first} {second}"].key, lang)) for second in group(first)]
    head = [f"{text('help.usage', lang)} tablectl {first} COMMAND", "", text(f"group.{first}", lang), ""]
    lines = [*head, *_table(text("help.commands", lang), rows)]
    if first in SPECS:  # the word is also a command of its own
        lines += ["", of_command(SPECS[first], lang)]
    return "\n".join(lines)


def of_command(spec: Spec, lang: str) -> str:
    """One command: usage, what it does, who may give it, its arguments."""
    usage = " ".join([f"tablectl {spec.name}", *map(_usage, spec.args), "[OPTIONS]"])
    usage = f"{text('help.usage', lang)} {usage}"
    lines = [*wrap(usage, NARROWEST), "", *wrap(text(spec.key, lang), NARROWEST)]
    if isinstance(spec, CommandSpec):
        lines.append(text("help.role", lang, role=spec.role))
        if spec.undo in ("two_person", "destructive"):
            lines.append(text(f"help.{spec.undo}", lang))
    if spec.args:
        lines += ["", *_table(text("help.arguments", lang), [_row(arg, lang) for arg in spec.args])]
    lines += ["", *_table(text("help.options", lang), [_row(arg, lang) for arg in options_of(spec)])]
    return "\n".join(lines)


def _usage(arg: Arg) -> str:
    word = arg.name.upper() if arg.positional else arg.option
    if arg.kind != "flag" and not arg.positional:
        word += f" {metavar(arg)}"
    return word if arg.required else f"[{word}]"


def _row(arg: Arg, lang: str) -> tuple[str, str]:
    about = text(arg.key, lang)
    if arg.choices:
        about += f" ({' '.join(arg.choices)})"
    return arg.option, about


def _table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    lines = [f"{title}:"]
    for name, about in rows:
        first, *more = wrap(about, NARROWEST - NAME_CELLS - 2) or [""]
        head = pad(name, NAME_CELLS) if cells(name) < NAME_CELLS else name + " "
        lines.append(f"  {head}{first}")
        lines += [" " * (NAME_CELLS + 2) + line for line in more]
    return lines
