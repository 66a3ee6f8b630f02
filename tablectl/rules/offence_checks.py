"""What a penalty catalogue and a table of faults must not say: what no referee could rule by."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from tablectl.rules.contradiction import Contradiction
from tablectl.rules.faultpolicy import NAMES
from tablectl.rules.model import Ruleset
from tablectl.rules.offences import Effect, Measure, Offence
from tablectl.rules.signs import SIGNS, nearest
from tablectl.tomllines import Path

OFFENCES, MACHINE = "offences", "machine"
# Of each group one measure can do one thing only.
ALTERNATIVES: tuple[tuple[Effect, ...], ...] = (
    ("penalty_tiles", "forced_discard", "random_discard"),
    ("correct_meld", "show_meld", "claim_void", "as_discard"),
    ("void", "redeal", "reroll", "rebuild"),
    ("forfeit_hand", "forfeit_session", "disqualify"),
)
# What keeps an offender from play, the gravest first: no points make up for the first three.
GRAVEST: tuple[Effect, ...] = ("disqualify", "forfeit_session", "forfeit_hand", "mechanical", "no_win")
BEYOND_POINTS = 3
ON_TILES = ("penalty_tiles", "forced_discard")  # effects that take tiles


def of_catalogue(rules: Ruleset) -> Iterator[Contradiction]:
    """Every contradiction among the offences and in the table of faults."""
    for name, offence in rules.offences.items():
        yield from _offence(rules, (OFFENCES, name), offence)
    yield from _signs(rules)
    yield from _machine(rules)


def _offence(rules: Ruleset, at: Path, offence: Offence) -> Iterator[Contradiction]:
    for field in ("rule", "zh", "en"):
        if not getattr(offence, field).strip():
            yield Contradiction(((*at, field),), "contradiction.no_wording")
    for field in ("ladder", "choices"):
        for place, measure in enumerate(getattr(offence, field)):
            yield from _measure((*at, field, place), measure)
    for place, (step, after) in enumerate(pairwise(offence.ladder), start=1):
        if milder(after, step):
            yield Contradiction(((*at, "ladder", place),), "contradiction.milder")
    if len(set(offence.signs)) != len(offence.signs):
        yield Contradiction(((*at, "signs"),), "contradiction.twice")
    for place, sign in enumerate(offence.signs):
        if sign not in SIGNS:
            facts = {"given": sign, "nearest": nearest(sign)}
            yield Contradiction(((*at, "signs", place), (*at, "signs")), "contradiction.no_sign", facts)
    yield from _together(rules, at, offence)


def _together(rules: Ruleset, at: Path, offence: Offence) -> Iterator[Contradiction]:
    """What the fields of an offence owe one another."""
    dearest = max((max(measure.points, measure.up_to) for measure in offence.ladder), default=0)
    if offence.most and offence.most < dearest:
        facts = {"most": offence.most, "points": dearest}
        yield Contradiction(((*at, "most"), (*at, "ladder")), "contradiction.beyond_most", facts)
    if offence.automatic and (offence.chief or any(map(_leaves_choice, offence.ladder))):
        yield Contradiction(((*at, "automatic"), (*at, "chief")), "contradiction.automatic")
    for bar in offence.at_once:
        if any(bar not in _bars(measure) for measure in offence.ladder):
            fields = (*at, "at_once"), (*at, "ladder")
            yield Contradiction(fields, "contradiction.at_once", {"effect": bar})
    if offence.doubles and not rules.session.doubles.value:
        yield Contradiction(((*at, "doubles"), ("session", "doubles")), "contradiction.nothing_doubles")


def _measure(at: Path, measure: Measure) -> Iterator[Contradiction]:
    low, high, scale = measure.points, measure.up_to, measure.scale
    if high and high < low:
        yield Contradiction(
            ((*at, "up_to"), (*at, "points")), "contradiction.up_to", {"low": low, "high": high}
        )
    elif high and (not measure.unit or (high - low) % measure.unit):
        fields = (*at, "unit"), (*at, "up_to"), (*at, "points")
        yield Contradiction(fields, "contradiction.unit", {"low": low, "high": high, "unit": measure.unit})
    if scale and (list(scale) != sorted(set(scale)) or (scale[0], scale[-1]) != (low, high)):
        yield Contradiction(
            ((*at, "scale"), (*at, "up_to")), "contradiction.scale", {"low": low, "high": high}
        )
    if measure.by_clock and (low or high):
        yield Contradiction(((*at, "points"), (*at, "by_clock")), "contradiction.by_clock")
    if len(set(measure.effects)) != len(measure.effects):
        yield Contradiction(((*at, "effects"),), "contradiction.twice")
    for group in ALTERNATIVES:
        both = [effect for effect in group if effect in measure.effects]
        if len(both) > 1:
            facts = {"one": both[0], "other": both[1]}
            yield Contradiction(((*at, "effects"),), "contradiction.effects", facts)
    if (measure.tiles or measure.free) and not set(ON_TILES) & set(measure.effects):
        field = "tiles" if measure.tiles else "free"
        yield Contradiction(((*at, field), (*at, "effects")), "contradiction.no_tiles")


def milder(after: Measure, before: Measure) -> bool:
    """Is the later step of a ladder less than the one before?"""
    ranks = _rank(after), _rank(before)
    if ranks[0] != ranks[1]:
        return ranks[0] < ranks[1]
    graver, less = _gravest(before), _gravest(after)
    if graver != less and (graver < BEYOND_POINTS or less < BEYOND_POINTS or after.points == before.points):
        return graver < less
    fewer = set(after.effects) < set(before.effects)
    if after.points != before.points:
        return after.points < before.points and not set(after.effects) > set(before.effects)
    return fewer


def _rank(measure: Measure) -> int:
    """0 nothing, 1 a warning, 2 what is felt."""
    if measure.points or measure.effects or measure.by_clock:
        return 2
    return int(measure.warning)


def _gravest(measure: Measure) -> int:
    """Place among the gravest effects of the one that weighs most, 0 first."""
    places = (place for place, effect in enumerate(GRAVEST) if effect in measure.effects)
    return min(places, default=len(GRAVEST))


def _leaves_choice(measure: Measure) -> bool:
    return bool(measure.up_to or measure.to == "damaged" or "referee_decides" in measure.effects)


def _bars(measure: Measure) -> set[str]:
    """What a measure bars its offender from: mechanical play is no win and no claim either."""
    effects: set[str] = set(measure.effects)
    if "mechanical" in effects or "forfeit_hand" in effects:
        effects |= {"no_win", "no_claims", "no_kongs"}
    return effects


def _signs(rules: Ruleset) -> Iterator[Contradiction]:
    """One sign, one offence: else nobody could say which is proposed."""
    for (name, one), (other_name, other) in combinations(rules.offences.items(), 2):
        for sign in one.signs:
            if sign in other.signs:
                fields = (OFFENCES, other_name, "signs"), (OFFENCES, name, "signs")
                facts = {"sign": sign, "one": name, "other": other_name}
                yield Contradiction(fields, "contradiction.two_offences", facts)


def _machine(rules: Ruleset) -> Iterator[Contradiction]:
    for name, row in rules.machine.items():
        for fault in row.faults:
            if fault not in NAMES:
                yield Contradiction(((MACHINE, name, "faults"),), "contradiction.no_fault", {"given": fault})
        if row.up_to_tiles is not None and 0 < row.referee_tiles < row.up_to_tiles:
            fields = (MACHINE, name, "referee_tiles"), (MACHINE, name, "up_to_tiles")
            yield Contradiction(fields, "contradiction.seen_tiles", {"seen": row.up_to_tiles})
    for (name, row), (other_name, other) in combinations(rules.machine.items(), 2):
        for fault in row.faults:
            if fault in other.faults:
                fields = (MACHINE, other_name, "faults"), (MACHINE, name, "faults")
                facts = {"fault": fault, "one": name, "other": other_name}
                yield Contradiction(fields, "contradiction.two_rows", facts)
