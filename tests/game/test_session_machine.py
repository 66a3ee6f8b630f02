"""Another machine, or none: the session goes on."""

from __future__ import annotations

import pytest

from tablectl.game.effects import Adopt
from tablectl.game.inputs import LinkChange
from tablectl.locale.catalog import LANGUAGES, text
from tests.game.conftest import IDENTITY


def running(table, **session):
    t = table(IDENTITY, "mcr-136")
    t.online()
    t.command("session start", rules="mcr-136", **session)
    return t


@pytest.mark.rule("MCR-W8")
@pytest.mark.rule("ZJ-W10")
@pytest.mark.rule("ZJ-W11")
def test_without_a_machine_a_hand_opens_at_the_throws_without_orders(table):
    t = running(table)
    assert t.command("session machine", state="off").outcome == "accepted"
    t.command("hand start")
    assert (t.phase, t.orders("lamps")) == ("building", [])
    assert t.command("walls ready").outcome == "accepted"
    assert (t.phase, t.orders("lamps")) == ("dice", [])
    assert t.command("walls ready").key == "refused.walls_stand"


@pytest.mark.rule("ZJ-W10")
def test_walls_that_are_ready_open_the_hand_by_themselves(table):
    t = running(table)
    t.command("session machine", state="off")
    assert t.command("walls ready").data == {"hand": 1}
    assert t.phase == "dice"


def test_the_machine_builds_while_it_is_on(table):
    t = running(table)
    assert t.command("walls ready").key == "refused.machine_builds"
    assert t.command("session machine", state="on").key == "refused.machine_is_so"


@pytest.mark.rule("ZJ-W10")
def test_a_machine_that_breaks_in_the_build_is_replaced_by_hands(table):
    t = running(table)
    t.command("hand start")
    t.event("fault_set", 1, 0x10)
    t.put(LinkChange("table", "lost", "cable_pulled"))
    assert t.state.holds
    t.command("session machine", state="off")
    assert (t.state.holds, t.state.table.order) == ({}, None)
    t.command("walls ready")
    assert t.phase == "dice"
    t.put(LinkChange("table", "backoff", "missing"))
    assert not t.state.holds


def test_nothing_moves_under_peoples_hands(table):
    t = running(table)
    t.command("hand start")
    t.command("session machine", state="off")
    assert t.command("walls ready").key == "refused.order_running"
    t.done(136)
    assert t.command("walls ready").outcome == "accepted"


def test_the_machine_is_taken_up_again_in_the_same_session(table):
    t = running(table)
    t.command("session machine", state="off")
    t.command("hand start")
    t.command("session machine", state="on")
    assert t.orders("lamps") == ["build"]


def test_another_table_continues_the_session(table):
    t = running(table)
    t.command("hand start")
    session = t.state.session
    assert t.command("machine swap", reason="the lift is broken", role="chief").outcome == "accepted"
    assert Adopt("table") in t.effects
    assert t.state.table.order is None
    t.put(LinkChange("table", "lost", "swapped"))
    assert "link table" in t.state.holds
    t.number = 0
    t.online(boot=99)
    assert t.state.session is session
    assert not t.state.holds
    assert t.state.devices["table"].boot == 99
    assert t.orders("lamps")[-1] == "build"
    assert t.hand.no == 1


def test_a_table_is_not_swapped_under_its_tiles(table):
    t = table(IDENTITY, "mcr-136")
    t.start()
    assert t.command("machine swap", reason="x").key == "refused.hand_in_play"


@pytest.mark.parametrize("instead", ["play on by hand", "void"])
def test_what_the_word_for_a_wrong_board_advises_in_mid_hand_works(table, instead):
    t = table(IDENTITY, "mcr-136")
    t.start()
    t.put(LinkChange("table", "refused", "wrong_board"))
    assert "link table" in t.state.holds
    assert t.command("machine swap", reason="x").key == "refused.hand_in_play"
    if instead == "void":
        for actor in ("kim", "lee"):
            t.command("hand void", actor=actor, reason="another table")
        assert t.command("machine swap", reason="x").outcome == "accepted"
    else:
        assert t.command("session machine", state="off").outcome == "accepted"
        assert not t.state.holds
    for lang in LANGUAGES:
        advice = text("link.wrong_board", lang)
        assert all(command in advice for command in ("machine swap", "session machine off", "hand void"))


def met(t, boot, serial):
    """A keypad box has said who it is."""
    t.put(LinkChange("keypad", "reconcile", boot=boot, serial=serial))
    t.put(LinkChange("keypad", "online", boot=boot, serial=serial))


def test_a_keypad_that_was_exchanged_with_its_table_is_taken_in_and_holds_until_it_is_there(table):
    t = running(table)
    met(t, 3, "K1")
    t.command("hand start")
    t.put(LinkChange("keypad", "refused", "wrong_board"))
    assert "link keypad" in t.state.holds
    t.command("machine swap", reason="both were exchanged", role="chief")
    assert [effect.device for effect in t.effects if isinstance(effect, Adopt)] == ["table", "keypad"]
    assert "link keypad" in t.state.holds
    met(t, 1, "K2")
    assert "link keypad" not in t.state.holds


def test_a_swap_of_the_table_leaves_a_keypad_alone_that_is_only_away(table):
    t = running(table)
    met(t, 3, "K1")
    t.command("hand start")
    t.put(LinkChange("keypad", "lost", "cable_pulled"))
    t.command("machine swap", reason="the lift is broken", role="chief")
    assert [effect.device for effect in t.effects if isinstance(effect, Adopt)] == ["table"]
    assert t.state.devices["keypad"].serial == "K1"
    assert "link keypad" in t.state.holds
