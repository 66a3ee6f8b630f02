"""The panel tap at an unmodified table: what is pressed, what is seen, what nobody can know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from protocols.driver import BoardEvent, ClockSample, Gone, Hello, Reply
from protocols.panel.host import SILENCE
from protocols.vocabulary import (
    Capability,
    EventKind,
    Fault,
    Operation,
    Order,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)
from sim.timebase import pause, run_virtual
from tests.sim.panel_rig import Tap, wired

HAND, SOUTH, WEST = 3, 1, 2
Play = Callable[[Tap], Awaitable[None]]


def at_a_table(play: Play, tap: Callable[[], Tap] = Tap) -> None:
    """Open a panel, play, close it."""

    async def main() -> None:
        made = tap()
        await made.open()
        await play(made)
        made.close()

    run_virtual(main())


def test_it_says_only_what_it_can() -> None:
    async def play(tap: Tap) -> None:
        hello = tap.all(Hello)[0]
        assert hello.capabilities == Capability.DICE | Capability.PAUSE_INSERT
        status = await tap.status()
        assert (status.top, status.store) == (TopState.UNKNOWN, StoreState.UNKNOWN)

    at_a_table(play)


def test_walls_are_built_and_raised_for_the_dealer() -> None:
    async def play(tap: Tap) -> None:
        built = await tap.order(Operation.BUILD, 256)
        assert (built.stage, built.value) == (Stage.DONE, 144)
        raised = await tap.order(Operation.RAISE, 512, hand=HAND, side=WEST)
        assert raised.stage is Stage.DONE
        assert tap.presses == ["lift_a", "dealer", "dealer", "lift_a"]
        assert tap.table.machine.dealer == WEST
        assert tap.table.machine.top is TopState.WALLS_UP
        up = [event for event in tap.all(BoardEvent) if event.kind is EventKind.WALLS_UP]
        assert [(event.value, event.source) for event in up] == [(HAND, Source.HOST)]
        status = await tap.status()
        assert (status.top, status.store, status.hand) == (TopState.WALLS_UP, StoreState.BUILDING, HAND)

    at_a_table(play)


def test_a_set_that_builds_itself_is_waited_for_without_a_press() -> None:
    async def play(tap: Tap) -> None:
        await tap.order(Operation.BUILD, 256)
        await tap.order(Operation.RAISE, 512, hand=HAND)
        before = list(tap.presses)
        assert (await tap.order(Operation.BUILD, 768)).stage is Stage.DONE
        assert tap.presses == before

    at_a_table(play)


def test_an_order_given_twice_presses_once() -> None:
    async def play(tap: Tap) -> None:
        for _ in range(3):
            tap.driver.operate(Order(256, Operation.BUILD))
            await pause(0.3)
        await tap.until(lambda: bool(tap.ends(256)))
        tap.driver.operate(Order(256, Operation.BUILD))
        await pause(1.0)
        assert tap.presses == ["lift_a"]
        assert tap.all(Reply)[-1].stage is Stage.DONE

    at_a_table(play)


def test_an_order_repeated_before_its_press_was_answered_is_not_refused() -> None:
    async def play(tap: Tap) -> None:
        for _ in range(3):
            tap.driver.operate(Order(256, Operation.BUILD))
        await tap.until(lambda: bool(tap.ends(256)))
        assert [reply.stage for reply in tap.all(Reply)] == [Stage.ACCEPTED, Stage.DONE]
        assert tap.presses == ["lift_a"]

    at_a_table(play)


def test_a_pause_is_done_once_the_centre_is_open() -> None:
    async def play(tap: Tap) -> None:
        await tap.order(Operation.BUILD, 256)
        await tap.order(Operation.RAISE, 512, hand=HAND)
        assert (await tap.order(Operation.PAUSE, 768)).stage is Stage.DONE
        assert tap.table.machine.centre_open
        assert (await tap.order(Operation.RESUME, 1024)).stage is Stage.DONE
        assert tap.table.machine.store is StoreState.READY

    at_a_table(play)


@pytest.mark.parametrize("fault", ["lose_answers", "lose_orders"])
def test_a_press_without_an_answer_is_unknown_and_never_repeated(fault: str) -> None:
    async def play(tap: Tap) -> None:
        setattr(tap.board.troubles, fault, 1)
        reply = await tap.order(Operation.BUILD)
        assert (reply.stage, reply.queried) == (Stage.UNKNOWN, True)
        await pause(5.0)
        assert tap.presses == ["lift_a"] * (fault == "lose_answers")
        tap.driver.query(256)
        await pause(0.1)
        assert tap.ends(256)[-1].stage is Stage.UNKNOWN

    at_a_table(play)


def test_after_an_unknown_press_the_toggle_is_left_to_the_people_there() -> None:
    async def play(tap: Tap) -> None:
        tap.board.troubles.lose_answers = 1
        await tap.order(Operation.BUILD, 256)
        again = await tap.order(Operation.BUILD, 512)
        assert again.stage is Stage.DONE  # the first press had opened the centre after all
        assert tap.presses == ["lift_a"]
        await tap.order(Operation.RAISE, 768, hand=HAND)  # the lamp has spoken: nothing is in doubt
        assert tap.presses == ["lift_a", "lift_a"]

    at_a_table(play)


def test_of_an_order_of_another_connection_nobody_knows() -> None:
    async def play(tap: Tap) -> None:
        tap.driver.query(99)
        await pause(0.1)
        assert tap.ends(99) == [Reply(99, Stage.UNKNOWN, queried=True)]

    at_a_table(play)


def test_each_connection_is_another_boot() -> None:
    async def main() -> None:
        tap = Tap()
        assert (await tap.open(boot_id=41)).boot_id == 42
        tap.close()

    run_virtual(main())


def test_stop_pauses_a_build_and_presses_nothing_otherwise() -> None:
    async def play(tap: Tap) -> None:
        tap.driver.stop()
        await pause(2.0)
        assert tap.presses == []  # a lift key would open the centre
        await tap.order(Operation.BUILD, 256)
        await tap.order(Operation.RAISE, 512, hand=HAND)
        before = len(tap.presses)
        tap.driver.stop()
        tap.driver.stop()
        await pause(6.0)
        assert tap.presses[before:] == ["lift_a", "lift_b"]
        assert tap.table.machine.store is StoreState.PAUSED
        status = await tap.status()
        assert (status.store, status.stopped) == (StoreState.PAUSED, False)
        assert (await tap.order(Operation.RESUME, 768)).stage is Stage.DONE
        assert tap.table.machine.store is StoreState.READY

    at_a_table(play)


def test_stop_forgets_a_key_that_was_not_pressed_yet() -> None:
    async def play(tap: Tap) -> None:
        await tap.order(Operation.BUILD, 256)
        tap.driver.operate(Order(512, Operation.RAISE, HAND, WEST))
        await tap.until(lambda: tap.presses[-1] == "dealer")
        tap.driver.stop()
        await pause(30.0)
        assert tap.ends(512)[0].stage is Stage.FAILED
        assert tap.presses == ["lift_a", "dealer"]

    at_a_table(play)


@pytest.mark.parametrize(
    ("operation", "refusal"),
    [
        (Operation.LOWER, Refusal.UNSUPPORTED),
        (Operation.HOME, Refusal.UNSUPPORTED),
        (Operation.PURGE, Refusal.UNSUPPORTED),
        (Operation.LAMPS, Refusal.UNSUPPORTED),
        (Operation.RAISE, Refusal.NOT_READY),
        (Operation.PAUSE, Refusal.NOT_READY),
        (Operation.RESUME, Refusal.NOT_READY),
        (Operation.SET_PROFILE, Refusal.UNSUPPORTED),
    ],
    ids=lambda word: word.name,
)
def test_what_keys_cannot_do_is_refused(operation: Operation, refusal: Refusal) -> None:
    async def play(tap: Tap) -> None:
        reply = await tap.order(operation, count=136)
        assert (reply.stage, reply.refusal) == (Stage.REFUSED, refusal)
        assert tap.presses == []

    at_a_table(play)


def test_a_second_order_beside_one_is_busy() -> None:
    async def play(tap: Tap) -> None:
        tap.driver.operate(Order(256, Operation.BUILD))
        reply = await tap.order(Operation.DICE, 512, side=0, count=2)
        assert (reply.stage, reply.refusal) == (Stage.REFUSED, Refusal.BUSY)

    at_a_table(play)


def test_the_gear_it_has_is_reached_already() -> None:
    async def play(tap: Tap) -> None:
        assert (await tap.order(Operation.SET_PROFILE, count=144)).stage is Stage.DONE

    at_a_table(play)


def test_dice_are_thrown_and_nobody_reads_them() -> None:
    async def play(tap: Tap) -> None:
        reply = await tap.order(Operation.DICE, side=SOUTH, count=2)
        assert (reply.stage, reply.value) == (Stage.DONE, 0)
        assert tap.presses == ["dice 1"]
        assert tap.events() == [EventKind.DICE_STARTED]

    at_a_table(play)


def test_a_persons_finger_on_a_dice_key_is_told_and_our_own_is_not() -> None:
    async def play(tap: Tap) -> None:
        tap.table.machine.press_dice(WEST)
        await pause(1.0)
        told = [(event.kind, event.side, event.source) for event in tap.all(BoardEvent)]
        assert told == [
            (EventKind.KEY_PRESSED, WEST, Source.PANEL),
            (EventKind.DICE_STARTED, WEST, Source.PANEL),
        ]

    at_a_table(play)


def test_walls_raised_by_hand_are_nobodys_hand() -> None:
    async def play(tap: Tap) -> None:
        await tap.order(Operation.BUILD)
        tap.table.panel.touch("lift_a")
        await tap.until(lambda: EventKind.WALLS_UP in tap.events())
        up = tap.all(BoardEvent)[-1]
        assert (up.value, up.source) == (0, Source.PANEL)

    at_a_table(play)


def test_a_fault_lamp_is_a_fault_until_it_is_dark() -> None:
    async def play(tap: Tap) -> None:
        tap.table.machine.latch(Fault.MISSING_TILES)
        await tap.until(lambda: EventKind.FAULT_SET in tap.events())
        assert (await tap.status()).faults == ((Fault.MISSING_TILES, 255),)
        tap.table.machine.forget_gone()
        await tap.until(lambda: EventKind.FAULT_CLEARED in tap.events())
        assert (await tap.status()).faults == ()

    at_a_table(play)


def test_a_table_without_power_has_no_walls_and_says_so() -> None:
    async def play(tap: Tap) -> None:
        await tap.order(Operation.BUILD)
        tap.table.machine.power_lost()
        await pause(10.0)
        assert EventKind.WALLS_UP not in tap.events()
        status = await tap.status()
        assert status.store is StoreState.UNKNOWN
        assert (Fault.MOTOR_RAIL_LOST, 255) in status.faults

    at_a_table(play)


def test_an_adapter_that_hears_itself_changes_nothing() -> None:
    def echoing() -> Tap:
        tap = Tap()
        tap.board.troubles.echo = True
        return tap

    async def play(tap: Tap) -> None:
        assert (await tap.order(Operation.BUILD)).stage is Stage.DONE
        tap.board.troubles.lose_orders = 1  # the echo still comes
        reply = await tap.order(Operation.RAISE, 512, hand=HAND)
        assert reply.stage is Stage.UNKNOWN
        assert tap.presses == ["lift_a"]

    at_a_table(play, echoing)


@pytest.mark.parametrize("pulse", ["flash", "momentary"])
def test_the_board_lets_the_key_go_though_the_host_is_gone(pulse: str) -> None:
    async def play(tap: Tap) -> None:
        tap.driver.operate(Order(256, Operation.BUILD))
        await tap.until(lambda: bool(tap.board.closed) or bool(tap.all(Reply)))
        tap.end.line.cut()
        assert tap.board.closed == {1}
        await pause(2.0)
        assert tap.board.closed == set()

    at_a_table(play, lambda: Tap(wired(pulse=pulse)))


def test_a_board_that_is_only_switched_is_let_go_by_the_host() -> None:
    async def play(tap: Tap) -> None:
        tap.driver.operate(Order(256, Operation.BUILD))
        await tap.until(lambda: bool(tap.all(Reply)))
        assert tap.board.closed == {1}
        await pause(0.5)
        assert tap.board.closed == set()
        tap.driver.operate(Order(512, Operation.DICE, side=0))
        await pause(0.5)

    at_a_table(play, lambda: Tap(wired(pulse="switch")))


def test_closing_lets_go_of_what_only_the_host_would() -> None:
    async def main() -> None:
        tap = Tap(wired(pulse="switch"))
        await tap.open()
        tap.driver.operate(Order(256, Operation.BUILD))
        await tap.until(lambda: bool(tap.all(Reply)))
        tap.driver.close()
        await pause(0.1)
        assert tap.board.closed == set()
        tap.board.closed.add(5)  # another host died with a key down
        tap.driver = type(tap.driver)(tap.end.host, tap.wiring)
        tap.reports.clear()
        await tap.open()
        assert tap.board.closed == set()
        tap.close()

    run_virtual(main())


def test_a_silent_board_is_gone() -> None:
    async def play(tap: Tap) -> None:
        tap.board.troubles.dead = True
        await pause(SILENCE + 0.5)
        assert tap.gone() == ["silent"]

    at_a_table(play)


def test_a_board_that_refuses_everything_is_gone_by_its_errors() -> None:
    async def play(tap: Tap) -> None:
        tap.board.troubles.refuse = 2
        await tap.until(lambda: bool(tap.all(Gone)))
        assert tap.gone() == ["errors"]

    at_a_table(play)


def test_a_refused_press_is_a_fault_of_the_panel() -> None:
    async def play(tap: Tap) -> None:
        tap.board.troubles.refuse_orders = 2
        reply = await tap.order(Operation.BUILD)
        assert (reply.stage, reply.fault) == (Stage.FAILED, Fault.PANEL_LINK_LOST)
        assert tap.presses == []

    at_a_table(play)


def test_the_clock_is_told_with_a_sample_taken_after_the_question() -> None:
    async def play(tap: Tap) -> None:
        token = tap.driver.ask_clock()
        await tap.until(lambda: bool(tap.all(ClockSample)))
        sample = tap.all(ClockSample)[-1]
        assert sample.token == token
        assert sample.sent < sample.received < sample.sent + 0.1

    at_a_table(play)


@pytest.mark.parametrize("seed", range(6))
def test_on_a_bad_line_no_key_is_pressed_that_was_not_ordered(seed: int) -> None:
    async def play(tap: Tap) -> None:
        for noise in (tap.end.to_board, tap.end.to_host):
            noise.damage = 0.01
        stages: list[Any] = []
        for id, operation in ((256, Operation.BUILD), (512, Operation.RAISE), (768, Operation.DICE)):
            if tap.gone():
                break
            tap.driver.operate(Order(id, operation, HAND, 0))
            await tap.until(lambda id=id: bool(tap.ends(id) or tap.gone()))  # type: ignore[misc]
            stages += [reply.stage for reply in tap.ends(id)]
        allowed = {"lift_a": 2, "dice 0": 1}
        assert all(tap.presses.count(key) <= allowed.get(key, 0) for key in set(tap.presses))
        assert tap.driver.counters.crc_errors > 0
        assert len(stages) >= 1 or tap.gone()

    at_a_table(play, lambda: Tap(seed=seed))
