"""The sheet of a played session: the daemon that ran says what its journal says."""

from __future__ import annotations

from tablectl.console.sheet import source
from tablectl.rehearsal.room import Setting
from tests.rehearsal.rig import Disturbed, check


def test_the_sheet_of_the_daemon_is_that_of_its_journal(tmp_path):
    played = Disturbed(Setting(seed=3), hands=2).play()
    check(played)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(played.journal)
    alone = source.of_journal(str(tmp_path))
    live = played.room.core.sheet(0, 0)
    assert (alone["record"]["head"], alone["record"]["differs"]) == (live["record"]["head"], [])
    for part in ("hands", "ranking", "standings", "stages", "players", "rules", "unsigned"):
        assert alone[part] == live[part], part
    assert [hand["hand"] for hand in played.room.core.sheet(2, 0)["hands"]] == [2]
    won = [r for hand in alone["hands"] for r in hand["results"] if r["result"] == "win"]
    assert all(w["score"]["lines"] for r in won for w in r["winners"])
