"""A ruling that is corrected is as if it had never been made, whatever was ruled before and after it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.game.cases import Court

SEATS = "ESWN"
# What a referee gives of his own; the rest comes from the record: a draw out of turn.
GIVEN = (
    {"article": "house_dead"},
    {"article": "house_automatic"},
    {"article": "house_tile", "tiles": ["5p"]},
    {"article": "house_scale", "points": 25, "to": "p0"},
    {"article": "house_scale", "choice": 1},
    {"article": "house_scale", "points": 10},
)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("draw"), st.sampled_from("WN")),
        st.tuples(st.integers(0, len(GIVEN) - 1), st.sampled_from("WN")),
        st.tuples(st.just("end"), st.just("")),
    ),
    min_size=1,
    max_size=9,
)


def asked_of(court: Court, what: object, seat: str) -> dict[str, object]:
    """The arguments of a penalty; who is damaged is never who pays."""
    asked = dict(GIVEN[what])
    if "to" in asked:
        side = next(side for side, one in enumerate(court.hand.seats) if one.wind == seat)
        asked["to"] = court.session.at((side + 1) % 4).id
    return asked


def play(done: list[tuple[object, str]], left_out: int = -1) -> Court:
    """Do these acts and rule on all of them, but never on the one left out."""
    court = Court()
    number = 0
    for what, seat in done:
        if what == "end":
            court.end_hand()
            court.hand_on()
            continue
        number += 1
        if what == "draw":
            court.draws_early(seat)
            if number != left_out:
                court.ok("rule", case=number)
        elif number != left_out:
            court.ok("penalty add", seat=seat, **asked_of(court, what, seat))
        else:  # it has its number, and nothing follows from it
            court.ok("call", kind="score", seat=seat)
    return court


def outcome(court: Court, without: int) -> dict[str, object]:
    """What there is to see, but for the audit of the case in question."""
    return {
        "points": court.won(),
        "bars": [[(bar.effect, bar.case) for bar in seat.bars] for seat in court.hand.seats],
        "tiles": [[(t.tile, t.forced, t.case) for t in seat.penalty_tiles] for seat in court.hand.seats],
        "rulings": [
            (case.no, case.decision.offence, case.decision.place, case.decision.points)
            for case in court.cases
            if case.no != without and case.decision is not None
        ],
    }


@settings(max_examples=80, deadline=None)
@given(acts, st.data())
def test_applied_and_corrected_is_never_happened(done, data):
    cases = sum(what != "end" for what, _ in done)
    if not cases:
        return
    wrong = data.draw(st.integers(1, cases))
    corrected = play(done)
    answer = corrected.command(
        "ruling correct", role="chief", actor="lee", case=wrong, reason="it was not so"
    )
    assert answer.outcome == "accepted", answer
    never = play(done, left_out=wrong)
    assert outcome(corrected, wrong) == outcome(never, wrong)
    corrected.end_hand()
    never.end_hand()
    assert corrected.won() == never.won()
    assert len(corrected.cases[wrong - 1].decisions) == 2, "what was decided stays on the record"
    assert not corrected.broken
