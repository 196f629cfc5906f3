"""Power cuts: the plug is pulled at every step of a round and at 200 moments of chance.

SIGKILL leaves what the process has handed to the system, so it proves that no step leaves half of
a decision behind; what the disk itself has is proven by copies of the files at random moments
(`tests/test_device_store_file.py`), and by the pragmas there.
"""

import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_play import PLAYERS, Player, entries_of, match_of
from real_table import RealTable

from device.game import Game
from device.pipeline import Pipeline
from device.store import SqliteLog

pytestmark = pytest.mark.slow

CUTS, EVENINGS = 200, 10
MOST_ENTRIES, LATEST_S = 12, 0.02
"""A cut comes evenly within this time after so many entries, drawn from none on: some fall into
opening the log, taking up the game or completing a decision, the others into moves by hand and by
camera. Where exactly is up to the machine."""


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    made = Player(tmp_path)
    yield made
    made.close()


def resumed(path: Path) -> tuple[list[str], object]:
    """Hashes of a log after a cut; the game that was under way is the one that goes on."""
    before = entries_of(path) if path.exists() else []
    if not before:
        return [], None
    with SqliteLog(path) as log:
        game = Game(log, book="turnier", players=PLAYERS, clock=lambda: 9.0)
        Pipeline(game)
        after = log.read(limit=10_000_000)
        assert [e.hash for e in after[: len(before)]] == [e.hash for e in before]
        assert game.match == match_of(after)
        if not match_of(before).is_over:
            begun = [[e.type for e in some].count("match_started") for some in (before, after)]
            assert begun[0] == begun[1], "another game was begun"
    return [entry.hash for entry in after], game.match


def test_two_hundred_cuts_at_moments_of_chance_lose_nothing(player: Player, tmp_path: Path) -> None:
    chance = random.Random(2026)
    cuts, total = 0, 0
    for evening in range(EVENINGS):
        path, known = tmp_path / f"{evening}.sqlite3", list[str]()
        player.shared.tell(begun=False, seq=0)
        for cut in range(CUTS // EVENINGS):
            seed = 1000 * evening + cut
            after = chance.randint(0, MOST_ENTRIES)
            status = player.play(path, seed, cut_s=chance.uniform(0, LATEST_S), after=after)
            assert status == -signal.SIGKILL, "it ended by itself"
            cuts += 1
            now, _ = resumed(path)
            assert now[: len(known)] == known, "what was there has changed"
            assert len(now) >= player.shared.seq, "something that was acknowledged is gone"
            known = now
        total += len(known)
    assert cuts == CUTS
    assert total > 20 * EVENINGS


def test_a_cut_before_every_statement_of_a_round_loses_nothing(
    player: Player, tmp_path: Path
) -> None:
    """From the opening on twelve moves, the same each time, cut off one statement later each."""
    begun = tmp_path / "begun.sqlite3"
    assert player.play(begun, 3, moves=3) == 0
    first = [entry.hash for entry in entries_of(begun)]
    status, cut = -signal.SIGKILL, 0
    while status != 0:
        cut += 1
        path = tmp_path / f"{cut}.sqlite3"
        shutil.copyfile(begun, path)
        player.shared.tell(begun=False, seq=len(first))
        status = player.play(path, 4, dies_at=cut, moves=12)
        assert status in (0, -signal.SIGKILL)
        now, _ = resumed(path)
        assert now[: len(first)] == first
        assert len(now) >= player.shared.seq
    assert cut > 60, "twelve moves have more statements than that"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    made = RealTable(tmp_path)
    yield made
    made.end()


def test_the_appliance_itself_goes_on_after_each_cut(table: RealTable) -> None:
    """Every throw that was answered with 200 is there again, and nothing is asked twice."""
    known: list[str] = []
    for player, dice in (("A", "652"), ("B", "651"), ("C", "322")):
        table.start()
        table.serves()
        assert table.throw(player, dice)["status"] == 200
        table.end()
        now = [entry.hash for entry in entries_of(table.log)]
        assert now[: len(known)] == known
        known = now
    thrown = [e.data["dice"] for e in entries_of(table.log) if e.type == "thrown"]
    assert thrown == [[6, 5, 2], [6, 5, 1], [3, 2, 2]]
