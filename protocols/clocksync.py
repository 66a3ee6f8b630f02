"""Host time from a board's clock, with an uncertainty that can be relied on.

Every sample is a certainty: the board read its clock between ``sent`` and ``received``. Carried to another
moment by a clock whose rate is known within bounds, each sample leaves an interval, and the truth lies in
all of them. The estimate inside is the line midway between the latest beginnings and the earliest ends:
each way is judged by its own quickest frames, so a line that delays at random is soon known to a fraction of
its delay, and outliers (a host that was kept waiting, a frame sent twice) do not count. The uncertainty is
the distance to the farther edge of what is certain, and never below half the quickest round trip, for
nothing tells how a round trip is shared between there and back.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from operator import attrgetter

from protocols.driver import ClockSample
from protocols.errors import ClockUnset

US = 1_000_000
DRIFT = 500e-6  # what a board's clock may be off by: the protocol asks for no better
WANDER = 20e-6  # what a measured rate may change while it is used (temperature)
KEPT = 64  # samples, however old
FRESH = 60.0  # s: younger ones are kept beside them, up to
MOST = 256
LATELY = 8  # exchanges that tell whether the line delays at random
RANDOM = 0.002  # s between the quickest and the slowest of them, from which on it does


@dataclass(frozen=True, slots=True)
class _Bound:
    """Board clock ``board`` (s) was read between host times ``early`` and ``late`` (s)."""

    board: float
    early: float
    late: float
    width: float

    @classmethod
    def of(cls, sample: ClockSample) -> _Bound:
        early, late = sample.sent, sample.received
        return cls(sample.board_us / US, early, late, late - early)


class ClockSync:
    """The clock of one boot of one board. Board times are µs, host times seconds."""

    def __init__(self, drift: float = DRIFT) -> None:
        self._drift = drift
        self.reset()

    def reset(self) -> None:
        """Forget everything: another boot."""
        self._bounds: deque[_Bound] = deque(maxlen=MOST)
        self._slow, self._fast = 1 - self._drift, 1 + self._drift  # host seconds in a board second
        self._likely = (self._slow, self._fast)  # the same if the rate has not changed at all
        self._rate = 1.0
        self._board0 = 0.0  # the line of the estimate goes through here
        self._host0 = 0.0
        self._least = 0.0  # width of the quickest exchange
        self._fitted = True  # the line is that of all samples

    @property
    def known(self) -> int:
        """How many exchanges the time rests on."""
        return len(self._bounds)

    @property
    def restless(self) -> bool:
        """True while the line delays at random: more exchanges make the time better."""
        lately = [self._bounds[-at].width for at in range(1, min(LATELY, len(self._bounds)) + 1)]
        return bool(lately) and max(lately) - min(lately) > RANDOM

    @property
    def ready(self) -> bool:
        """True once any sample is known."""
        return bool(self._bounds)

    @property
    def drift_ppm(self) -> float:
        """How fast the board's clock runs against the host's, in millionths."""
        self._fit()
        return (1 / self._rate - 1) * 1e6

    @property
    def drift_uncertainty_ppm(self) -> float:
        """How wrong ``drift_ppm`` may be: it takes minutes until a rate is known well."""
        self._fit()
        return max(self._fast - self._rate, self._rate - self._slow) * 1e6

    def add(self, sample: ClockSample) -> None:
        """Take a sample. A clock that contradicts all before it is another boot, and starts anew."""
        bound = _Bound.of(sample)
        if self._bounds and not self._agrees(bound):
            self.reset()
        self._narrow_likely(bound)
        self._bounds.append(bound)
        while len(self._bounds) > KEPT and bound.board - self._bounds[0].board > FRESH:
            self._bounds.popleft()
        quickest = min(self._bounds, key=attrgetter("width"))
        self._least = quickest.width
        self._narrow_rate(quickest)
        self._fitted = False

    def _agrees(self, bound: _Bound) -> bool:
        if bound.board < self._bounds[-1].board:
            return False
        early, late = self._certain(bound.board)
        return early <= bound.late and bound.early <= late

    def _narrow_rate(self, quickest: _Bound) -> None:
        """What the oldest, quickest and newest samples say of the rate, allowing for its wandering."""
        slow, fast = 1 - self._drift, 1 + self._drift
        newest = self._bounds[-1]
        for older in (self._bounds[0], quickest):
            span = newest.board - older.board
            if span > 0:
                slow = max(slow, (newest.early - older.late) / span - WANDER)
                fast = min(fast, (newest.late - older.early) / span + WANDER)
        self._slow, self._fast = (slow, fast) if slow <= fast else (1 - self._drift, 1 + self._drift)

    def _narrow_likely(self, newest: _Bound) -> None:
        """What the newest sample and each before it say of a rate that does not change. A contradiction says
        that it has changed: what is known of it begins anew."""
        slow, fast = self._likely
        for older in self._bounds:
            span = newest.board - older.board
            if span > 0:
                slow = max(slow, (newest.early - older.late) / span)
                fast = min(fast, (newest.late - older.early) / span)
        self._likely = (slow, fast) if slow <= fast else (self._slow, self._fast)

    def _fit(self) -> None:
        """The line midway between the latest beginnings and the earliest ends, at the likely rate."""
        if self._fitted:
            return  # drawn only when it is asked for: many samples come while nothing happens
        self._fitted = True
        self._rate = rate = min(max(sum(self._likely) / 2, self._slow), self._fast)
        self._board0 = board0 = self._bounds[-1].board
        early = max([b.early + (board0 - b.board) * rate for b in self._bounds])
        late = min([b.late + (board0 - b.board) * rate for b in self._bounds])
        self._host0 = (early + late) / 2

    def _certain(self, board: float) -> tuple[float, float]:
        """The host times between which the board's clock showed ``board``."""
        early, late, slow, fast = float("-inf"), float("inf"), self._slow, self._fast
        for bound in self._bounds:
            ahead = board - bound.board
            if ahead >= 0:
                least, most = bound.early + ahead * slow, bound.late + ahead * fast
            else:
                least, most = bound.early + ahead * fast, bound.late + ahead * slow
            if least > early:  # `max` and `min` would take twice as long, for every event
                early = least
            if most < late:
                late = most
        return early, late

    def to_host(self, board_us: int) -> tuple[float, float]:
        """Host time (s) at which the board's clock showed ``board_us``, and how wrong that may be (s)."""
        if not self._bounds:
            raise ClockUnset
        self._fit()
        board = board_us / US
        early, late = self._certain(board)
        guess = self._host0 + (board - self._board0) * self._rate
        time = min(max(guess, early), late)
        return time, max(late - time, time - early, self._least / 2)

    def to_board(self, host: float) -> tuple[int, float]:
        """What the board's clock shows (µs) at host time ``host`` (s), and how wrong that may be (s)."""
        if not self._bounds:
            raise ClockUnset
        self._fit()
        board = self._board0 + (host - self._host0) / self._rate
        time, uncertainty = self.to_host(round(board * US))
        # the clamped estimate differs from the line: one correction brings both directions together
        board += (host - time) / self._rate
        return round(board * US), uncertainty


def unwrap(raw: int, near: int, bits: int = 32) -> int:
    """The full value of a counter of which only ``bits`` bits are sent, the one nearest to ``near``.

    A 32-bit µs counter wraps every 71 minutes; ``near`` is the newest full value known of that clock.
    """
    turn = 1 << bits
    ahead = (raw - near) % turn
    if ahead > turn // 2:
        ahead -= turn
    return max(near + ahead, raw)
