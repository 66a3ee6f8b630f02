"""One seat of the terminal view: who sits there, whose turn it is, melds and discards, in a narrow column."""

from __future__ import annotations

from typing import Any

from tablectl.locale.catalog import text

from .paint import BOLD, CYAN, GREEN, RED, YELLOW, Brush
from .width import clip, pad

POOL_ROW = 6  # discards lie in rows of six (MCR-C3)
POOL_ROWS = 3  # room kept for them, so that the screen does not jump
TILE_CELLS = 3
SECOND_US = 1_000_000

TURN_PHASES = ("flowers", "draw", "decide", "claims", "robbing")

Line = tuple[str, tuple[str, ...]]  # text and its colours


def column(doc: dict[str, Any], side: int, lang: str) -> list[Line]:
    """The lines of a side's seat, not yet padded."""
    hand = doc.get("hand") or {}
    seat = _at(hand.get("seats"), side)
    player = _at((doc.get("session") or {}).get("players"), side)
    wind = seat.get("seat")
    name = player.get("name", "")
    if by := player.get("substitute"):
        name = text("view.by", lang, name=by, of=name)
    title = f"{text(f'wind.{wind}', lang) if wind else text(f'side.{side}', lang)} {name}"
    turn = hand.get("turn") == side and hand.get("phase") in TURN_PHASES
    lines: list[Line] = [(f"{'▶' if turn else ' '} {title}", (BOLD, GREEN) if turn else (BOLD,))]
    lines.append(_state(hand, seat, side, turn, lang))
    holding = [text("view.concealed", lang, n=seat["concealed"])] if "concealed" in seat else []
    if seat.get("flowers"):
        holding.append(text("view.flowers", lang, n=seat["flowers"]))
    lines.append((text("view.points", lang, points=player["points"]) if "points" in player else "", ()))
    if seat.get("bank_left_us") is not None:
        holding.append(text("view.bank", lang, left=f"{seat['bank_left_us'] / SECOND_US:.0f}"))
    lines.append((" · ".join(holding), ()))
    lines += [(line, ()) for line in rows_of(seat.get("tiles") or [])]
    for meld in seat.get("melds", []):
        tiles = " ".join(tile or "?" for tile in meld.get("tiles", []))
        lines.append((f"{text('word.' + meld.get('kind', ''), lang)} {tiles}", (CYAN,)))
    lines += _penalties(seat, lang)
    pool = rows_of(seat.get("discards", []))
    lines += [(line, ()) for line in pool + [""] * (POOL_ROWS - len(pool))]
    return lines


def _penalties(seat: dict[str, Any], lang: str) -> list[Line]:
    """What a ruling bars the seat from, and its penalty tiles, the dead ones said to be so."""
    lines: list[Line] = []
    effects = dict.fromkeys(bar.get("effect", "") for bar in seat.get("bars", []))
    if effects:
        lines.append(("✕ " + " · ".join(text(f"bar.{effect}", lang) for effect in effects), (RED,)))
    tiles = [
        tile if one.get("live", True) else text("view.dead_tile", lang, tile=tile)
        for one in seat.get("penalty_tiles", [])
        for tile in (one.get("tile") or "··",)
    ]
    if tiles:
        lines.append((text("view.penalty_tiles", lang, tiles=" · ".join(tiles)), (YELLOW,)))
    return lines


def columns(doc: dict[str, Any], lang: str, width: int, brush: Brush) -> list[str]:
    """The four seats beside one another."""
    room = (width - 3) // 4
    seats = [column(doc, side, lang) for side in range(4)]
    lines = []
    for row in range(max(map(len, seats))):
        cells = [seat[row] if row < len(seat) else ("", ()) for seat in seats]
        lines.append("│".join(brush(pad(content, room), *codes) for content, codes in cells).rstrip())
    return lines


def _at(items: list[dict[str, Any]] | None, side: int) -> dict[str, Any]:
    return next((item for item in items or [] if item.get("side") == side), {})


def rows_of(tiles: list[str]) -> list[str]:
    """Tiles in rows of six; one that was not read is ``··``."""
    shown = [pad(tile or "··", TILE_CELLS) for tile in tiles]
    return ["".join(shown[at : at + POOL_ROW]).rstrip() for at in range(0, len(shown), POOL_ROW)]


def _state(hand: dict[str, Any], seat: dict[str, Any], side: int, turn: bool, lang: str) -> Line:
    win = hand.get("win")
    if win and win.get("side") == side:
        return "  ◆ " + text("word.win", lang), (YELLOW,)
    claims = [claim for claim in (hand.get("window") or {}).get("claims", []) if claim.get("side") == side]
    if claims:
        return "  ◆ " + text(f"word.{claims[-1].get('word')}", lang), (YELLOW,)
    clock = hand.get("clock")
    if clock and clock.get("side") == side:
        return _clock(clock, turn, lang)
    if seat.get("mechanical"):
        return "  ✕ " + text("view.mechanical", lang), (YELLOW,)
    if seat.get("no_win"):
        return "  ✕ " + text("view.no_win", lang), (RED,)
    return ("  " + text("view.turn", lang) if turn else ""), (GREEN,)


def _clock(clock: dict[str, Any], turn: bool, lang: str) -> Line:
    """What is left of the turn, with a mark once that is little."""
    left = clock.get("left_us", clock.get("limit_us", 0) - clock.get("spent_us", 0)) / SECOND_US
    word = text("view.turn", lang) + " " if turn else ""
    if left < 0:
        return clip(f"  {word}{text('view.clock_over', lang, over=f'{-left:.1f}')}", 40), (RED,)
    stands = "" if clock.get("running", True) else " " + text("view.clock_stands", lang)
    mark = "! " if clock.get("warned") else ""
    shown = f"  {mark}{word}{text('view.clock', lang, left=f'{left:.1f}')}{stands}"
    return clip(shown, 40), (YELLOW,) if mark else (GREEN,)
