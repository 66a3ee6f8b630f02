"""A state document with everything in it, and hostile names."""

from __future__ import annotations

from typing import Any

HOSTILE = "e\x1b[31mvil\u202e\x9b2J"


def document() -> dict[str, Any]:
    """A hand in play, held because a cable was pulled."""
    return {
        "now": 95_000_000,
        "table": {
            "top": "walls_up",
            "store": "building",
            "stopped": False,
            "faults": [["optic_weak", 2]],
            "order": {"id": 1, "operation": "build", "stage": "accepted", "percent": 45},
            "top_stacks": [18, 18, 18, 18],
            "store_stacks": [9, 8, 9, 9],
        },
        "session": {
            "rules": "mcr",
            "state": "running",
            "hand_no": 3,
            "hands": 16,
            "round": "E",
            "dealer": 2,
            "players": [
                {"id": "p0", "name": "張三", "side": 0, "points": 24},
                {"id": "p1", "name": "Ann-Sophie Lindgren", "side": 1, "points": -8},
                {"id": "p2", "name": "<svg/onload=alert()>", "side": 2, "points": -8},
                {"id": "p3", "name": HOSTILE, "side": 3, "points": -8},
            ],
        },
        "hand": {
            "no": 3,
            "phase": "claims",
            "turn": 3,
            "total": 144,
            "wall_left": 67,
            "head": 72,
            "tail": 5,
            "dice": [[3, 4], [2, 6]],
            "break": {"side": 1, "stack": 15},
            "seats": [
                seat(0, "W", discards=["1m", "9p", "E", "4s", "", "2m", "7p"]),
                seat(1, "N", melds=[{"kind": "pung", "tiles": ["5p"] * 3}], flowers=2, no_win=True),
                seat(2, "E", melds=[{"kind": "concealed_kong", "tiles": []}], discards=["f1"]),
                seat(3, "S", tiles=[*(f"{n}m" for n in range(1, 10)), "1p", "1p", "1p", "N"]),
            ],
            "window": {"until": 97_000_000, "claims": [{"side": 0, "word": "win"}]},
            "clock": {"side": 3, "limit_us": 15_000_000, "spent_us": 2_700_000, "running": True},
        },
        "holds": [
            {
                "name": "link table",
                "key": "hold.link",
                "since": 83_000_000,
                "ends": "auto",
                "data": {"device": "table", "word": "cable_pulled"},
            }
        ],
        "links": {
            "table": {"state": "lost", "word": "cable_pulled"},
            "keys": {"state": "online", "word": ""},
        },
        "quality": {
            "keys": {
                "frames_sent": 120,
                "frames_received": 118,
                "retries": 1,
                "crc_errors": 0,
                "round_trip_us": {"min": 900, "p50": 4200, "p90": 6000, "p99": 9900},
                "clock": {"ready": True, "uncertainty_us": 450, "drift_ppb": 12},
            }
        },
    }


def seat(side: int, wind: str, **more: Any) -> dict[str, Any]:
    """A seat of the document."""
    quiet: dict[str, Any] = {
        "concealed": 13,
        "tiles": None,
        "melds": [],
        "flowers": 0,
        "discards": [],
        "no_win": False,
    }
    return {"side": side, "seat": wind, **quiet, **more}


EVENTS: list[dict[str, Any]] = [
    {"seq": 1, "at": 90_000_000, "key": "event.drawn", "data": {"side": 3, "end": "head", "wall_left": 67}},
    {"seq": 2, "at": 92_700_000, "key": "event.discarded", "data": {"side": 3, "tile": "3p"}},
    {"seq": 3, "at": 93_000_000, "key": "event.claimed", "data": {"side": 0, "word": "win"}},
    {
        "seq": 4,
        "at": 93_000_000,
        "key": "event.irregular",
        "data": {"what": "irregular.empty_claim", "side": 1, "rule": "MCR-P4", "facts": {"word": "pung"}},
    },
    {
        "seq": 5,
        "at": 94_000_000,
        "key": "event.link",
        "data": {"device": HOSTILE, "state": "lost", "word": ""},
    },
]
