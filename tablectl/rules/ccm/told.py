"""A win told by the names of its fan and extras, without its tiles: what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tablectl.rules.ccm.catalog import CONCEALED, WAIT, edition, words
from tablectl.rules.ccm.count import Sum, add_up
from tablectl.rules.ccm.found import Found
from tablectl.rules.ccm.pay import Mode
from tablectl.rules.ccm.settings import ScoreSettings
from tablectl.rules.errors import HandError

MIXED = "mixed"  # beside the extras: the drawn tile was put among the others (CJ-C2)


def total(
    fans: tuple[str, ...], extras: Mapping[str, bool | int], mode: Mode, settings: ScoreSettings
) -> Sum:
    """The points of a win told by fan and extras. Raises `HandError` for a name or a contradiction."""
    catalogue = edition(settings)
    for fan in fans:
        if fan not in catalogue or catalogue[fan].extra:
            raise HandError("line.fan", f"{fan!r} is no technical fan", fan=fan)
    return add_up((*map(Found, dict.fromkeys(fans)), *_extras(extras, mode, settings)), settings)


def _extras(extras: Mapping[str, bool | int], mode: Mode, settings: ScoreSettings) -> Iterator[Found]:
    own = mode == "self_draw" or (mode == "rob" and settings.rob_is_selfdraw)
    places = {"": True, "draw": mode == "self_draw", "own": own, "other": mode != "self_draw"}
    for word, times in extras.items():
        if word == MIXED or not times:
            continue
        extra = words().get(word, "")
        if not extra or int(times) < 0:
            raise HandError("line.extra", f"{word!r}: {times} is no extra", extra=word)
        if not places[edition(settings)[extra].on]:
            raise HandError("line.extra_mode", f"{word!r} does not go with a win by {mode}", extra=word)
        missed = ""
        if extra == WAIT and extras.get(MIXED) and mode == "self_draw":
            missed = "CJ-C2"
        elif extra == CONCEALED and not own and not settings.menqing_on_discard:
            missed = "CJ-S4"
        yield Found(extra, int(times), missed)
