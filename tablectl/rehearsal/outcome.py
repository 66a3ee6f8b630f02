"""What a rehearsal came to: one object, the same for every way of playing it.

State, digest and violations are not taken from anybody's word: the journal is replayed, and the invariants
are checked after every input.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tablectl.daemon.record import read_records, verify
from tablectl.daemon.restore import input_of
from tablectl.game import ledger
from tablectl.game import step as game
from tablectl.game.invariants import violations
from tablectl.rules.book import RuleBook

COUNTED = {
    "frames": ("frames_sent", "frames_received"),
    "retries": ("retries",),
    "crc_errors": ("crc_errors",),
}


@dataclass(slots=True)
class Outcome:
    """The fields of ``demo --json``. Times are seconds: ``virtual_s`` of table time, ``wall_s`` real."""

    ok: bool = False
    hands: list[dict[str, Any]] = field(default_factory=list)
    inputs: int = 0
    frames: int = 0
    retries: int = 0
    crc_errors: int = 0
    violations: list[str] = field(default_factory=list)
    digest: str = ""
    journal: str = ""
    head: str = ""
    virtual_s: float = 0.0
    wall_s: float = 0.0
    refused: list[dict[str, Any]] = field(default_factory=list)  # requests of the referee that were refused
    irregular: list[dict[str, Any]] = field(default_factory=list)  # facts that were flagged
    ended: str = ""  # why no further hand could follow: broke, hands, time
    totals: dict[str, int] = field(default_factory=dict)  # points by the ledger, empty where it has no line
    released: list[str] = field(default_factory=list)  # holds the referee had to end

    def to_json(self) -> dict[str, Any]:
        """Plain data. ``violations`` is their number, ``violation_list`` says which."""
        fields = asdict(self)
        fields["violation_list"], fields["violations"] = fields["violations"], len(self.violations)
        return fields


def take_counters(outcome: Outcome, links: dict[str, Any]) -> None:
    """Add up the wire counters of `link status`."""
    for link in links.values():
        counters = link.get("counters", link)
        for name, parts in COUNTED.items():
            total = getattr(outcome, name) + sum(int(counters.get(part, 0)) for part in parts)
            setattr(outcome, name, total)


def take_journal(outcome: Outcome, path: Path, book: RuleBook) -> None:
    """Replay the journal from its first record: inputs, digest, hands, every broken invariant."""
    state = game.new_state()
    verdict = verify(path.open("rb"))
    if not verdict.ok:
        outcome.violations.append(f"journal: {verdict.reason}")
    last = 0
    for record in read_records(path.open("rb")):
        last = max(last, record.at)
        if not record.has_input or record.raised is not None:
            if record.raised is not None:
                outcome.violations.append(f"record {record.n}: {record.raised}")
            recorded = (record.result or {}).get("digest")
            if recorded is not None and recorded != game.digest(state):
                outcome.violations.append(f"record {record.n}: replay gives another state")
            continue
        game.step(state, record.n, record.at, record.unc, input_of(record), book)
        outcome.inputs += 1
        outcome.violations += [f"record {record.n}: {broken}" for broken in violations(state)]
    outcome.digest, outcome.journal, outcome.head = game.digest(state), str(path), verdict.head.hash
    outcome.hands = [dict(result) for result in state.results]
    outcome.ended = state.session.ended
    outcome.totals = ledger.totals(state.session) if state.session.ledger else {}
    outcome.virtual_s = round(last / 1_000_000, 3)


def merge(outcomes: list[Outcome]) -> Outcome:
    """Several rehearsals as one: sums, all hands, and the digest of their digests."""
    if len(outcomes) == 1:
        return outcomes[0]
    total = Outcome(ok=all(outcome.ok for outcome in outcomes))
    for outcome in outcomes:
        for name in ("hands", "violations", "refused", "irregular", "released"):
            getattr(total, name).extend(getattr(outcome, name))
        for name in ("inputs", "frames", "retries", "crc_errors", "virtual_s", "wall_s"):
            setattr(total, name, round(getattr(total, name) + getattr(outcome, name), 3))
        total.journal, total.head = outcome.journal, outcome.head
    total.digest = hashlib.sha256("".join(outcome.digest for outcome in outcomes).encode()).hexdigest()
    return total
