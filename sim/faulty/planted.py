"""Every planted fault, with the requirement of SPEC.md it breaks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from protocols.atp.board import BoardSession
from sim.faulty import courses, events, greetings, lines, orders, stops, tables
from sim.world import SimTable


def _nothing(table: SimTable) -> None:
    """The table is a good one."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One faulty board. ``restart``: only a boot shows it."""

    name: str
    about: str
    breaks: str
    speaks: type[BoardSession] = BoardSession
    spoil: Callable[[SimTable], None] = _nothing
    restart: bool = False


Sessions = dict[str, tuple[type[BoardSession], ...]]
SESSIONS: Sessions = {
    "ATP-R02": (lines.SmallPackets,),
    "ATP-R03": (lines.BigEndian,),
    "ATP-R04": (lines.Flagged,),
    "ATP-R05": (lines.MindsFlags,),
    "ATP-R06": (lines.CounterStuck, lines.CounterWrapsEarly),
    "ATP-R07": (lines.CounterMinded,),
    "ATP-R08": (lines.WrongChecksums,),
    "ATP-R10": (lines.NoLeadingZero,),
    "ATP-R11": (lines.SwallowsAfterNoise,),
    "ATP-R12": (lines.OneByteBuffer, lines.TimesOutInside),
    "ATP-R13": (lines.Overflows,),
    "ATP-R14": (lines.StrictLength,),
    "ATP-R15": (lines.StrictShortness,),
    "ATP-R16": (lines.AnswersNonsense,),
    "ATP-R17": (orders.TakesAnything,),
    "ATP-R18": (lines.AnyVersion,),
    "ATP-R19": (lines.OnlyThisVersion,),
    "ATP-R20": (lines.ArguesBack,),
    "ATP-R22": (greetings.SpeaksFirst,),
    "ATP-R23": (greetings.AnswersStrangers,),
    "ATP-R24": (greetings.ObeysStrangers,),
    "ATP-R26": (greetings.ForgetsForStrangers,),
    "ATP-R27": (greetings.WrongHash,),
    "ATP-R31": (greetings.OneJournal,),
    "ATP-R32": (greetings.TellsOrphans,),
    "ATP-R33": (greetings.AdoptsOrphans, greetings.OrphansLinger),
    "ATP-R34": (greetings.HelloWithoutEvents,),
    "ATP-R35": (greetings.HelloForgets, greetings.HelloClearsStop),
    "ATP-R36": (greetings.HelloHomes,),
    "ATP-R37": (lines.ChangingIdentity,),
    "ATP-R38": (lines.DeafToOnePart,),
    "ATP-R39": (lines.AnswersOnce,),
    "ATP-R40": (lines.Late,),
    "ATP-R41": (orders.MovesFirst,),
    "ATP-R42": (orders.DoneTwice, orders.DoneUntold),
    "ATP-R43": (orders.ShortMemory, orders.ForgetsRunning),
    "ATP-R44": (orders.MovesTwice, orders.LooksAtTheRest),
    "ATP-R45": (orders.TakesOldIds,),
    "ATP-R46": (orders.NeverMarked, orders.AnswersQueriesWrong),
    "ATP-R48": (orders.TakesSecond,),
    "ATP-R49": (orders.LooksAtOthers,),
    "ATP-R50": (
        orders.ResultAfterDone,
        orders.ResultFirst,
        courses.BuildsUnannounced,
        courses.ThreeSides,
    ),
    "ATP-R52": (
        orders.OtherFaces,
        orders.OtherSide,
        orders.OtherHand,
        orders.StatusForgetsHand,
        courses.NeverLoading,
        courses.ReadyTooSoon,
        courses.ForgetsWalls,
        courses.ValueForAll,
    ),
    "ATP-R55": (orders.CannotHome,),
    "ATP-R56": (orders.CannotSetProfile,),
    "ATP-R57": (orders.WrongReason, orders.TakesBadArguments),
    "ATP-R58": (stops.StopsTwice, stops.IgnoresStop),
    "ATP-R59": (stops.SilentAtRest,),
    "ATP-R60": (stops.StoppedAtOnce,),
    "ATP-R61": (stops.BlamesMotor,),
    "ATP-R62": (events.EventlessStop, events.EventEachStop),
    "ATP-R63": (events.NeverStopped, events.FailsAtRest),
    "ATP-R64": (events.HomedAnyhow,),
    "ATP-R65": (events.SkipsNumbers, events.DropsEvents),
    "ATP-R66": (events.Unstamped, events.RestampsEvents),
    "ATP-R67": (events.WaitsToBeAsked,),
    "ATP-R68": (events.ShortRing,),
    "ATP-R69": (
        events.NeverRepeats,
        events.RepeatsForEver,
        courses.RepeatsAtOnce,
    ),
    "ATP-R70": (events.ObeysAnyBoot,),
    "ATP-R71": (
        events.SilentAboutLosses,
        events.SaysAllIsLost,
        courses.ReplaysMore,
    ),
    "ATP-R72": (events.LiteralLast,),
    "ATP-R73": (greetings.NeverBeats, greetings.SlowBeats),
    "ATP-R74": (greetings.DeafToBeats,),
    "ATP-R75": (greetings.BeatsAtRest, greetings.BeatsBehind),
    "ATP-R77": (stops.PlainSilence,),
    "ATP-R78": (
        greetings.BeatsAlone,
        courses.HearsStrangers,
    ),
    "ATP-R79": (greetings.ForgetsGreeting,),
    "ATP-R80": (events.ClockJumpsBack,),
    "ATP-R81": (events.CachedClock, events.ClockBehindEvents),
    "ATP-R82": (events.StaleStatus, events.StatusOfAnotherBoot),
    "ATP-R83": (events.NamesTheLatest,),
    "ATP-R84": (events.HidesFaults,),
    "ATP-R86": (orders.ClaimsLamps, orders.ClaimsDice),
    "ATP-R87": (events.BlamesPeople, events.PlacesEverything),
    "ATP-R88": (orders.CountsDown,),
}
TABLES: dict[str, tuple[Callable[[SimTable], None], ...]] = {
    "ATP-R28": (tables.boots_under_its_old_id,),
    "ATP-R52": (tables.forgets_the_set,),
    "ATP-R53": (tables.moves_again_when_there,),
    "ATP-R54": (tables.pause_fails_the_build,),
    "ATP-R55": (tables.restarts_silently,),
    "ATP-R63": (
        tables.moves_while_stopped,
        courses.refuses_lamps_in_a_stop,
    ),
    "ATP-R64": (courses.home_drops_the_set, courses.rows_stay),
    "ATP-R76": (tables.runs_on_alone, tables.stops_late_alone),
    "ATP-R80": (tables.narrow_clock, tables.hurried_clock),
    "ATP-R84": (tables.latches_twice,),
    "ATP-R85": (
        tables.home_keeps_faults,
        courses.keeps_faults_of_a_host,
    ),
    "ATP-R89": (tables.forgets_its_profile,),
}
AFTER_A_BOOT = (tables.boots_under_its_old_id, tables.forgets_its_profile, greetings.ResultsOutliveIt)


def _words(name: str) -> str:
    """``MovesTwice`` and ``moves_twice`` as ``moves-twice``."""
    return "".join("-" + one.lower() if one.isupper() else one for one in name).lstrip("-").replace("_", "-")


def _about(what: object) -> str:
    return (inspect.getdoc(what) or "").splitlines()[0]


def _of_sessions() -> list[Planted]:
    rows: Sessions = {**SESSIONS, "ATP-R29": (greetings.ResultsOutliveIt,)}
    return [
        Planted(_words(one.__name__), _about(one), id, speaks=one, restart=one in AFTER_A_BOOT)
        for id, found in rows.items()
        for one in found
    ]


def _of_tables() -> list[Planted]:
    return [
        Planted(_words(one.__name__), _about(one), id, spoil=one, restart=one in AFTER_A_BOOT)
        for id, found in TABLES.items()
        for one in found
    ]


PLANTED: tuple[Planted, ...] = tuple(
    sorted((*_of_sessions(), *_of_tables()), key=lambda planted: (planted.breaks, planted.name))
)
