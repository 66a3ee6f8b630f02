"""Another table takes the place of this one: the pin is forgotten, the next hello is adopted."""

from __future__ import annotations


def another(room, serial: str = "OTHER", boot: int = 4242) -> None:
    """The board at the other end is another one."""
    room.board.serial, room.board.boot_id = serial, boot
    room.board.firmware_hash = "ff" * 32


def test_another_board_is_refused_until_a_person_says_swap(room) -> None:
    link = room.online()
    another(room)
    room.unplug()
    room.run(30.0)
    assert (link.state, link.quality()["word"]) == ("refused", "wrong_board")
    room.forget()
    link.adopt()
    room.run(2.0)
    assert link.state == "online"
    (met,) = room.changes("reconcile")
    assert (met.serial, met.boot, met.word) == ("OTHER", 4242, "")
    assert "firmware_changed" not in met.detail


def test_a_link_that_is_online_lets_its_board_go(room) -> None:
    link = room.online()
    another(room)
    link.adopt()
    room.run(20.0)
    assert room.states()[0] == ("lost", "swapped")
    assert (link.state, room.changes("reconcile")[0].serial) == ("online", "OTHER")


def test_the_new_board_is_pinned_in_its_turn(room) -> None:
    link = room.online()
    another(room)
    link.adopt()
    room.run(20.0)
    another(room, "THIRD")
    room.unplug()
    room.run(30.0)
    assert link.state == "refused"
