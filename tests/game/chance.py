"""What may happen at a table, as strategies: from a legal next step to plain nonsense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from protocols.vocabulary import (
    SIDES,
    TILE_NAMES,
    EventKind,
    Fault,
    Operation,
    Refusal,
    Source,
    Stage,
    StoreState,
    TopState,
)
from tablectl.api.registry import COMMANDS
from tablectl.api.spec import SEATS, Arg, CommandSpec
from tablectl.daemon.link.machine import STATES
from tablectl.daemon.link.words import Word
from tablectl.game.inputs import (
    AnyInput,
    BoardEvent,
    BoardStatus,
    ClockStep,
    Command,
    Deadline,
    EventsLost,
    LinkChange,
    OperationReply,
    OperationSilent,
    Refused,
    Restarted,
)
from tests.game.conftest import BOOK, COUNT, IDENTITY, SECOND
from tests.game.world import Act, On, Online, Raw, Reply, Rings, Sensed

DEVICES = ("table", "panel")
BARE: tuple[str, ...] = ("dice",)
CAPABILITIES = st.sampled_from([IDENTITY, COUNT, BARE, (*IDENTITY, "lamps")])
RULES = st.sampled_from(["mcr", "mcr-136", "zungjung", "ccm", "wuhan"])


def of(kind: Any) -> st.SearchStrategy[str]:
    return st.sampled_from([member.name.lower() for member in kind])


sides = st.sampled_from([None, *SIDES])
any_side = st.one_of(sides, st.integers(0, 255))
tiles = st.sampled_from(TILE_NAMES[1:])
read = st.lists(tiles, max_size=4).map(tuple)
values = st.one_of(st.integers(0, 8), st.integers(0, 2**32 - 1))
numbers = st.integers(0, 2**16)
boots = st.integers(1, 2)
devices = st.sampled_from(DEVICES)
shown_tiles = st.lists(tiles, min_size=1, max_size=4).map(tuple)
MINE = {"seat_key": range(1, 8), "tile_drawn": (0, 1), "meld_shown": range(1, 9)}


def sensible(event: str) -> st.SearchStrategy[Sensed]:
    value = st.sampled_from(MINE.get(event, range(6)))
    return st.builds(Sensed, st.just(event), st.sampled_from(SIDES), value, shown_tiles)


def arguments(spec: CommandSpec) -> st.SearchStrategy[dict[str, Any]]:
    required = {arg.name: argument(arg) for arg in spec.args if arg.required}
    optional = {arg.name: argument(arg) for arg in spec.args if not arg.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda args: defaults(spec) | args)


def defaults(spec: CommandSpec) -> dict[str, Any]:
    return {arg.name: arg.default for arg in spec.args if arg.default is not None}


def argument(arg: Arg) -> st.SearchStrategy[Any]:
    kinds: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
        "seat": lambda: st.sampled_from(SEATS),
        "side": lambda: st.sampled_from(SIDES),
        "tile": lambda: tiles,
        "tiles": lambda: st.lists(tiles, min_size=1, max_size=5),
        "choice": lambda: st.sampled_from(arg.choices),
        "name": lambda: st.sampled_from([*BOOK, "nope"]),
        "text": lambda: st.sampled_from(["stopped", "link table", "order", "張三 🀄"]),
        "number": lambda: st.integers(arg.low, min(arg.high, 200)),
        "flag": lambda: st.just(True),
    }
    return kinds[arg.kind]()


ASKED = [spec for spec in COMMANDS if not spec.query]
commands = st.sampled_from(ASKED).flatmap(
    lambda spec: st.builds(
        Command,
        st.integers(0, 9).map(str),
        st.sampled_from(["kim", "lee"]),
        st.sampled_from(["referee", "chief"]),
        st.just(spec.name),
        arguments(spec),
    )
)
words = st.sampled_from([word.value for word in Word])
inputs: st.SearchStrategy[AnyInput] = st.one_of(
    commands,
    st.builds(
        BoardEvent,
        devices,
        st.one_of(of(EventKind), st.just("event_of_a_newer_board")),
        numbers,
        boots,
        numbers,
        any_side,
        of(Source),
        values,
        read,
    ),
    st.builds(
        LinkChange,
        devices,
        st.sampled_from([state["name"] for state in STATES]),
        words,
        boot=boots,
        capabilities=st.sampled_from([IDENTITY, COUNT, BARE]),
        limits=st.just({"build": SECOND}),
    ),
    st.builds(
        BoardStatus,
        devices,
        boots,
        of(TopState),
        of(StoreState),
        st.booleans(),
        st.booleans(),
        st.integers(0, 3),
        st.sampled_from([0, 136, 144]),
        numbers,
        of(Operation),
        numbers,
        faults=st.lists(st.tuples(of(Fault), st.sampled_from([0, 3, 255])), max_size=2).map(tuple),
    ),
    st.builds(
        OperationReply,
        devices,
        numbers,
        of(Stage),
        st.integers(0, 100),
        of(Refusal),
        of(Fault),
        sides,
        values,
        st.booleans(),
    ),
    st.builds(OperationSilent, devices, numbers, st.integers(1, 8)),
    st.builds(EventsLost, devices, boots, st.integers(1, 9), st.integers(9, 20)),
    st.builds(Restarted, st.just("0.2"), st.booleans()),
    st.builds(ClockStep, st.integers(-(2**50), 2**50)),
    st.builds(Refused, numbers, st.just("ValueError: x")),
    st.builds(Deadline, st.sampled_from(["window", "turn", "order", "nothing"]), numbers),
)
acts: st.SearchStrategy[Act] = st.one_of(
    st.builds(On, st.integers(0, 63), st.integers(0, 41)),
    st.builds(On, st.integers(0, 63), st.integers(0, 41)),
    st.one_of(*map(sensible, ["seat_key", "tile_drawn", "tile_discarded", "meld_shown"])),
    st.builds(Sensed, of(EventKind), any_side, values, read, st.booleans()),
    st.builds(Reply, of(Stage), values, st.booleans()),
    st.builds(Rings),
    st.builds(Online, st.booleans(), boots),
    st.builds(Raw, inputs),
)
times = st.sampled_from([0, 1, SECOND // 2, 2 * SECOND, 4 * SECOND, 40 * SECOND])
lags = st.sampled_from([0, 0, 0, 1, SECOND // 2, 3 * SECOND])
courses = st.lists(st.tuples(acts, times, lags), max_size=50)
