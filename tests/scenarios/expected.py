"""What a scenario expects, against what came of it, both in the words of the scenario."""

from __future__ import annotations

from tablectl.game.casestate import Decision
from tablectl.game.state import SEATS
from tests.scenarios.corpus import Scenario
from tests.scenarios.scene import Scene


def proposed(scene: Scene) -> list[str]:
    """Every case the record made of something: whose, which offence and article, which step of the ladder."""
    return [
        f"{scene.wind(case.side)}: {case.finding.offence} ({rule_of(scene, case.finding.offence)}), "
        f"step {case.finding.place}"
        for case in scene.state.cases
        if case.by == "table" and case.finding is not None and case.side is not None
    ]


def rule_of(scene: Scene, name: str) -> str:
    """The article of an offence."""
    assert scene.state.ruleset is not None
    return scene.state.ruleset.offences[name].rule


def ruled(scene: Scene) -> list[str]:
    """Every decision that stands: for whom, by which offence, what it costs."""
    return [
        f"{scene.wind(case.side)}: {decision.offence or '?'}: {cost(decision)}"
        for case in scene.state.cases
        if (decision := case.decision) is not None and case.side is not None
    ]


def cost(decision: Decision) -> str:
    """A decision's cost in words: a warning, points, effects, in this order."""
    if decision.waived:
        return "waived"
    parts = ["warning"] if decision.measure.warning else []
    parts += [f"{decision.points} points"] if decision.points else []
    return ", ".join([*parts, *decision.measure.effects]) or "nothing"


def bars(scene: Scene) -> dict[str, tuple[str, ...]]:
    """What each seat may not do."""
    found = {wind: scene.hand.seats[scene.side(wind)].bars for wind in SEATS}
    return {wind: tuple(dict.fromkeys(bar.effect for bar in one)) for wind, one in found.items() if one}


def penalty_tiles(scene: Scene) -> dict[str, tuple[str, ...]]:
    """The penalty tiles that lie before each seat."""
    found = {wind: scene.hand.seats[scene.side(wind)].penalty_tiles for wind in SEATS}
    return {
        wind: tuple(
            f"{tile.tile or '?'} {'forced' if tile.forced else 'live' if tile.live else 'dead'}"
            for tile in one
        )
        for wind, one in found.items()
        if one
    }


def points(scene: Scene) -> dict[str, int]:
    """What rulings have cost or brought each seat so far."""
    session = scene.state.session
    totals = dict.fromkeys(SEATS, 0)
    for wind in SEATS:
        player = session.at(scene.side(wind)).id
        totals[wind] = sum(line.deltas.get(player, 0) for line in session.ledger if line.case)
    return {wind: total for wind, total in totals.items() if total}


def out(scene: Scene) -> tuple[str, ...]:
    """Seats whose player is out of the session."""
    session = scene.state.session
    return tuple(wind for wind in SEATS if session.at(scene.side(wind)).status == "forfeited")


def check(scene: Scene, scenario: Scenario) -> None:
    """Everything the scenario says, and nothing else."""
    assert proposed(scene) == list(scenario.proposed)
    assert ruled(scene) == list(scenario.ruled)
    assert bars(scene) == scenario.bars
    assert penalty_tiles(scene) == scenario.tiles
    assert points(scene) == scenario.points
    assert out(scene) == scenario.out
