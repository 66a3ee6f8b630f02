"""Which fan of two, three or four sets are added together: the principles of MCR-S6 on sets.

不拆移: sets once combined are not combined again among themselves. 套算一次: a set not yet combined is
combined once, with one of those already combined. Together: the sets combined so far form islands, and a new
combination may touch each island in one set only. 不得相同: a set that made a fan does not make the same fan
with another set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tablectl.rules.mcr.found import Found

Chosen = tuple[Found, ...]
Islands = tuple[frozenset[int], ...]


def best(candidates: Sequence[Found], value: Callable[[str], int]) -> Chosen:
    """The allowed choice worth most; of equals the one first in the book. Candidates come in its order."""
    return _best(candidates, value, (), ())[1]


def _best(
    candidates: Sequence[Found], value: Callable[[str], int], used: Chosen, islands: Islands
) -> tuple[int, Chosen]:
    """What to add to those used, every candidate being allowed beside them."""
    best_points = 0
    best_choice: Chosen = ()
    for place, new in enumerate(candidates):
        now_used, now_islands = (*used, new), _join(new, islands)
        rest = [later for later in candidates[place + 1 :] if _is_allowed(later, now_used, now_islands)]
        points, choice = _best(rest, value, now_used, now_islands)
        if points + value(new.fan) > best_points:
            best_points, best_choice = points + value(new.fan), (new, *choice)
    return best_points, best_choice


def _is_allowed(new: Found, used: Chosen, islands: Islands) -> bool:
    if any(len(island.intersection(new.places)) > 1 for island in islands):
        return False
    return all(old.fan != new.fan or set(old.places).isdisjoint(new.places) for old in used)


def _join(new: Found, islands: Islands) -> Islands:
    apart = tuple(island for island in islands if island.isdisjoint(new.places))
    touched = (island for island in islands if not island.isdisjoint(new.places))
    return (*apart, frozenset(new.places).union(*touched))
