"""What the money of a win is multiplied by: the base, and the factors of winner and losers (WH-S2 to S5)."""

from __future__ import annotations

from fractions import Fraction

from tablectl.rules.wuhan.catalog import SMALL, Factors, catalogue, patterns
from tablectl.rules.wuhan.hand import Laid
from tablectl.rules.wuhan.settings import ScoreSettings
from tablectl.rules.wuhan.win import Win


def base_of(big: tuple[str, ...], settings: ScoreSettings) -> int:
    """B: of a small win, or of so many 大胡 (WH-S2)."""
    if not big:
        return patterns()[SMALL].points
    points = [patterns()[pattern].points for pattern in big]
    if settings.big_sum == "doubling":
        return int(points[0] * catalogue().factors.more_big.value ** (len(big) - 1))
    return sum(points)


def own_factor(laid: Laid, settings: ScoreSettings) -> int:
    """What a player's own openings and kongs multiply by, winner or loser (WH-S3, WH-S10)."""
    factors = catalogue().factors
    openings = laid.chow + laid.pung + laid.added_kong
    if settings.kong_opening == "both":
        openings += laid.direct_kong
    if settings.open_mode == "kaikou":
        openings = min(openings, 1)
    return int(
        factors.opening.value**openings
        * factors.melded_kong.value ** (laid.direct_kong + laid.added_kong)
        * factors.concealed_kong.value**laid.concealed_kong
        * factors.hongzhong_kong.value**laid.hongzhong_kong
        * factors.pi_kong.value**laid.pi_kong
        * settings.laizi_kong**laid.laizi_kong
        * _laizi_discard(factors, settings) ** laid.laizi_discard
    )


def _laizi_discard(factors: Factors, settings: ScoreSettings) -> int:
    """A discarded laizi; for some it is the laizi kong itself (WH-W5)."""
    return settings.laizi_kong if settings.laizi_discard == "kong" else factors.laizi_discard.value


def winner_factor(win: Win, settings: ScoreSettings) -> Fraction:
    """W: the winner's own factor, hard, self-draw, and the further doubling of 风一色 (WH-S4, WH-S9)."""
    factor = Fraction(own_factor(win.laid[win.winner], settings))
    for pattern in win.big:
        factor *= patterns()[pattern].factor
    if win.hard:
        factor *= catalogue().factors.hard.value
    return factor * self_draw(bool(win.big)) if win.self_drawn else factor


def self_draw(big: bool) -> Fraction:
    """The factor of a self-draw."""
    factors = catalogue().factors
    return Fraction(*factors.self_draw_big.value) if big else Fraction(factors.self_draw_small.value)


def loser_factor(win: Win, player: int, settings: ScoreSettings) -> Fraction:
    """L and Z: a loser's own factor, the discarder's, and the dealer's in a small win (WH-S4)."""
    factors = catalogue().factors
    factor = Fraction(own_factor(win.laid[player], settings))
    if player == win.discarder:
        factor *= Fraction(*factors.discarder_big.value) if win.big else factors.discarder_small.value
    if not win.big and win.dealer in (win.winner, player):
        factor *= factors.dealer_small.value
    return factor
