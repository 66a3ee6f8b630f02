"""``tablectl completion bash|zsh``: a script for the shell, written from the registry."""

from __future__ import annotations

from argparse import Namespace

from tablectl.api.spec import SEATS, Arg

from .parser import SPECS, first_words, group, options_of
from .terminal import OK

FILES = "--batch|--config|--port|--state-dir|--script|--socket"
ZSH_HEAD = "#compdef tablectl\nautoload -U +X bashcompinit && bashcompinit\n"


def main(args: Namespace) -> int:
    """Print the script of a shell."""
    print(script(args.shell), end="")
    return OK


def script(shell: str) -> str:
    """The completion script: zsh reads the one of bash."""
    return (ZSH_HEAD if shell == "zsh" else "") + _bash()


def _bash() -> str:
    lines = [
        "_tablectl() {",
        '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        '  case "$COMP_CWORD ${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
        f'    "1 "*) words="{" ".join(first_words())} --help --version" ;;',
    ]
    for first in first_words():
        if inner := group(first):
            own = SPECS.get(first)  # a word that is also a command of its own
            inner += [arg.option for arg in own.args if not arg.positional] if own else []
            lines.append(f'    "2 {first} "*) words="{" ".join(inner)}" ;;')
    for name, spec in sorted(SPECS.items(), key=lambda item: -len(item[0].split())):
        args = (*spec.args, *options_of(spec))
        words = [word for arg in args for word in (arg.choices if arg.positional else (arg.option,))]
        lines.append(f'    *" {name} "*|*" {name}") words="{" ".join(words)}" ;;')
    lines += ["  esac", '  case "$prev" in']
    for option, values in sorted(_values().items()):
        lines.append(f'    {option}) words="{" ".join(values)}" ;;')
    lines += [
        f'    {FILES}) COMPREPLY=($(compgen -f -- "$cur")); return ;;',
        "  esac",
        '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        "}",
        "complete -F _tablectl tablectl",
    ]
    return "\n".join(lines) + "\n"


def _values() -> dict[str, list[str]]:
    """The words that may follow an option, over all commands."""
    values: dict[str, list[str]] = {}
    for spec in SPECS.values():
        for arg in (*spec.args, *options_of(spec)):
            if not arg.positional and (words := _words(arg)):
                known = values.setdefault(arg.option, [])
                known += [word for word in words if word not in known]
    return values


def _words(arg: Arg) -> tuple[str, ...]:
    if arg.kind in ("tile", "tiles"):
        from protocols.vocabulary import TILE_NAMES

        return TILE_NAMES[1:]
    return SEATS if arg.kind == "seat" else arg.choices
