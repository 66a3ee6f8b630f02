"""Reads and writes the sentences of a fault plan: ``<when>: <kind> [side], <option>, …``.

when      now · at 312 s · at build 3 · at stack 9 of South [of build 3] · at order raise [of hand 2] ·
          at step trays_up · at roll 4 · at push 2 · at hand 2 · at discard 12 [of hand 2] · at reply 5 ·
          at frame 900 ·
          next build (stack of South, order raise, roll, push, hand, discard, reply, frame)
option    0.2 s · for 5 s · x3 · self-clear · do not self-clear · nobody helps · help after 30 s · name=value
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable

from protocols.vocabulary import NO_SIDE, Operation
from sim.errors import PlanError
from sim.items import Item, Value, When
from sim.kinds import Kind, kinds
from sim.mechanism.causes import SIDE_NAMES, side_name

ALIASES = {
    "jam": "head_jam",
    "lose": "lose_reply",
    "late": "late_reply",
    "pause": "gap",
    "drop": "drop_frame",
}
COUNTED = ("build", "stack", "roll", "push", "hand", "discard", "reply", "frame")
NAMED = ("order", "step")
SIDES = {name.lower(): side for side, name in enumerate(SIDE_NAMES)}
NUMBER = r"(?P<n>\d+(?:\.\d+)?)"


def parse(text: str) -> Item:
    """Read a sentence. Without a moment it happens now. Raises ``PlanError``."""
    head, colon, tail = text.partition(":")
    when = _when(text, head.strip().lower()) if colon else When()
    what = (tail if colon else text).strip()
    parts = [part.strip() for part in what.split(",") if part.strip()]
    if not parts:
        raise PlanError(text, "it does not say what goes wrong")
    words = parts[0].split()
    name = ALIASES.get(words[0].lower(), words[0].lower())
    if name not in kinds():
        raise PlanError(
            text, f"nothing of the name {words[0]!r} can go wrong", _near(words[0], [*kinds(), *ALIASES])
        )
    kind = kinds()[name]
    side, rest = when.side if kind.sided else NO_SIDE, " ".join(words[1:])
    first, _, after = rest.partition(" ")
    if first.lower() in SIDES:
        side, rest = SIDES[first.lower()], after
    options: dict[str, Value] = {}
    for part in [*([rest] if rest else []), *parts[1:]]:
        _option(text, kind, part, options)
    return Item(when, name, side, tuple(sorted(options.items())))


def _near(word: str, known: Iterable[str]) -> tuple[str, ...]:
    return tuple(difflib.get_close_matches(word, list(known), 2))


def _when(text: str, head: str) -> When:
    if head == "now":
        return When()
    if found := re.fullmatch(rf"at {NUMBER} ?s", head):
        return When("time", float(found["n"]))
    found = re.fullmatch(
        r"(?:at|next) (?P<kind>[a-z]+)(?: (?P<n>\d+)| (?P<name>[a-z_]+)(?<! of))?"
        r"(?: of (?P<side>east|south|west|north))?(?: of build (?P<build>\d+))?(?: of hand (?P<hand>\d+))?",
        head,
    )
    if not found or found["kind"] not in (*COUNTED, *NAMED):
        raise PlanError(
            text, f"{head!r} is no moment", _near(head.split()[1] if " " in head else head, COUNTED)
        )
    kind, name = found["kind"], found["name"] or ""
    if (kind in NAMED) != bool(name) or (kind == "order" and name.upper() not in Operation.__members__):
        names = [operation.name.lower() for operation in Operation]
        raise PlanError(text, f"{head!r} names no {kind}", _near(name, names))
    return When(
        kind,
        int(found["n"] or 0),
        SIDES[found["side"]] if found["side"] else NO_SIDE,
        name,
        int(found["hand"] or 0),
        int(found["build"] or 0),
    )


def _option(text: str, kind: Kind, part: str, options: dict[str, Value]) -> None:
    """Read one option, or several short ones with blanks between."""
    low = part.lower()
    for pattern, name, read in FORMS:
        if found := re.fullmatch(pattern, low):
            _set(text, kind, name, read(found), options)
            return
    words = part.split()
    if len(words) > 1 and all("=" in word for word in words):
        for word in words:
            _option(text, kind, word, options)
        return
    name, equals, value = part.partition("=")
    if not equals:
        raise PlanError(text, f"{part!r} says nothing about {kind.name}", _near(part, kind.options))
    _set(text, kind, name.strip(), _value(value.strip(), kind.options.get(name.strip(), "")), options)


def _set(text: str, kind: Kind, name: str, value: Value, options: dict[str, Value]) -> None:
    if name not in kind.options:
        known = ", ".join(kind.options) or "none"
        raise PlanError(
            text, f"{kind.name} has no option {name!r} (it has: {known})", _near(name, kind.options)
        )
    options[name] = value


def _value(text: str, like: Value) -> Value:
    if isinstance(like, str):
        return text
    try:
        number = float(text)
    except ValueError as error:
        raise PlanError(text, "it should be a number") from error
    return int(number) if isinstance(like, int) else number


def _number(found: re.Match[str]) -> Value:
    return float(found["n"])


FORMS: tuple[tuple[str, str, Callable[[re.Match[str]], Value]], ...] = (
    (rf"(?:for )?{NUMBER} ?s", "seconds", _number),
    (rf"help after {NUMBER} ?s", "helps", _number),
    (r"nobody helps", "nobody", lambda found: True),
    (r"x(?P<n>\d+)", "times", lambda found: int(found["n"])),
    (r"self-clear", "clears", lambda found: True),
    (r"do not self-clear", "clears", lambda found: False),
)


def write(item: Item) -> str:
    """The sentence; ``parse`` reads it back to the same item."""
    kind = kinds()[item.kind]
    own = item.side if not (kind.sided and item.side == item.when.side) else NO_SIDE
    what = f"{item.kind} {side_name(own)}".strip()
    return ", ".join([f"{_moment(item.when)}: {what}", *(_written(*option) for option in item.options)])


def _moment(when: When) -> str:
    if when.kind == "now":
        return "now"
    if when.kind == "time":
        return f"at {when.number:.6f}".rstrip("0").rstrip(".") + " s"
    head = f"at {when.kind} {when.name}" if when.name else f"at {when.kind} {int(when.number)}"
    if not when.name and not when.number:
        head = f"next {when.kind}"
    side = f" of {side_name(when.side)}" if when.side != NO_SIDE else ""
    build = f" of build {when.build}" if when.build else ""
    return f"{head}{side}{build}" + (f" of hand {when.hand}" if when.hand else "")


def _written(name: str, value: Value) -> str:
    match name, value:
        case "seconds", _:
            return f"for {value:g} s"
        case "helps", _:
            return f"help after {value:g} s"
        case "nobody", _:
            return "nobody helps"
        case "times", _:
            return f"x{value}"
        case "clears", True:
            return "self-clear"
        case "clears", False:
            return "do not self-clear"
    return f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
