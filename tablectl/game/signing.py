"""The sheet of a hand (记分表): *owing* → *unsigned* → *signing* → *closed*, and open again by a correction.

The four players sign what a hand came to, or refuse with a reason that stays in the record (CJ-C4, ZJ-C9).
Play does not wait for signatures, only for points; who has not signed yet is on the screen.

- *owing*: the hand was won and nobody knows its points yet; there is nothing to sign.
- *unsigned*: the hand has its result; *signing*: somebody has signed or refused.
- *closed*: all four have. A correction of its points asks for all signatures anew.
"""

from __future__ import annotations

from typing import Any, ClassVar

from transitions import EventData

from tablectl.game import ledger
from tablectl.game.context import RefusedCommand, Step
from tablectl.game.flow import Flow, row
from tablectl.game.sessionstate import Sheet


class SheetFlow(Flow):
    """Triggers and effects of the sheet's machine."""

    states = ("owing", "unsigned", "signing", "closed")
    transitions: ClassVar[list[dict[str, Any]]] = [
        row("points_entered", "owing", "unsigned"),
        row("answered", ["unsigned", "signing"], "closed", conditions="all_have_answered", after="tell"),
        row("answered", ["unsigned", "signing"], "signing"),
        row("corrected", ["signing", "closed"], "unsigned", after="ask_anew"),
    ]
    _sheet: Sheet | None = None

    @property
    def sheet(self) -> Sheet:
        """The sheet this flow is pointed at."""
        assert self._sheet is not None, "a flow is pointed at a sheet before a trigger is pulled"
        return self._sheet

    def read(self) -> str:
        return self.sheet.phase

    def write(self, value: str) -> None:
        self.sheet.phase = value

    def pull(self, step: Step, sheet: Sheet, trigger: str) -> bool:
        """Pull a trigger on one sheet."""
        self._sheet = sheet
        return self.fire(step, trigger)

    # questions
    def all_have_answered(self, event: EventData) -> bool:
        """Has every player signed or refused?"""
        return len(self.sheet.answers) == len(self.sheet.winds)

    # effects
    def tell(self, event: EventData) -> None:
        """Say that the sheet is complete, and who refused."""
        refused = [player for player, reason in self.sheet.answers.items() if reason]
        key = "event.sheet_refused" if refused else "event.sheet_signed"
        self.step.publish(key, hand=self.sheet.hand, players=refused)

    def ask_anew(self, event: EventData) -> None:
        """What was signed is no longer what the hand came to."""
        self.sheet.answers.clear()
        self.step.publish("event.sheet_open", hand=self.sheet.hand)


SHEET = SheetFlow()


def lay_out(step: Step) -> None:
    """The newest hand has a result that counts: its sheet waits for the players."""
    hand, session = step.hand, step.state.session
    winds = {seat.wind: session.at(side).id for side, seat in enumerate(hand.seats)}
    owing = hand.no in ledger.missing(step.state)
    session.sheets.append(Sheet(hand.no, winds, "owing" if owing else "unsigned"))


def entered(step: Step, hand: int) -> None:
    """The points of a hand were entered: there is something to sign."""
    for sheet in step.state.session.sheets:
        if sheet.hand == hand:
            SHEET.pull(step, sheet, "points_entered")


def sign(step: Step, wind: str, refusal: str, number: int) -> dict[str, Any]:
    """A player signs the sheet of a hand, by his wind in it, or refuses with a reason; ``number`` 0 = the
    newest sheet. Raises ``RefusedCommand``."""
    sheets = step.state.session.sheets
    sheet = next((one for one in reversed(sheets) if number in (0, one.hand)), None)
    if sheet is None:
        raise RefusedCommand("refused.no_sheet")
    player = sheet.winds[wind]
    if player in sheet.answers and sheet.answers[player] == refusal:
        raise RefusedCommand("refused.signed_already", player=player, hand=sheet.hand)
    if sheet.phase == "owing":
        raise RefusedCommand("refused.sheet_owing", hand=sheet.hand)
    if sheet.phase == "closed":
        raise RefusedCommand("refused.sheet_closed", hand=sheet.hand)
    sheet.answers[player] = refusal
    SHEET.pull(step, sheet, "answered")
    return {"hand": sheet.hand, "player": player, "state": sheet.phase}


def corrected(step: Step, hand: int) -> None:
    """The points of a hand were corrected."""
    for sheet in step.state.session.sheets:
        if sheet.hand == hand:
            SHEET.pull(step, sheet, "corrected")
