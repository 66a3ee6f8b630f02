"""A hand can be held, resumed, voided and dealt anew from every phase of every system."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from tablectl.game import step as game
from tests.game.conftest import BOOK, COUNT, IDENTITY, SECOND, Table
from tests.game.world import On, World

SYSTEMS = ["mcr", "zungjung", "ccm", "wuhan"]
TABLES = {"count": COUNT, "identity": IDENTITY}
MOST = 4000
OUTSIDE = {"order", "session warning", "session time"}  # what no hold of a hand stops
Found = tuple[bytes, int, int, int]  # state, time, number of the newest event, boot


@cache
def phases(rules: str, kind: str) -> dict[str, Found]:
    """Every phase a table of the system comes through, with a state that is in it."""
    found: dict[str, Found] = {}
    for seed in range(6):
        rng, world = Random(seed), World(TABLES[kind], rules)
        world.online(True, 1)
        for _ in range(MOST // 6):
            hand = world.state.hand
            if hand is not None and not hand.over and hand.phase not in found:
                found[hand.phase] = (game.to_json(world.state), world.now, world.number, world.boot)
            world.happen(On(rng.randrange(100), rng.randrange(100)), SECOND, 0)
    for t in rare(rules, kind):
        found[t.phase] = (game.to_json(t.state), t.now, t.number, t.boot)
    return found


def rare(rules: str, kind: str) -> Iterator[Table]:
    """Phases chance seldom brings: a replacement, a win before the referee, a kong to rob, the last draws."""
    for make in (declared, konged, robbable, *([last_drawn] if rules == "wuhan" else [])):
        t = Table(TABLES[kind], rules=rules)
        t.play()
        if kind == "count":
            t.command("deal done")
        t.wait(1)
        make(t)
        assert t.broken == []
        yield t


def drop(t: Table, side: int) -> None:
    if "draw_sense" not in t.capabilities:
        t.press(side, "discard")
        return
    if t.phase in ("draw", "claims"):
        t.draw(side, "9m")
    t.discard(side, "9m")


def declared(t: Table) -> None:
    drop(t, 0)
    t.press(1, "win")
    t.wait(3)
    assert t.phase == "adjudication"


def konged(t: Table) -> None:
    t.command("kong", meld="concealed", seat="E", tiles=["1m"] * 4)
    assert t.phase == "draw"


def robbable(t: Table) -> None:
    drop(t, 0)
    t.press(2, "pung")
    t.wait(3)
    if "tile_read" in t.capabilities:
        t.show(2, "pung", "999m")
    for side in (2, 3, 0, 1):
        drop(t, side)
        t.wait(3)
    if "tile_read" in t.capabilities:
        t.draw(2, "9m")
        t.show(2, "added_kong", "9999m")
    else:
        t.command("kong", meld="added", seat=t.hand.seats[2].wind)
    assert t.phase == "robbing"


def last_drawn(t: Table) -> None:
    t.hand.corrected += t.hand.live_left
    drop(t, 0)
    t.wait(3)
    assert t.phase == "last_draws"


def expected(rules: str, kind: str) -> set[str]:
    usual = {"building", "raising", "dice", "dealing", "draw", "claims", "robbing", "adjudication"}
    if kind == "identity":
        usual |= {"decide"}
    if BOOK[rules].flowers.used.value:
        usual |= {"flowers"}
    if rules == "wuhan":
        usual |= {"indicator", "last_draws"}
    return usual


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("rules", SYSTEMS)
def test_the_phases_are_all_come_through(rules, kind):
    assert expected(rules, kind) <= set(phases(rules, kind))


def at_phase(rules: str, kind: str, phase: str) -> Table:
    state, now, number, boot = phases(rules, kind)[phase]
    t = Table(TABLES[kind], rules=rules)
    t.state, t.now, t.n, t.number, t.boot = game.from_json(state), now, 100_000, number, boot
    return t


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("rules", SYSTEMS)
def test_held_and_resumed_it_is_where_it_was(rules, kind):
    for phase in phases(rules, kind):
        t = at_phase(rules, kind, phase)
        t.command("pause", reason="look")
        t.press(1, "referee")  # a second hold over the first
        t.wait(600)
        assert t.phase == phase
        assert "referee" in t.state.holds
        assert any(name.startswith("call ") for name in t.state.holds)
        assert {name for name, _ in game.deadlines(t.state)} <= OUTSIDE
        t.command("resume")
        assert not {"referee", "call 1"} & set(t.state.holds), phase
        assert t.phase == phase
        assert t.broken == []


@pytest.mark.parametrize("act", ["hand void", "hand redeal"])
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("rules", SYSTEMS)
def test_two_persons_end_it_and_it_is_dealt_anew(rules, kind, act):
    for phase in phases(rules, kind):
        t = at_phase(rules, kind, phase)
        no, dealer, deal = t.hand.no, t.hand.dealer, t.hand.deal
        t.command("pause", reason="look")
        t.press(1, "referee")
        assert t.command(act, actor="kim", reason="x").outcome == "pending"
        assert t.command(act, actor="kim", reason="x").outcome == "pending", (
            "the same person is no second one"
        )
        assert t.command(act, actor="lee", reason="x").outcome == "accepted", phase
        assert t.broken == []
        assert not {"referee", "call 1"} & set(t.state.holds), phase
        if act == "hand void":
            assert t.hand.over
            assert t.hand.result["result"] == "void"
            t.command("hand start")
            assert t.hand.no == no + 1 or t.state.session.phase == "over"
        else:
            assert (t.hand.no, t.hand.dealer) == (no, dealer)
            assert t.hand.deal > deal
            assert t.phase in ("building", "raising")
            assert t.state.results[-1]["result"] == "redealt"
        assert t.broken == []
