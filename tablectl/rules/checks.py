"""What the parts of a ruleset owe one another: contradictions no type can see, games nobody can play."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.rules.bounds import out_of_bounds
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.contradiction import Contradiction
from tablectl.rules.model import Ruleset
from tablectl.rules.offence_checks import of_catalogue
from tablectl.rules.tiles import KINDS, WINDS
from tablectl.rules.values import Rule
from tablectl.rules.wuhan.score import WuhanScore

SIDES = 4
TILES_PER_STACK = 2
FLOWERED = 144  # tiles of a set with flowers
TAKEN_IN_BLOCKS = 12  # of a hand of 13: the last tile comes alone
HAND, COPIES = 14, 4
MAX_ROUNDS = 16
WILD, FLOWER = "wild", "flower"


def contradictions(rules: Ruleset) -> Iterator[Contradiction]:
    """Every contradiction of the ruleset, in the order of its sections; numbers beyond their bounds first."""
    for field, number, low, high in out_of_bounds(rules):
        facts = {"number": number, "low": low, "high": high}
        yield Contradiction((field,), "contradiction.bounds", facts)
    yield from _lists(rules)
    yield from _wall(rules)
    yield from _tails(rules)
    yield from _deal(rules)
    yield from _claims(rules)
    yield from _tiles(rules)
    yield from _score(rules)
    yield from _session(rules)
    yield from _seats(rules)
    yield from _points(rules)
    yield from of_catalogue(rules)


def _lists(rules: Ruleset) -> Iterator[Contradiction]:
    """Lists that are sets in truth, and values that name no rule."""
    named = {
        "claims": ("words", "draw_closes", "claim_reopens", "last_discard", "unclaimable", "robbable"),
        "kongs": ("single",),
        "discards": ("forbidden",),
        "session": ("dealer_keeps",),
        "score": ("shapes", "bao_order"),
    }
    for section in rules.__struct_fields__:
        part = getattr(rules, section)
        for field in getattr(part, "__struct_fields__", ()):
            rule = getattr(part, field)
            if not isinstance(rule, Rule):
                continue
            if not rule.rule.strip():
                yield Contradiction(((section, field),), "contradiction.no_rule")
            if field in named.get(section, ()) and len(set(rule.value)) != len(rule.value):
                yield Contradiction(((section, field),), "contradiction.twice")


def _wall(rules: Ruleset) -> Iterator[Contradiction]:
    tiles, stacks = rules.wall.tiles.value, rules.wall.stacks_per_side.value
    built = stacks * SIDES * TILES_PER_STACK
    if built != tiles:
        fields = ("wall", "stacks_per_side"), ("wall", "tiles")
        facts = {"stacks": stacks, "built": built, "tiles": tiles}
        yield Contradiction(fields, "contradiction.stacks", facts)
    if rules.flowers.used.value != (tiles == FLOWERED):
        key = "contradiction.flowers_missing" if tiles != FLOWERED else "contradiction.flowers_there"
        yield Contradiction((("flowers", "used"), ("wall", "tiles")), key, {"tiles": tiles})
    if isinstance(rules.score, WuhanScore) != (rules.wall.indicator.value != "none"):
        yield Contradiction((("wall", "indicator"), ("score", "laizi_kinds")), "contradiction.indicator")
    if rules.wall.indicator.value != "none" and rules.flowers.used.value:
        fields = ("wall", "indicator"), ("flowers", "used")
        yield Contradiction(fields, "contradiction.indicator_flowers")


def _tails(rules: Ruleset) -> Iterator[Contradiction]:
    """The end of the wall: what is never drawn, and what is drawn otherwise."""
    wall = rules.wall
    dead, last = wall.dead_tiles.value, wall.draw_only.value
    if last % SIDES:
        yield Contradiction((("wall", "draw_only"),), "contradiction.draw_only_turns", {"last": last})
    if last and not dead:
        yield Contradiction((("wall", "draw_only"), ("wall", "dead_tiles")), "contradiction.draw_only")
    if wall.tail_parity.value and not dead:
        yield Contradiction((("wall", "tail_parity"), ("wall", "dead_tiles")), "contradiction.tail_parity")


def _deal(rules: Ruleset) -> Iterator[Contradiction]:
    blocks = rules.deal.blocks.value
    if (taken := sum(blocks)) != TAKEN_IN_BLOCKS:
        facts = {"taken": taken, "wanted": TAKEN_IN_BLOCKS}
        yield Contradiction((("deal", "blocks"),), "contradiction.blocks", facts)
    if any(block % TILES_PER_STACK for block in blocks):
        yield Contradiction((("deal", "blocks"),), "contradiction.half_stacks")
    if rules.flowers.hold.value and FLOWER in rules.discards.forbidden.value:
        fields = ("flowers", "hold"), ("discards", "forbidden")
        yield Contradiction(fields, "contradiction.held_flower")


def _claims(rules: Ruleset) -> Iterator[Contradiction]:
    claims = rules.claims
    words = sorted(claims.words.value)
    ranked = sorted(word for group in claims.priority.value for word in group)
    if ranked != words:
        yield Contradiction((("claims", "priority"), ("claims", "words")), "contradiction.priority")
    if not all(claims.priority.value):
        yield Contradiction((("claims", "priority"),), "contradiction.empty_group")
    for field in ("draw_closes", "last_discard"):
        for word in getattr(claims, field).value:
            if word not in words:
                fields = ("claims", field), ("claims", "words")
                yield Contradiction(fields, "contradiction.no_claim", {"word": word})
    for word in claims.claim_reopens.value:
        if word not in claims.draw_closes.value:
            fields = ("claims", "claim_reopens"), ("claims", "draw_closes")
            yield Contradiction(fields, "contradiction.never_closed", {"word": word})
    for field in ("window_s", "win_s", "chow_s"):
        if (getattr(claims, field).value == 0) != (claims.window_s.value == 0):
            yield Contradiction((("claims", field), ("claims", "window_s")), "contradiction.some_windows")
    if not claims.window_s.value and not claims.settle_s.value:
        yield Contradiction((("claims", "settle_s"), ("claims", "window_s")), "contradiction.settle")
    if "kong" in claims.last_discard.value and not rules.kongs.on_last_tile.value:
        fields = ("claims", "last_discard"), ("kongs", "on_last_tile")
        yield Contradiction(fields, "contradiction.last_kong")


def _tiles(rules: Ruleset) -> Iterator[Contradiction]:
    """Tiles that are named, and whether a player is left something to discard."""
    named = {
        ("claims", "unclaimable"): (rules.claims.unclaimable.value, WILD),
        ("kongs", "single"): (rules.kongs.single.value, WILD),
        ("discards", "forbidden"): (rules.discards.forbidden.value, FLOWER),
    }
    for field, (tiles, word) in named.items():
        for tile in tiles:
            if tile not in KINDS and tile != word:
                yield Contradiction((field,), "contradiction.no_tile", {"given": tile, "word": word})
        if WILD in tiles and rules.wall.indicator.value == "none":
            yield Contradiction((field, ("wall", "indicator")), "contradiction.no_wild")
    kept = {tile for tile in rules.discards.forbidden.value if tile in KINDS} - set(rules.kongs.single.value)
    if len(kept) * COPIES >= HAND:
        yield Contradiction((("discards", "forbidden"),), "contradiction.no_discard", {"kinds": len(kept)})


def _score(rules: Ruleset) -> Iterator[Contradiction]:
    score, session = rules.score, rules.session
    if isinstance(score, WuhanScore):
        for field in ("liable_cap", "gold_cap"):
            if getattr(score, field).value < score.cap.value:
                facts = {"cap": score.cap.value}
                yield Contradiction((("score", field), ("score", "cap")), "contradiction.caps", facts)
    if isinstance(score, CcmScore):
        if not score.shapes.value:
            yield Contradiction((("score", "shapes"),), "contradiction.no_shape")
        if len(score.bao_order.value) != SIDES:
            yield Contradiction((("score", "bao_order"),), "contradiction.liability")
        if score.penalty_most.value % score.penalty_unit.value:
            fields = ("score", "penalty_most"), ("score", "penalty_unit")
            yield Contradiction(fields, "contradiction.penalties", {"unit": score.penalty_unit.value})
        if score.players_out.value != session.broke_ends.value:
            fields = ("score", "players_out"), ("session", "broke_ends")
            yield Contradiction(fields, "contradiction.two_ends")


def _session(rules: Ruleset) -> Iterator[Contradiction]:
    session = rules.session
    rounds = session.rounds.value
    planned = len(rounds) * SIDES
    if not rounds:
        yield Contradiction((("session", "rounds"),), "contradiction.no_round")
    if len(rounds) > MAX_ROUNDS:
        yield Contradiction((("session", "rounds"),), "contradiction.many_rounds", {"most": MAX_ROUNDS})
    if session.hands.value not in (0, planned) and not session.dealer_keeps.value:
        facts = {"rounds": len(rounds), "planned": planned, "hands": session.hands.value}
        yield Contradiction((("session", "hands"), ("session", "rounds")), "contradiction.hands", facts)
    for wind in rounds:
        if wind not in WINDS:
            yield Contradiction((("session", "rounds"),), "contradiction.no_wind", {"given": wind})
    if session.doubles.value and "win" not in session.dealer_keeps.value:
        fields = ("session", "doubles"), ("session", "dealer_keeps")
        yield Contradiction(fields, "contradiction.doubles")
    if session.time_s.value and session.warning_s.value >= session.time_s.value:
        yield Contradiction((("session", "warning_s"), ("session", "time_s")), "contradiction.warning")
    if session.break_after.value and not session.break_s.value:
        yield Contradiction((("session", "break_after"), ("session", "break_s")), "contradiction.no_break")


def _seats(rules: Ruleset) -> Iterator[Contradiction]:
    session = rules.session
    rounds, changes = session.rounds.value, session.seat_changes.value
    if changes and len(changes) != len(rounds) - 1:
        facts = {"rounds": len(rounds), "wanted": len(rounds) - 1, "changes": len(changes)}
        fields = ("session", "seat_changes"), ("session", "rounds")
        yield Contradiction(fields, "contradiction.changes", facts)
    for change in changes:
        if sorted(change) != sorted(WINDS) or sorted(change.values()) != sorted(WINDS):
            yield Contradiction((("session", "seat_changes"),), "contradiction.change")
    if session.redraw_after.value and changes:
        fields = ("session", "redraw_after"), ("session", "seat_changes")
        yield Contradiction(fields, "contradiction.redraw_and_change")
    if session.redraw_after.value and session.dealer_keeps.value:
        fields = ("session", "redraw_after"), ("session", "dealer_keeps")
        yield Contradiction(fields, "contradiction.redraw_keeps")
    if session.redraw_after.value % SIDES:
        yield Contradiction((("session", "redraw_after"),), "contradiction.redraw_round")
    if session.seats_differ.value and session.stages.value > SIDES:
        fields = ("session", "stages"), ("session", "seats_differ")
        yield Contradiction(fields, "contradiction.seats", {"stages": session.stages.value})


def _points(rules: Ruleset) -> Iterator[Contradiction]:
    session = rules.session
    start = session.start_points.value
    chips = sum(value * count for value, count in session.chips.value)
    if session.chips.value and chips != start:
        facts = {"chips": chips, "start": start}
        yield Contradiction((("session", "chips"), ("session", "start_points")), "contradiction.chips", facts)
    for field in ("chips_bound", "broke_ends"):
        if getattr(session, field).value and not start:
            yield Contradiction((("session", field), ("session", "start_points")), "contradiction.no_points")
