"""What cannot lie on a table is refused before anything is counted (WH-C17)."""

from __future__ import annotations

from collections import Counter

from tablectl.rules import tiles
from tablectl.rules.errors import HandError
from tablectl.rules.melds import SETS, check_meld
from tablectl.rules.wuhan.hand import PLAYERS, FedMeld, WinHand, laid_of
from tablectl.rules.wuhan.laizi import RED, laizi_of, pi_of
from tablectl.rules.wuhan.settings import ScoreSettings


def check(hand: WinHand, settings: ScoreSettings) -> None:
    """Refuse what cannot be. Raises `HandError`: ``wrong_count`` and ``five_copies`` are named by WH-C17."""
    _check_players(hand)
    _check_laizi(hand, settings)
    for meld in hand.melds:
        _check_meld(hand, meld, settings)
    _check_number(hand)
    _check_laid(hand)
    _check_copies(hand, settings)
    _check_way(hand)


def _check_players(hand: WinHand) -> None:
    if len(hand.laid) != PLAYERS:
        sentence = f"{len(hand.laid)} players: there are four"
        raise HandError("hand.players", sentence, count=len(hand.laid))
    given = (meld.feeder for meld in hand.melds)
    named = (player for player in (hand.discarder, *given) if player is not None)
    for player in (hand.winner, hand.dealer, *named):
        if player not in range(PLAYERS):
            raise HandError("hand.no_player", f"{player} is no player: they are 0 to 3", player=player)
    if hand.self_drawn != (hand.discarder is None):
        needs = "takes nobody's tile" if hand.self_drawn else "needs the player who gave the tile"
        raise HandError("hand.discarder", f"{hand.way} {needs}", way=hand.way)
    if hand.discarder == hand.winner:
        raise HandError("hand.own_tile", "nobody wins by an own discard or kong", player=hand.winner)


def _check_laizi(hand: WinHand, settings: ScoreSettings) -> None:
    for tile in hand.laizi:
        if tile not in tiles.KINDS:
            raise HandError("hand.no_tile", f"{tile!r} is no tile of a hand", tile=tile)
    if len(hand.laizi) != settings.laizi_kinds:
        sentence = f"{len(hand.laizi)} kinds are laizi: it should be {settings.laizi_kinds}"
        raise HandError("hand.laizi_kinds", sentence, count=len(hand.laizi))
    if hand.indicator is None:
        return
    named = laizi_of(hand.indicator, settings)
    if set(named) != set(hand.laizi):
        shown = " ".join(hand.laizi)
        sentence = f"{shown} is not the laizi of the indicator {hand.indicator}: that is {' '.join(named)}"
        raise HandError("hand.laizi_indicator", sentence, indicator=hand.indicator, laizi=list(named))


def _check_meld(hand: WinHand, meld: FedMeld, settings: ScoreSettings) -> None:
    """The set itself, and what may not be in one (WH-W3, WH-W4, WH-W5, WH-C12, WH-C15)."""
    check_meld(meld)
    pi = pi_of(hand.indicator, settings) if hand.indicator else ()
    for tile in (*hand.laizi, RED, *pi):
        if tile in meld.tiles:
            raise HandError("hand.not_melded", f"{tile} is never part of a {meld.kind}", tile=tile)
    if (meld.kind == "concealed_kong") != (meld.feeder is None):
        raise HandError("hand.feeder", f"a {meld.kind} and feeder {meld.feeder}", kind=meld.kind)
    if meld.feeder == hand.winner:
        raise HandError("hand.feeder", f"player {meld.feeder} cannot feed himself", kind=meld.kind)
    if meld.kind == "chow" and meld.feeder != (hand.winner - 1) % PLAYERS:
        raise HandError("hand.feeder", "a chow comes from the upper seat", kind=meld.kind)


def _check_number(hand: WinHand) -> None:
    count, needed = len(hand.concealed), 3 * (SETS - len(hand.melds)) + 1
    if count != needed:
        sentence = f"{count} concealed tiles beside {len(hand.melds)} melds: it takes {needed}"
        raise HandError("wrong_count", sentence, count=count, needed=needed)


def _check_copies(hand: WinHand, settings: ScoreSettings) -> None:
    seen = Counter(hand.own)
    for meld in hand.melds:
        seen.update(meld.tiles)
    if hand.indicator:
        seen[hand.indicator] += 1
    if RED not in hand.laizi:
        seen[RED] += sum(laid.hongzhong_kong for laid in hand.laid)
    for tile, number in seen.items():
        if tile not in tiles.KINDS:
            raise HandError("hand.no_tile", f"{tile!r} is no tile of a hand", tile=tile)
        _refuse_five(tile, number, tiles.copies(tile))
    thrown = sum(laid.laizi_kong + laid.laizi_discard for laid in hand.laid)
    _check_thrown("laizi", hand.laizi, thrown, seen)
    pi = pi_of(hand.indicator, settings) if hand.indicator else ()
    _check_thrown("pi", pi, sum(laid.pi_kong for laid in hand.laid), seen)


def _check_thrown(name: str, kinds: tuple[str, ...], thrown: int, seen: Counter[str]) -> None:
    """Of laizi and pi laid out or thrown only the number is known, not the kind."""
    if thrown:
        there = sum(tiles.copies(kind) for kind in kinds)
        _refuse_five(name, thrown + sum(seen[kind] for kind in kinds), there)


def _refuse_five(tile: str, number: int, there: int) -> None:
    if number > there:
        raise HandError("five_copies", f"{number} of {tile}: there are {there}", tile=tile, count=number)


def _check_laid(hand: WinHand) -> None:
    own = hand.laid[hand.winner]
    if own.melds != laid_of(hand.melds).melds:
        sentence = f"the winner's melds are {own.melds} by number, but others are shown"
        raise HandError("hand.laid", sentence, player=hand.winner)
    for player, laid in enumerate(hand.laid):
        if min(laid.numbers()) < 0 or sum(laid.melds) > SETS:
            sentence = f"player {player} cannot have laid out {laid.melds} melds"
            raise HandError("hand.laid", sentence, player=player)


def _check_way(hand: WinHand) -> None:
    if hand.way == "kong_draw" and not hand.laid[hand.winner].kongs:
        raise HandError("hand.no_kong", "the tile cannot replace a kong: the player has none")
    if hand.way != "rob_kong" or hand.discarder is None:
        return
    if not hand.laid[hand.discarder].pung:
        sentence = f"player {hand.discarder} has no pung a tile could be added to"
        raise HandError("hand.no_pung", sentence, player=hand.discarder)
    if hand.winning in (*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles)):
        sentence = f"{hand.winning} cannot be robbed: the kong has the other three"
        raise HandError("hand.robbed_held", sentence, tile=hand.winning)
    if hand.winning in (*hand.laizi, RED, hand.indicator):
        sentence = f"{hand.winning} cannot be robbed: no pung of it can lie there"
        raise HandError("hand.robbed_held", sentence, tile=hand.winning)
