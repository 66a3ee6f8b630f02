"""What must hold of every case: each rule about them finds the state that breaks it, and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablectl.game.cases import lawful
from tablectl.game.timestate import Held
from tests.game.cases import Court
from tests.game.conftest import SECOND


@pytest.fixture
def court():
    made = Court()
    made.draws_early("W")
    made.ok("rule", case=1, step=2)
    made.ok("case sign", case=1)
    return made


def found(court: Court) -> list[str]:
    return list(lawful.violations(court.state))


def booked(court: Court) -> None:
    """End the hand, so that the five points are in the ledger."""
    court.end_hand()
    assert found(court) == []
    assert court.case.decisions[0].entry


def test_a_ruling_as_it_should_be_breaks_nothing(court: Court) -> None:
    booked(court)
    court.ok("ruling correct", role="chief", case=1, reason="it was North")
    assert found(court) == []
    assert list(lawful.unended(court.state)) == []


def test_points_that_are_not_booked_are_found(court: Court) -> None:
    booked(court)
    court.session.ledger = [entry for entry in court.session.ledger if not entry.case]
    court.case.decisions[0].entry = 0
    assert any(line.endswith("in case 1 are not booked") for line in found(court))


def test_points_booked_twice_are_found(court: Court) -> None:
    booked(court)
    line = next(entry for entry in court.session.ledger if entry.case)
    court.session.ledger.append(replace(line, n=line.n + 1000))
    assert any("belongs to none of its decisions" in line for line in found(court))


def test_points_of_a_ruling_that_does_not_stand_are_taken_back_once(court: Court) -> None:
    booked(court)
    court.case.decisions[0].standing = False
    assert any("were taken back 0 times" in line for line in found(court))


def test_a_line_of_no_case_is_found(court: Court) -> None:
    booked(court)
    court.state.cases = []
    assert any("of case 1, which there is not" in line for line in found(court))


@pytest.mark.parametrize(
    ("change", "says"), [({"rule": ""}, "names no rule"), ({"actor": ""}, "nobody has made")]
)
def test_a_penalty_without_its_rule_or_actor_is_found(
    court: Court, change: dict[str, str], says: str
) -> None:
    decision = court.case.decisions[0]
    for name, value in change.items():
        setattr(decision, name, value)
    assert any(says in line for line in found(court))


def test_a_penalty_without_a_stage_is_found(court: Court) -> None:
    court.case.stage = 0
    assert any("names no hand" in line for line in found(court))


def test_a_charge_for_time_that_stood_is_found(court: Court) -> None:
    court.wait(6)
    court.press(court.hand.turn, "discard")
    assert found(court) == []
    line = court.hand.measurements[-1]
    court.state.held.append(Held("fault cover_open", "hold.fault", court.hand.no, line.started, line.stopped))
    assert any("is charged" in said for said in found(court))
    court.state.held[-1] = replace(
        court.state.held[-1], until=line.started + SECOND, since=line.started - SECOND
    )
    assert any("is charged" in said for said in found(court))


def test_a_case_that_is_left_is_found_unless_somebody_says_why(court: Court) -> None:
    court.draws_early("W")
    assert list(lawful.unended(court.state)) == ["case 2 (found) was left raised"]
    court.ok("rule", case=2, reserve=True, reason="the jury meets tomorrow")
    assert list(lawful.unended(court.state)) == []
