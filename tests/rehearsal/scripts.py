"""Hands written down for the demo: the two human ones, and small ones for each thing that can happen."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from sim.mechanism.tiles import KINDS

HUMAN_FILE = Path(__file__).parent / "data" / "human_hands.jsonl"
HUMAN = [json.loads(line) for line in HUMAN_FILE.read_text("utf-8").splitlines()]
COPIES, DEALT = 4, 13

Line = dict[str, Any]


def events(words: str) -> list[Line]:
    """Events from words, one a comma: ``0 draw 1m, 1 chow 3m 1m 2m``."""
    told = []
    for word in words.replace("\n", " ").split(","):
        seat, do, tile, *own = word.split()
        told.append({"seat": int(seat), "do": do, "tile": tile, **({"with": own} if own else {})})
    return told


def hand(words: str, *holds: str, dealer: int = 0, **more: Any) -> Line:
    """A line of a script file. ``holds`` are the tiles each seat must hold; others stay out of the way."""
    told = events(words)
    drawn = [event["tile"] for event in told if event["do"] == "draw"]
    named = [hold.split() for hold in holds] + [[]] * (4 - len(holds))
    rest = Counter(dict.fromkeys(KINDS, COPIES)) - Counter(drawn + [tile for hold in named for tile in hold])
    spare = sorted(rest.elements())
    Random(7).shuffle(spare)
    deal = [[*hold, *(spare.pop() for _ in range(DEALT - len(hold)))] for hold in named]
    winner = told[-1]["seat"] if told[-1]["do"] == "win" else None
    return {"dealer": dealer, "deal": deal, "events": told, "winner": winner, **more}


HANDS: dict[str, Line] = {
    "self-drawn on the first draw": hand("0 draw E, 0 win E"),
    "self-drawn later": hand(
        "1 draw E, 1 discard E, 2 draw S, 2 discard S, 3 draw W, 3 discard W, 0 draw N, 0 win N", dealer=1
    ),
    "pung right after a discard, over two seats": hand(
        "0 draw E, 0 discard 5p, 3 pung 5p, 3 discard N, 0 draw S, 0 discard S, 1 win S",
        "5p",
        "",
        "",
        "5p 5p N",
    ),
    "pung before the seat that would draw": hand(
        "0 draw E, 0 discard 5p, 1 pung 5p, 1 discard N, 3 win N", "5p", "5p 5p N"
    ),
    "chow from the left": hand(
        "2 draw E, 2 discard 4s, 3 chow 4s 5s 6s, 3 discard 2s, 0 chow 2s 3s 4s, 0 discard E, 1 win E",
        "3s 4s E",
        "",
        "4s",
        "5s 6s 2s",
        dealer=2,
    ),
    "a melded kong and its tile from the tail": hand(
        "0 draw E, 0 discard 5p, 2 kong 5p, 2 draw 9m, 2 discard 9m, 3 draw W, 3 discard W, 2 win W",
        "5p",
        "",
        "5p 5p 5p",
    ),
    "a concealed kong first of all, won on its tile": hand(
        "0 draw E, 0 concealed_kong E, 0 draw 9p, 0 win 9p", "E E E"
    ),
    "two kongs in one turn": hand(
        """3 draw E, 3 concealed_kong E, 3 draw S, 3 concealed_kong S, 3 draw 9p, 3 discard 9p,
        0 draw 1m, 0 discard 1m, 1 win 1m""",
        "",
        "",
        "",
        "E E E S S S",
        dealer=3,
    ),
    "an added kong that nobody robs": hand(
        """0 draw E, 0 discard 5p, 1 pung 5p, 1 discard N, 2 draw 1s, 2 discard 1s, 3 draw W, 3 discard W,
        0 draw S, 0 discard S, 1 draw 5p, 1 added_kong 5p, 1 draw 7m, 1 discard 7m, 2 win 7m""",
        "5p",
        "5p 5p N",
    ),
    "an added kong that is robbed": hand(
        """0 draw E, 0 discard 5p, 1 pung 5p, 1 discard N, 2 draw 1s, 2 discard 1s, 3 draw W, 3 discard W,
        0 draw S, 0 discard S, 1 draw 5p, 1 added_kong 5p, 3 win 5p""",
        "5p",
        "5p 5p N",
    ),
    "three kongs of three kinds by three seats": hand(
        """0 draw E, 0 concealed_kong E, 0 draw 9p, 0 discard 5p, 1 pung 5p, 1 discard C, 3 kong C, 3 draw 1m,
        3 discard 1m, 0 draw 2m, 0 discard 2m, 1 draw 5p, 1 added_kong 5p, 1 draw 3m, 1 discard 3m,
        2 draw 4m, 2 win 4m""",
        "E E E 5p",
        "5p 5p C",
        "",
        "C C C",
    ),
    "no flowers, another dealer, the south round": hand(
        "3 draw 1s, 3 discard 1s, 0 draw 2s, 0 discard 2s, 3 win 2s", dealer=3, round_wind="S"
    ),
}


def write(path: Path, lines: Sequence[Line]) -> Path:
    """A script file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path
