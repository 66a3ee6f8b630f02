"""The host's view of its orders: which are under way, which reply is news, which must be asked after.

A board says DONE or FAILED once. If that frame is lost the host notices that it has heard nothing of the
order for a while and queries it, so a small board need not remember whom it told what.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocols.atp.dictionary import TIMING
from protocols.driver import Reply
from protocols.vocabulary import Stage


@dataclass(slots=True)
class _Track:
    heard: float  # when anything was last heard of it, or asked
    accepted: bool = False


class Orders:
    """Orders of this connection, and those of an earlier one that were queried and still run."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._wanted: set[int] = set()  # queries the daemon asked for, as against our own

    def ordered(self, id: int, now: float) -> None:
        """An order was given."""
        self._tracks.setdefault(id, _Track(now))

    def wanted(self, id: int) -> None:
        """The daemon wants to know what became of an order."""
        self._wanted.add(id)

    def abandon(self, id: int) -> None:
        """The order was never answered: what still comes of it is late."""
        self._tracks.pop(id, None)

    def clear(self) -> None:
        """Another boot: its board knows nothing of these."""
        self._tracks.clear()
        self._wanted.clear()

    @property
    def moving(self) -> bool:
        """True while an accepted order is under way."""
        return bool(self._tracks) and any(track.accepted for track in self._tracks.values())

    def heard(self, reply: Reply, now: float) -> list[Reply] | None:
        """What is news in a reply, in order: maybe nothing. None for a late or foreign one."""
        if reply.queried and reply.id in self._wanted:
            self._wanted.discard(reply.id)
            self._follow(reply, now)
            return [reply]
        track = self._tracks.get(reply.id)
        if track is None:
            return None
        track.heard = now
        if reply.stage is Stage.UNKNOWN:
            del self._tracks[reply.id]
            return [reply]
        told = replace(reply, queried=False) if reply.queried else reply
        return self._news(told, track, repeated=reply.queried)

    def _news(self, reply: Reply, track: _Track, *, repeated: bool) -> list[Reply] | None:
        news = []
        if not track.accepted and reply.stage is not Stage.REFUSED:
            track.accepted = True  # a lost ACCEPTED is implied by all that follows it
            if reply.stage is not Stage.ACCEPTED:
                news.append(Reply(reply.id, Stage.ACCEPTED, operation=reply.operation))
        elif reply.stage is Stage.ACCEPTED:
            return [] if repeated else None
        news.append(reply)
        if reply.stage.final:
            del self._tracks[reply.id]
        return news

    def _follow(self, reply: Reply, now: float) -> None:
        """Keep hearing of an order that still runs, forget one that does not."""
        if reply.stage in (Stage.ACCEPTED, Stage.PROGRESS):
            self._tracks[reply.id] = _Track(now, accepted=True)
        else:
            self._tracks.pop(reply.id, None)

    def unheard(self, now: float) -> list[int]:
        """Accepted orders to query now; each is asked after anew only after another interval."""
        if not self._tracks:
            return []
        ids = [id for id, track in self._tracks.items() if track.accepted and now >= self._ask_at(track)]
        for id in ids:
            self._tracks[id].heard = now
        return ids

    def due(self) -> float | None:
        """When the next one is to be queried."""
        if not self._tracks:
            return None
        heard = [track.heard for track in self._tracks.values() if track.accepted]
        return min(heard) + TIMING.result_query if heard else None

    @staticmethod
    def _ask_at(track: _Track) -> float:
        return track.heard + TIMING.result_query
