"""Host time from a board's clock, with an uncertainty that can be relied on.

Every sample is a certainty: the board read its clock between ``sent`` and ``received``. Carried to another
moment by a clock whose rate is known within bounds, each sample leaves an interval, and the truth lies in
all of them. The estimate inside is the middle of the widest straight strip that keeps between the latest
beginnings and the earliest ends: each way is judged by its own quickest frames, so a line that delays at
random is soon known to a fraction of its delay, and outliers (a host that was kept waiting, a frame sent
twice) do not count. The uncertainty is the distance to the farther edge of what is certain, and never below
half the quickest round trip, for nothing tells how a round trip is shared between there and back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from protocols.clockbounds import US, Bound, Stretch
from protocols.driver import ClockSample
from protocols.errors import ClockUnset

DRIFT = 500e-6  # what a board's clock may be off by: the protocol asks for no better
CRYSTAL = 100e-6  # what it usually is: the guess while samples say little of the rate
WANDER = 20e-6  # what a measured rate may change while it is used (temperature)
STRETCH = 120.0  # s: a sample counts at least so long, at most twice
GAP = 30.0  # s without a sample: what was known of the line has aged
LATELY = 16  # exchanges that tell whether the line delays at random
RANDOM = 0.002  # s between the quickest and the slowest of them, from which on it does
SHARP = 10e-6  # s: no line is taken to be more even than that
SHARE = 0.00012  # s of random delay an exchange: so many of them find frames that were hardly delayed
MANY = 256  # exchanges that are enough on any line
HALVINGS = 18  # of the range of rates: to nanoseconds a second
BITS = 32  # of a counter that wraps


class ClockSync:
    """The clock of one boot of one board. Board times are µs, host times seconds."""

    def __init__(self, drift: float = DRIFT) -> None:
        self._drift = drift
        self.reset()

    def reset(self) -> None:
        """Forget everything: another boot."""
        self._stretches: list[Stretch] = []  # the older, the newer
        self._lately: deque[float] = deque(maxlen=LATELY)  # how long exchanges took
        self._newest: Bound | None = None
        self._wraps = False  # a counter of 32 bits, seen to begin anew
        self._known = 0
        self._begun = 0.0  # board time since which samples came without a gap
        self._slow, self._fast = 1 - self._drift, 1 + self._drift  # host seconds in a board second
        self._rate = 1.0
        self._board0 = 0.0  # the line of the estimate goes through here
        self._host0 = 0.0
        self._fitted = True  # the line is that of all samples

    @property
    def spread(self) -> float:
        """How much the newest exchanges differ in length, s."""
        return max(self._lately) - min(self._lately) if self._lately else 0.0

    @property
    def restless(self) -> bool:
        """True while the line delays at random: more exchanges make the time better."""
        return self.spread > RANDOM

    @property
    def needed(self) -> int:
        """How many exchanges find frames of each way that were hardly delayed."""
        return min(MANY, 1 + int(self.spread / SHARE))

    @property
    def settled(self) -> bool:
        """True once so many were made without a gap between them, or the line needs none."""
        return not self.restless or self._known >= self.needed

    @property
    def age(self) -> float:
        """For how long the clock has been asked without a gap, s. A rate is known the better for it."""
        return self._newest.board - self._begun if self._newest is not None else 0.0

    @property
    def ready(self) -> bool:
        """True once any sample is known."""
        return self._newest is not None

    @property
    def newest_us(self) -> int:
        """Board time (µs) of the newest sample; 0 = none."""
        return round(self._newest.board * US) if self._newest is not None else 0

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
        bound = self._bound(sample)
        if self._newest is not None and not self._agrees(bound):
            if self.wrapped(sample.board_us, sample.received):
                self.count_on()
                bound = self._bound(sample)
            else:
                self.reset()
        if self._newest is None or bound.board - self._newest.board > GAP:
            self._begun, self._known = bound.board, 0
        self._newest = bound
        self._known += 1
        self._lately.append(bound.width)
        if self._stretches and bound.board - self._stretches[-1].first.board <= STRETCH:
            self._stretches[-1].add(bound)
        else:
            self._stretches = [*self._stretches[-1:], Stretch.beginning(bound)]
        self._narrow_rate(bound)
        self._fitted = False

    def wrapped(self, board_us: int, now: float) -> bool:
        """Has a counter of 32 bits begun anew between the newest sample and ``now``? So it has for a stamp
        that lies too early and fits one turn later. Asks only; ``count_on`` draws the conclusion."""
        if self._newest is None or self._wraps or board_us >= 1 << BITS:
            return False
        later = (board_us + (1 << BITS)) / US
        early, late = self._certain(later)
        return later >= self._newest.board and early <= now and self._newest.early <= late

    def count_on(self) -> None:
        """From now on take a stamp that lies too early for one of the counter's next turn."""
        self._wraps = True

    def _bound(self, sample: ClockSample) -> Bound:
        return Bound(self.full(sample.board_us) / US, sample.sent, sample.received)

    def full(self, board_us: int) -> int:
        """What a counter that was seen to begin anew would show if it were wide enough, µs."""
        return unwrap(board_us, self.newest_us, BITS) if self._wraps else board_us

    def _agrees(self, bound: Bound) -> bool:
        if self._newest is None or bound.board < self._newest.board:
            return False
        early, late = self._certain(bound.board)
        return early <= bound.late and bound.early <= late

    def _known_well(self) -> Iterator[Bound]:
        """The samples that say most of the rate, together with the newest."""
        yield self._stretches[0].first
        for stretch in self._stretches:
            yield stretch.quickest

    def _narrow_rate(self, newest: Bound) -> None:
        """What the oldest, quickest and newest samples say of the rate, allowing for its wandering."""
        slow, fast = 1 - self._drift, 1 + self._drift
        for older in self._known_well():
            span = newest.board - older.board
            if span > 0:
                slow = max(slow, (newest.early - older.late) / span - WANDER)
                fast = min(fast, (newest.late - older.early) / span + WANDER)
        self._slow, self._fast = (slow, fast) if slow <= fast else (1 - self._drift, 1 + self._drift)

    def _fit(self) -> None:
        """The middle of the widest strip. Its width falls off to both sides of one rate, which is found by
        halving; how much a wider strip says for a rate, against what crystals are like, goes by how many
        samples there are and how even the line is."""
        if self._fitted or self._newest is None:
            return  # drawn only when it is asked for: many samples come while nothing happens
        self._fitted = True
        self._board0 = self._newest.board
        weight = self._known / max(self.spread, SHARP)
        slow, fast = self._slow, self._fast
        for _ in range(HALVINGS):
            self._rate = (slow + fast) / 2
            (_, beginning), (_, end) = self._edges(self._rate)
            if weight * (beginning - end) > (self._rate - 1) / CRYSTAL**2:
                slow = self._rate
            else:
                fast = self._rate
        (early, _), (late, _) = self._edges(self._rate)
        self._host0 = (early + late) / 2

    def _edges(self, rate: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """The latest beginning and the earliest end at the newest sample for a clock of this rate: host time,
        and board time of the sample that makes it."""
        now = self._board0
        early = max([(host + (now - at) * rate, at) for s in self._stretches for at, host in s.early])
        late = min([(host + (now - at) * rate, at) for s in self._stretches for at, host in s.late])
        return early, late

    def _certain(self, board: float) -> tuple[float, float]:
        """The host times between which the board's clock showed ``board``."""
        early, late, slow, fast = float("-inf"), float("inf"), self._slow, self._fast
        for stretch in self._stretches:
            for at, host in stretch.early:
                least = host + (board - at) * (slow if board >= at else fast)
                if least > early:  # `max` and `min` would take twice as long, for every event
                    early = least
            for at, host in stretch.late:
                most = host + (board - at) * (fast if board >= at else slow)
                if most < late:
                    late = most
        return early, late

    def to_host(self, board_us: int) -> tuple[float, float]:
        """Host time (s) at which the board's clock showed ``board_us``, and how wrong that may be (s)."""
        return self._to_host(self.full(board_us) / US)

    def _to_host(self, board: float) -> tuple[float, float]:
        if self._newest is None:
            raise ClockUnset
        self._fit()
        early, late = self._certain(board)
        guess = self._host0 + (board - self._board0) * self._rate
        time = min(max(guess, early), late)
        least = min([stretch.quickest.width for stretch in self._stretches])
        return time, max(late - time, time - early, least / 2)

    def to_board(self, host: float) -> tuple[int, float]:
        """What the board's clock shows (µs) at host time ``host`` (s), and how wrong that may be (s)."""
        if self._newest is None:
            raise ClockUnset
        self._fit()
        board = self._board0 + (host - self._host0) / self._rate
        time, uncertainty = self._to_host(board)
        # the clamped estimate differs from the line: one correction brings both directions together
        board += (host - time) / self._rate
        return round(board * US), uncertainty


def unwrap(raw: int, near: int, bits: int = BITS) -> int:
    """The full value of a counter of which only ``bits`` bits are sent, the one nearest to ``near``.

    A 32-bit µs counter wraps every 71 minutes; ``near`` is the newest full value known of that clock.
    """
    turn = 1 << bits
    ahead = (raw - near) % turn
    if ahead > turn // 2:
        ahead -= turn
    return max(near + ahead, raw)
