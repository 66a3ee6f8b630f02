"""How something goes wrong with a machine, and how it is put right again, by hand or by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from protocols.vocabulary import NO_SIDE, EventKind, Fault, Source
from sim.mechanism.body import Ailment
from sim.mechanism.causes import Moment, load_causes
from sim.mechanism.places import Place
from sim.mechanism.tiles import FULL, PLAIN

if TYPE_CHECKING:
    from sim.mechanism.machine import Mechanism


def befall(
    machine: Mechanism, name: str, side: int = NO_SIDE, *, clears: bool = False, axis: str = "",
    helps: float | None = None, where: str = "", pick: int = 0,
) -> Ailment:  # fmt: skip
    """A row of ``causes.toml`` happens to the table. Raises ``KeyError`` for a name that is none.

    ``pick`` chooses the tile where one is to be overlooked, ``where`` says where it then lies.
    """
    cause = load_causes().causes[name]
    ailment = Ailment(cause, side if cause.sided else NO_SIDE, clears, axis, helps=helps)
    machine.body.befall(ailment)
    begin = BEGINS.get(ailment.fault)
    if begin is not None:
        begin(machine, ailment)
    if ailment.fault is Fault.MISSING_TILES:
        _forget(machine, ailment, where, pick)
    if cause.moment is Moment.REST:
        ailment.shown = True
        if cause.stops:
            machine.halt_for(ailment.fault, ailment.side)
        else:
            machine.latch(ailment.fault, ailment.side)
    return ailment


def mend(machine: Mechanism, ailment: Ailment) -> bool:
    """Somebody puts it right. False while he cannot: a stray in the rows is out of his reach."""
    places = machine.places
    if ailment.fault in (Fault.EXTRA_TILES, Fault.MIXED_SETS):
        if ailment.tile in places.strays and not places.sort_out(ailment.tile):
            return False
    elif ailment.fault is Fault.MISSING_TILES and ailment.tile in places.overlooked:
        places.found(ailment.tile)
    machine.body.gone(ailment)
    end = ENDS.get(ailment.fault)
    if end is not None:
        end(machine, ailment)
    machine.alarms.mended(ailment)
    return True


def _forget(machine: Mechanism, ailment: Ailment, where: str, pick: int) -> None:
    """A tile of the set that is pushed in next, from a meld if that is where it shall stay."""
    places = machine.places
    tiles = places.loadable(_set_going_in(machine))
    melded = [tile for heap in places.melds for tile in heap if tile in tiles]
    if where == Place.MELD and melded:
        tiles = melded
    if tiles:
        ailment.tile = tiles[pick % len(tiles)]
        places.forget(ailment.tile, Place(where or Place.FLOOR))
    else:
        machine.body.gone(ailment)  # nothing lies there to be forgotten


def _set_going_in(machine: Mechanism) -> str:
    """The back of the set people push in now or next."""
    places = machine.places
    return places.set_being_built() if machine.adding else places.set_to_load()


def _stray(machine: Mechanism, ailment: Ailment) -> None:
    ailment.tile = machine.places.stray_in(_set_going_in(machine))


def _supply(machine: Mechanism, share: float) -> None:
    machine.wear.supply = share
    value = round(machine.body.limits.supply_mv * share)
    machine.emit(EventKind.POWER_DIP, value=value)


def _other_gear(machine: Mechanism, ailment: Ailment) -> None:
    machine.set_profile(PLAIN if machine.profile == FULL else FULL, Source.PANEL)


def _gear_back(machine: Mechanism, ailment: Ailment) -> None:
    if machine.profile != machine.people_profile:
        machine.set_profile(machine.people_profile, Source.PANEL)


def _mains_back(machine: Mechanism, ailment: Ailment) -> None:
    machine.wear.supply = 1.0


Change = Callable[["Mechanism", Ailment], None]
BEGINS: dict[Fault, Change] = {
    Fault.EXTRA_TILES: _stray,
    Fault.MIXED_SETS: _stray,
    Fault.UNDERVOLTAGE: lambda machine, ailment: _supply(machine, machine.body.limits.low_supply),
    Fault.OVERVOLTAGE: lambda machine, ailment: _supply(machine, machine.body.limits.high_supply),
    Fault.GEAR_CHANGED: _other_gear,
    Fault.RUNS_WITHOUT_COMMAND: lambda machine, ailment: machine.run_away(),
}
ENDS: dict[Fault, Change] = {
    Fault.UNDERVOLTAGE: _mains_back,
    Fault.OVERVOLTAGE: _mains_back,
    Fault.GEAR_CHANGED: _gear_back,
    Fault.OPTIC_WEAK: lambda machine, ailment: machine.body.clean(ailment.side),
    Fault.COUNT_MISMATCH: lambda machine, ailment: machine.body.clean(ailment.side),
}
