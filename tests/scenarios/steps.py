"""What a scenario's steps mean: a small grammar of what players and referees do, in plain words.

Any step may end with ``, 4 s later`` (time passes first) and with ``: refused`` or ``: refused (no_win)`` (it
is not done, and why). Tiles are written as everywhere, several together: ``234m``, ``E E``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.game.conftest import tiles
from tests.scenarios.scene import Refused, Scene

SEAT = "(?P<seat>[ESWN])"
TILES = r"(?P<tiles>(?:[1-9]+[mps]|f[1-8]|[ESWNCFP])(?: (?:[1-9]+[mps]|f[1-8]|[ESWNCFP]))*)"
TAIL = re.compile(r"(?:, (?P<wait>[\d.]+) s later)?(?:: (?P<refused>refused)(?: \((?P<why>\w+)\))?)?$")
MELD = r"(?P<meld>chow|pung|kong|concealed kong|added kong)"
Act = Callable[[Scene, dict[str, str]], None]
GRAMMAR: list[tuple[re.Pattern[str], Act]] = []


def step(pattern: str) -> Callable[[Act], Act]:
    """Register what a sentence means."""

    def register(act: Act) -> Act:
        GRAMMAR.append((re.compile(pattern), act))
        return act

    return register


def do(scene: Scene, said: str) -> None:
    """Do one step. Raises ``Refused`` if it is refused and should not be, or the other way round."""
    tail = TAIL.search(said)
    assert tail is not None  # it may be empty
    sentence = said[: tail.start()]
    act, found = understood(sentence)
    scene.wait(float(tail["wait"] or 0))
    scene.refusals.clear()
    act(scene, found)
    refused = [reason.partition(".")[2] for reason in scene.refusals]
    if bool(refused) != bool(tail["refused"]):
        raise Refused(f"“{said}”: {'refused: ' + ', '.join(refused) if refused else 'was not refused'}")
    if tail["why"] and tail["why"] not in refused:
        raise Refused(f"“{said}”: refused, but for {', '.join(refused)}")


def understood(sentence: str) -> tuple[Act, dict[str, str]]:
    """What a sentence means. Raises ``AssertionError`` for one nobody understands."""
    for pattern, act in GRAMMAR:
        if found := pattern.fullmatch(sentence):
            return act, {key: value for key, value in found.groupdict().items() if value is not None}
    raise AssertionError(f"no step is “{sentence}”; a step is one of {[p.pattern for p, _ in GRAMMAR]}")


# players


@step(rf"{SEAT} discards(?: {TILES})?")
def discards(scene: Scene, said: dict[str, str]) -> None:
    scene.discard(scene.side(said["seat"]), said.get("tiles", ""))


@step(rf"{SEAT} draws(?: {TILES})?(?P<tail> from the tail)?")
def draws(scene: Scene, said: dict[str, str]) -> None:
    end = "tail" if "tail" in said else "head"
    if scene.sensed:
        scene.draw(scene.side(said["seat"]), said.get("tiles", ""), end)
    else:
        scene.order("draw", seat=said["seat"], end=end)


@step(rf"{SEAT} calls (?P<word>chow|pung|kong|win)")
def calls(scene: Scene, said: dict[str, str]) -> None:
    scene.press(scene.side(said["seat"]), said["word"])


@step(rf"{SEAT} shows the {MELD}(?: {TILES})?")
def shows(scene: Scene, said: dict[str, str]) -> None:
    meld = said["meld"].replace(" ", "_")
    if scene.sensed:
        scene.show(scene.side(said["seat"]), meld, said.get("tiles", ""))
    else:
        scene.order("kong", meld=said["meld"].split()[0], seat=said["seat"])


@step(rf"{SEAT} shows the flower (?P<tiles>f[1-8])")
def shows_flower(scene: Scene, said: dict[str, str]) -> None:
    scene.show(scene.side(said["seat"]), "flower", said["tiles"])


@step(rf"{SEAT} takes the win back")
def takes_back(scene: Scene, said: dict[str, str]) -> None:
    scene.order("win cancel", "player", "p", seat=said["seat"])


@step(rf"{SEAT} asks to wait")
def asks_to_wait(scene: Scene, said: dict[str, str]) -> None:
    scene.order("wait", "player", "p", seat=said["seat"])


@step(rf"{SEAT} calls the referee")
def calls_referee(scene: Scene, said: dict[str, str]) -> None:
    scene.press(scene.side(said["seat"]), "referee")


@step(r"(?P<seconds>[\d.]+) s pass")
def passes(scene: Scene, said: dict[str, str]) -> None:
    scene.wait(float(said["seconds"]))


@step(r"the deal is done")
def deal_done(scene: Scene, said: dict[str, str]) -> None:
    scene.done_dealing()


@step(rf"{SEAT} throws the dice")
def throws(scene: Scene, said: dict[str, str]) -> None:
    scene.event("dice_started", scene.side(said["seat"]))
    scene.event("dice_result", scene.side(said["seat"]), 3 | 4 << 4)


@step(r"the hand ends")
def ends(scene: Scene, said: dict[str, str]) -> None:
    scene.finish()
    scene.refusals.clear()  # how it was ended is nobody's business


# what people tell


@step(rf"{SEAT} exposes {TILES}(?: of (?P<of>[ESWN]))?(?: while (?P<moment>dealing))?")
def exposes(scene: Scene, said: dict[str, str]) -> None:
    shown = tiles(said["tiles"])
    scene.order("expose", seat=said["seat"], tiles=shown, of=said.get("of"), moment=said.get("moment"))


@step(rf"{SEAT} says the name (?P<wrong>wrong )?{TILES}")
def says_name(scene: Scene, said: dict[str, str]) -> None:
    wrong = True if "wrong" in said else None
    scene.order("name", seat=said["seat"], tile=tiles(said["tiles"])[0], wrong=wrong)


@step(rf"(?P<count>\d+) tiles are counted at {SEAT}")
def counted(scene: Scene, said: dict[str, str]) -> None:
    scene.order("hand count", seat=said["seat"], tiles=int(said["count"]))


@step(rf"the meld of {SEAT} is found wrong(?: by {TILES})?")
def found_wrong(scene: Scene, said: dict[str, str]) -> None:
    strange = tiles(said["tiles"]) if "tiles" in said else None
    scene.order("meld wrong", seat=said["seat"], tiles=strange)


# the referee


@step(r"the referee (?P<what>confirms|rejects) the win")
def judges(scene: Scene, said: dict[str, str]) -> None:
    if said["what"] == "confirms":
        scene.order("win confirm", overrule="seen by the referee")
    else:
        scene.order("win reject", reason="it is none")


HOW = (
    r"(?: as (?P<article>[\w?-]+))?(?:, choice (?P<choice>\d+))?(?:, step (?P<step>\d+))?"
    rf"(?:, (?P<points>\d+) points)?(?:, to (?P<to>[ESWN]))?(?:, tiles {TILES})?(?P<reserve> under reserve)?"
)


def how(scene: Scene, said: dict[str, str]) -> dict[str, Any]:
    """The arguments of a ruling."""
    player = scene.state.session.at(scene.side(said["to"])).id if "to" in said else None
    numbers: dict[str, Any] = {key: int(said[key]) for key in ("choice", "step", "points") if key in said}
    named = tiles(said["tiles"]) if "tiles" in said else None
    return {
        "article": said.get("article"),
        "to": player,
        "tiles": named,
        "reserve": True if "reserve" in said else None,
        **numbers,
    }


@step(rf"the (?P<who>referee|chief) rules{HOW}")
def rules(scene: Scene, said: dict[str, str]) -> None:
    scene.order("rule", said["who"], case=scene.waiting.no, **how(scene, said))


@step(r"the referee waives it because (?P<why>.+)")
def waives(scene: Scene, said: dict[str, str]) -> None:
    scene.order("waive", case=scene.waiting.no, reason=said["why"])


@step(rf"the (?P<who>referee|chief) gives {SEAT} a penalty{HOW}")
def gives(scene: Scene, said: dict[str, str]) -> None:
    scene.order("penalty add", said["who"], seat=said["seat"], **how(scene, said))


@step(rf"the chief corrects case (?P<case>\d+){HOW}")
def corrects(scene: Scene, said: dict[str, str]) -> None:
    scene.order("ruling correct", "chief", case=int(said["case"]), reason="it was wrong", **how(scene, said))


@step(r"play is resumed")
def resumes(scene: Scene, said: dict[str, str]) -> None:
    scene.order("resume")
    scene.wait(3)


# afterwards


@step(r"the referee cancels case (?P<case>\d+)")
def cancels(scene: Scene, said: dict[str, str]) -> None:
    scene.order("penalty cancel", case=int(said["case"]), reason="a slip")


@step(rf"{SEAT} appeals against case (?P<case>\d+)")
def appeals(scene: Scene, said: dict[str, str]) -> None:
    player = scene.state.session.at(scene.side(said["seat"])).id
    scene.order(
        "appeal open", "player", player, case=int(said["case"]), player=player, reason="it was not so"
    )


@step(rf"the chief (?P<outcome>upholds|overturns) case (?P<case>\d+){HOW}")
def decides(scene: Scene, said: dict[str, str]) -> None:
    outcome = said["outcome"].removesuffix("s")
    case = int(said["case"])
    scene.order("appeal decide", "chief", case=case, outcome=outcome, reason="heard", **how(scene, said))


@step(r"the hand is (?P<over>over|still played)")
def is_over(scene: Scene, said: dict[str, str]) -> None:
    assert scene.hand.over == (said["over"] == "over"), f"the hand is {scene.phase}"
