"""What the players of a simulated table are told of a ruleset: plain data, for they know no rule book."""

from __future__ import annotations

from protocols.vocabulary import SeatKey
from sim.customs import Aims, Customs
from tablectl.rules.ccm.score import CcmScore
from tablectl.rules.model import Ruleset
from tablectl.rules.wuhan.score import WuhanScore

KEYS = {"chow": SeatKey.CHOW, "pung": SeatKey.PUNG, "kong": SeatKey.KONG, "win": SeatKey.WIN}


def customs_of(rules: Ruleset) -> Customs:
    """The customs of a table that plays by a ruleset."""
    wall, claims, kongs = rules.wall, rules.claims, rules.kongs
    return Customs(
        throws=wall.throws.value,
        dice=wall.dice.value,
        break_at=wall.break_at.value,
        dead_tiles=wall.dead_tiles.value,
        draw_only=wall.draw_only.value,
        tail_parity=wall.tail_parity.value,
        indicator=wall.indicator.value,
        wild_kinds=rules.score.laizi_kinds.value if isinstance(rules.score, WuhanScore) else 0,
        wild_honours=rules.score.laizi_next.value if isinstance(rules.score, WuhanScore) else "skip_zhong",
        singles=kongs.single.value,
        unclaimable=claims.unclaimable.value,
        forbidden=rules.discards.forbidden.value,
        chow="chow" in claims.words.value,
        kong_after_claim=kongs.in_claimed_turn.value,
        last_discard=tuple(KEYS[word] for word in claims.last_discard.value),
        winners=claims.winners.value,
        waits=claims.window_s.value == 0,
        discard_s=rules.turn.discard_s.value,
        aims=_aims(rules),
    )


def _aims(rules: Ruleset) -> Aims:
    """What a hand is built towards, by the judge that will count it."""
    match rules.score:
        case CcmScore():
            return "fan"
        case WuhanScore():
            return "opened"
        case _:
            return "any"
