"""Finds the offence a referee means by what he types: an article, a symptom, half a word, in either language.

"drew before", "befor drew" and 摸牌早 find the same article. Words of letters are compared one by one,
whatever their order, with slips; Chinese by the characters they share.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from tablectl.rules.articles import articles
from tablectl.rules.model import Ruleset
from tablectl.rules.offences import Offence

ENOUGH = 0.55  # least score of something found
SLIP = 0.75  # least likeness of a word with slips
HALF = 3  # letters from which half a word counts
SPREAD = 0.7  # how much words count that stand in several phrases of one offence
HELP = 0.05  # and beside a phrase that holds them
FAR = 0.8  # how much a word of the article's line counts, beside the catalogue's own words
RULE_ID = re.compile(r"(?:([a-z]+)[ -]*)?([a-z]\d+)")
LETTERS = re.compile(r"[a-z0-9]+")
CHINESE = re.compile(r"[\u3400-\u9fff]+")
FILLING = re.compile("[了的一张把个他她它们人就才又也在着]")  # characters that name nothing
SMALL = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "he", "her", "his", "in", "is", "it", "of", "on", "or", "she"}
    | {"the", "to", "was", "were", "with"}
)


class Found(NamedTuple):
    """An offence that may be meant: its id, what the catalogue says, and how well it fits (0 to 1)."""

    id: str
    offence: Offence
    score: float


class Phrase(NamedTuple):
    """A way of naming an offence: its words of letters, its Chinese characters, and what it counts."""

    words: frozenset[str]
    characters: str
    weight: float


class Typed(NamedTuple):
    """What a referee typed: for each word of letters how like it those of the catalogue are, and Chinese."""

    words: list[dict[str, float]]
    characters: str


def find(rules: Ruleset, text: str, lang: str) -> list[Found]:
    """The offences of a ruleset that fit the text, best first; all of them, in order, for an empty text."""
    asked = plain(text)
    if not asked:
        return [Found(id_, offence, 1.0) for id_, offence in rules.offences.items()]
    article = RULE_ID.fullmatch(asked)
    if article and (by_rule := _by_rule(rules, article[1] or "", article[2])):
        return by_rule
    phrases = {id_: list(_phrases(id_, offence, lang)) for id_, offence in rules.offences.items()}
    words = [word for word in LETTERS.findall(asked) if word not in SMALL] or LETTERS.findall(asked)
    known = {word for of_one in phrases.values() for phrase in of_one for word in phrase.words}
    typed = Typed([_likeness(word, known) for word in words], chinese(asked))
    scored = (Found(id_, rules.offences[id_], _score(typed, phrases[id_])) for id_ in phrases)
    return sorted((one for one in scored if one.score >= ENOUGH), key=lambda one: -one.score)


def plain(text: str) -> str:
    """The text as it is compared: wide and capital letters are others' business."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def chinese(spelt: str) -> str:
    """The Chinese characters of a text that name something; all of them if none does."""
    run = "".join(CHINESE.findall(spelt))
    return FILLING.sub("", run) or run


def _by_rule(rules: Ruleset, system: str, number: str) -> list[Found]:
    def score(offence: Offence) -> float:
        for rules_, value in (((offence.rule,), 1.0), ((*offence.also, offence.like), FAR)):
            for rule in rules_:
                prefix, _, rest = rule.casefold().partition("-")
                if rest == number and system in ("", prefix):
                    return value
        return 0.0

    found = [Found(id_, offence, score(offence)) for id_, offence in rules.offences.items()]
    return sorted((one for one in found if one.score), key=lambda one: -one.score)


def _phrases(id_: str, offence: Offence, lang: str) -> Iterator[Phrase]:
    for said in (*offence.words, offence.en, offence.zh, id_.replace("_", " ")):
        yield _phrase(said, 1.0)
    if offence.rule in articles():
        yield _phrase(articles()[offence.rule].text(lang), FAR)


@lru_cache(maxsize=4096)
def _phrase(said: str, weight: float) -> Phrase:
    spelt = plain(said)
    return Phrase(frozenset(LETTERS.findall(spelt)), chinese(spelt), weight)


def _likeness(word: str, known: set[str]) -> dict[str, float]:
    """How like the typed word each word of the catalogue is; only those that are."""
    found = {other: like for other in known if (like := _alike(word, other))}
    if word not in found:
        return found
    # A word that stands as it is needs no guessing.
    return {other: like if other == word else like * FAR for other, like in found.items()}


@lru_cache(maxsize=16384)
def _alike(word: str, other: str) -> float:
    if word == other:
        return 1.0
    if len(word) >= HALF and other.startswith(word):
        return 0.9
    if abs(len(word) - len(other)) > HALF or min(len(word), len(other)) < HALF:
        return 0.0
    if 2 * len(set(word) & set(other)) < SLIP * len(set(word) | set(other)):
        return 0.0
    like = difflib.SequenceMatcher(None, word, other, autojunk=False).ratio()
    return like * 0.9 if like >= SLIP else 0.0


def _score(typed: Typed, phrases: list[Phrase]) -> float:
    """How well an offence fits: its best single phrase, helped by the rest of what it is called."""
    best = max(_fits(typed, phrase) for phrase in phrases)
    spread = _held(typed, frozenset().union(*(phrase.words for phrase in phrases)))
    return min(1.0, max(best, spread * SPREAD) + spread * HELP)


def _fits(typed: Typed, phrase: Phrase) -> float:
    """How well a phrase fits, letters and characters each by how many were typed."""
    words, characters = len(typed.words), len(typed.characters)
    letters = _held(typed, phrase.words)
    if letters:
        said = phrase.words - SMALL
        covered = sum(any(word in like for like in typed.words) for word in said) / max(1, len(said))
        letters *= 0.75 + 0.25 * covered
    chinese = _shared(typed.characters, phrase.characters) if characters else 0.0
    return phrase.weight * (letters * words + chinese * characters) / max(1, words + characters)


def _held(typed: Typed, words: frozenset[str]) -> float:
    """How much of the typed words is among these."""
    if not typed.words:
        return 0.0
    return sum(max((like[word] for word in words & like.keys()), default=0.0) for like in typed.words) / len(
        typed.words
    )


def _shared(asked: str, said: str) -> float:
    """How much two runs of Chinese have in common: one within the other, or else by characters and pairs."""
    if not said:
        return 0.0
    if asked == said:
        return 1.0
    if asked in said:
        return 0.8 + 0.2 * len(asked) / len(said)
    if said in asked and len(said) > 1:
        return 0.75 + 0.2 * len(said) / len(asked)
    single = len(set(asked) & set(said)) / len(set(asked))
    pairs = {asked[i : i + 2] for i in range(len(asked) - 1)}
    both = sum(pair in said for pair in pairs) / max(1, len(pairs))
    close = len(set(asked) & set(said)) / len(set(said))
    return single * 0.55 + both * 0.25 + close * 0.15
