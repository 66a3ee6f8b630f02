"""``tablectl status`` and ``link status``: the same facts as the live view, once, and each link in words."""

from __future__ import annotations

from typing import Any

from tablectl.api.spec import CommandSpec

from .link_report import report
from .terminal import Terminal
from .view import link_lines, plain_lines, render, tidy
from .width import wrap

INDENT = "  "


def show(spec: CommandSpec, result: dict[str, Any], screen: Terminal) -> None:
    """Print the state and the links, or the links alone."""
    links = tidy(result["links"])
    if spec.name == "link status":
        for name, link in links.items():
            for line, _ in link_lines({"links": {name: link}}, screen.lang):
                screen.line(line)
            _print_report(link, screen)
        return
    state = {**result.get("state", {}), "house": result.get("house")}
    if screen.plain:
        for line in plain_lines(state, screen.lang):
            screen.line(line)
    else:
        screen.line(render(state, [], screen.lang, screen.width, screen.color))  # all: it scrolls
    for name, link in links.items():
        if len(links) > 1:
            screen.line(f"{name}:")
        _print_report(link, screen)


def _print_report(link: dict[str, Any], screen: Terminal) -> None:
    for line in report(link, screen.lang):
        first, *more = [line] if screen.plain else wrap(line, screen.width - len(INDENT))
        for part in (INDENT + first, *(2 * INDENT + rest for rest in more)):
            screen.line(part)
