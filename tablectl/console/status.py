"""``tablectl status`` and ``link status``: the same facts as the live view, once."""

from __future__ import annotations

from typing import Any

from tablectl.api.registry import CommandSpec

from .screen import Screen
from .terminal import Terminal
from .view import link_lines, plain_lines


def show(spec: CommandSpec, result: dict[str, Any], screen: Terminal) -> None:
    """Print the state or the links."""
    doc = {**result.get("state", {}), "quality": result["links"]}
    if spec.name == "link status":
        for line, _ in link_lines({"links": result["links"], "quality": result["links"]}, screen.lang):
            screen.line(line)
    elif screen.plain:
        for line in plain_lines(doc, screen.lang):
            screen.line(line)
    else:
        screen.line(Screen(screen).frame(doc, [], 0.0))
