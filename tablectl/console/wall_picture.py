"""The four walls seen from above: which stacks are left on each side, and where the wall was broken.

Side 0 is at the bottom, 1 right, 2 at the top, 3 left. Stacks of a wall are numbered from the right hand of
who sits there; tiles are taken clockwise from the break, replacements from the other end. The picture is
arithmetic over the counts; nobody knows which tile lies where.
"""

from __future__ import annotations

from typing import Any

from tablectl.locale.catalog import text

from .width import pad

TILES_PER_STACK = 2
SIDES = 4
MARGIN = 9  # cells left and right of the square, for a wind and a count
WIDEST = 18  # stacks a side of a set of 144
VERTICAL = 3  # stacks a row of the left and right walls stands for
TOP, RIGHT, BOTTOM, LEFT = 2, 1, 0, 3
TAKEN_HERE = "×"


def left_by_stack(hand: dict[str, Any], stacks: list[int]) -> list[list[int]]:
    """Tiles left in each stack of each side; ``stacks`` is what the board counted per side."""
    broken = hand.get("break")
    total = hand.get("total") or 0
    per_side = total // (SIDES * TILES_PER_STACK)
    if not broken or not per_side:
        return [[TILES_PER_STACK] * count for count in stacks]
    walls = [[TILES_PER_STACK] * per_side for _ in range(SIDES)]
    order = [
        (place % per_side, (broken["side"] - place // per_side) % SIDES)
        for place in range(broken["stack"], broken["stack"] + per_side * SIDES)
    ]
    _take(walls, order, hand.get("head") or 0)
    _take(walls, order[::-1], hand.get("tail") or 0)
    return walls


def _take(walls: list[list[int]], order: list[tuple[int, int]], tiles: int) -> None:
    for stack, side in order:
        taken = min(tiles, walls[side][stack])
        walls[side][stack] -= taken
        tiles -= taken


def picture(hand: dict[str, Any], stacks: list[int], winds: list[str], notes: list[str]) -> list[str]:
    """The square as lines of equal width, ``notes`` written in its middle."""
    walls = left_by_stack(hand, stacks)
    span = max(WIDEST, *(len(wall) for wall in walls))
    rows = -(-span // VERTICAL)
    broken = hand.get("break")
    strips = [[_cell(left) for left in wall] for wall in walls]
    if broken and (walls[broken["side"]][broken["stack"] :] or [1])[0] == 0:
        strips[broken["side"]][broken["stack"]] = TAKEN_HERE
    counts = [str(sum(left > 0 for left in wall)) for wall in walls]
    labels = [f"{wind} {count}" for wind, count in zip(winds, counts, strict=True)]
    left, right = _upright(walls[LEFT], rows)[::-1], _upright(walls[RIGHT], rows)
    lines = [_edge("┌", "".join(strips[TOP]), "┐", span, labels[TOP])]
    for row in range(rows):
        note = pad(notes[row] if row < len(notes) else "", span, "^")
        middle = row == rows // 2
        lines.append(
            pad(labels[LEFT] + " " if middle else "", MARGIN, ">")
            + f"{left[row]}{note}{right[row]}"
            + pad(" " + labels[RIGHT] if middle else "", MARGIN)
        )
    lines.append(_edge("└", "".join(reversed(strips[BOTTOM])), "┘", span, labels[BOTTOM]))
    return lines


def _edge(begin: str, strip: str, end: str, span: int, label: str) -> str:
    return " " * MARGIN + begin + pad(strip, span, "^") + end + pad(" " + label, MARGIN)


def _cell(left: int) -> str:
    return "·▄█"[left]


def _upright(wall: list[int], rows: int) -> list[str]:
    """A wall seen from its end: rows of three stacks, the first at the top."""
    cells = []
    for row in range(rows):
        part = wall[row * VERTICAL : (row + 1) * VERTICAL]
        full = len(part) * TILES_PER_STACK
        cells.append("·▂▅█"[-(-3 * sum(part) // full)] if full else " ")
    return cells


def notes(hand: dict[str, Any], winds: list[str], lang: str) -> list[str]:
    """What is written inside the walls."""
    lines = [""]
    if hand.get("wall_left") is not None and hand.get("phase") not in ("building", "raising"):
        lines.append(text("view.wall_left", lang, left=hand["wall_left"]))
    if hand.get("dice"):
        faces = "  ".join("+".join(map(str, throw)) for throw in hand["dice"])
        lines.append(text("view.dice", lang, faces=faces))
    if broken := hand.get("break"):
        lines.append(text("view.broken", lang, side=winds[broken["side"]], stack=broken["stack"]))
    for kind in hand.get("wild") or ():
        lines.append(text("view.wild", lang, shown=hand["indicator"], wild=kind))
    return lines
