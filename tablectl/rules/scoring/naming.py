"""What a judge counted and left out, with the names its catalogue gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tablectl.rules.counted import Line, Named, NotCounted
from tablectl.rules.scoring.verdict import Counted, LeftOut, Name

Names = Mapping[str, Name]


def names(catalogue: Mapping[str, Named]) -> dict[str, Name]:
    """Every name of a catalogue."""
    return {id_: Name(id_, one.zh, one.en, one.rule) for id_, one in catalogue.items()}


def counted(lines: Iterable[Line], known: Names) -> tuple[Counted, ...]:
    """What was counted, what each is worth and how many there are."""
    return tuple(Counted(known[line.id], line.points // line.times, line.times) for line in lines)


def left_out(found: Iterable[NotCounted], known: Names, article: str) -> Iterator[LeftOut]:
    """What was not counted; ``article`` is the one by which a fan excludes another."""
    for one in found:
        because = known.get(one.because)
        yield LeftOut(known[one.id], article if because else one.because, because)
