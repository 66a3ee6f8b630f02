"""What the parts of a ruleset owe one another: contradictions no type can see."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.model import Ruleset
from tablectl.rules.tiles import WINDS
from tablectl.rules.values import Rule
from tablectl.rules.wuhan.score import WuhanScore

SIDES = 4
TILES_PER_STACK = 2
FLOWERED = 144  # tiles of a set with flowers
TAKEN_IN_BLOCKS = 12  # of a hand of 13: the last tile comes alone

Field = tuple[str, str]  # section and field
Contradiction = tuple[tuple[Field, ...], str]  # the fields that contradict one another, and why


def contradictions(rules: Ruleset) -> Iterator[Contradiction]:
    """Every contradiction of the ruleset, in the order of its sections."""
    yield from _amounts(rules)
    yield from _wall(rules)
    yield from _claims(rules)
    yield from _session(rules)


def _amounts(rules: Ruleset) -> Iterator[Contradiction]:
    for section in rules.__struct_fields__:
        part = getattr(rules, section)
        for field in getattr(part, "__struct_fields__", ()):
            rule = getattr(part, field)
            if isinstance(rule, Rule) and isinstance(rule.value, int) and rule.value < 0:
                yield ((section, field),), "it is below 0"


def _wall(rules: Ruleset) -> Iterator[Contradiction]:
    tiles, stacks = rules.wall.tiles.value, rules.wall.stacks_per_side.value
    built = stacks * SIDES * TILES_PER_STACK
    if built != tiles:
        fields = ("wall", "stacks_per_side"), ("wall", "tiles")
        yield fields, f"{stacks} stacks a side make {built} tiles, not {tiles}"
    if rules.flowers.used.value != (tiles == FLOWERED):
        holds = "holds no" if tiles != FLOWERED else "holds"
        yield (("flowers", "used"), ("wall", "tiles")), f"a set of {tiles} tiles {holds} flowers"
    if (taken := sum(rules.deal.blocks.value)) != TAKEN_IN_BLOCKS:
        yield (("deal", "blocks"),), f"the blocks are {taken} tiles, not {TAKEN_IN_BLOCKS}"
    if rules.wall.throws.value < 1 or rules.wall.dice.value < 1:
        yield (("wall", "throws"), ("wall", "dice")), "the wall is broken by at least one die, thrown once"
    if rules.wall.dead_tiles.value + rules.wall.draw_only.value >= tiles:
        yield (("wall", "dead_tiles"), ("wall", "tiles")), "no tile is left to draw"
    if isinstance(rules.score, WuhanScore) != (rules.wall.indicator.value != "none"):
        fields = ("wall", "indicator"), ("score", "laizi_kinds")
        yield fields, "an indicator names wild tiles, and they need one"


def _claims(rules: Ruleset) -> Iterator[Contradiction]:
    claims = rules.claims
    words = sorted(claims.words.value)
    ranked = sorted(word for group in claims.priority.value for word in group)
    if ranked != words:
        yield (("claims", "priority"), ("claims", "words")), "the priority must name each claim once"
    for field in ("draw_closes", "last_discard"):
        for word in getattr(claims, field).value:
            if word not in words:
                yield (("claims", field), ("claims", "words")), f"{word} cannot be claimed at all"
    for field in ("window_s", "win_s", "chow_s"):
        if (getattr(claims, field).value == 0) != (claims.window_s.value == 0):
            yield (("claims", field), ("claims", "window_s")), "some claims have a limit and others none"
    if not claims.window_s.value and not claims.settle_s.value:
        yield (
            (("claims", "settle_s"), ("claims", "window_s")),
            "without a window calls must settle",
        )
    if not 1 <= claims.winners.value < SIDES:
        yield (("claims", "winners"),), f"a discard has 1 to {SIDES - 1} winners"


def _session(rules: Ruleset) -> Iterator[Contradiction]:
    session = rules.session
    rounds, changes = session.rounds.value, session.seat_changes.value
    fields: tuple[Field, ...]
    planned = len(rounds) * SIDES
    if session.hands.value not in (0, planned) and not session.dealer_keeps.value:
        fields = ("session", "hands"), ("session", "rounds")
        yield fields, f"{len(rounds)} rounds make {planned} hands, not {session.hands.value}"
    chips = sum(value * count for value, count in session.chips.value)
    if session.chips.value and chips != session.start_points.value:
        fields = ("session", "chips"), ("session", "start_points")
        yield fields, f"the chips are {chips} points, not {session.start_points.value}"
    for wind in rounds:
        if wind not in WINDS:
            yield (("session", "rounds"),), f"{wind} is no wind"
    if changes and len(changes) != len(rounds) - 1:
        fields = ("session", "seat_changes"), ("session", "rounds")
        yield fields, f"{len(rounds)} rounds have {len(rounds) - 1} changes of seats, not {len(changes)}"
    for change in changes:
        if sorted(change) != sorted(WINDS) or sorted(change.values()) != sorted(WINDS):
            yield (("session", "seat_changes"),), "each wind must go to one other place"
    if session.time_s.value and session.warning_s.value >= session.time_s.value:
        fields = ("session", "warning_s"), ("session", "time_s")
        yield fields, "the warning comes before the session begins"
