"""`schockauge statistics`: the page's numbers for a terminal and for programs."""

from pathlib import Path

import pytest
from conftest import Run
from device_help import lines
from test_web_ui_table import Table
from web_ui_scenes import evening, names

from device.store import SqliteLog
from web_ui import create_app


@pytest.fixture(scope="module")
def table() -> Table:
    table = Table(names(3))
    evening(table, games=2)
    return table


@pytest.fixture
def log(table: Table, tmp_path: Path) -> Path:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        for entry in table.log.read(0, 100_000):
            log.append(entry.type, entry.data, at_s=entry.at_s)
    return path


def test_the_same_numbers_as_the_page_for_both_forms_of_a_log(
    table: Table, log: Path, tmp_path: Path, run: Run
) -> None:
    told = create_app(table.log, table.submit).test_client().get("/api/statistics?lang=en")
    page = {k: v for k, v in told.get_json().items() if k not in ("seq", "span", "broken")}
    status, out, _ = run("statistics", log, "--json", "--lang", "en")
    assert (status, lines(out)) == (0, [page])
    exported = tmp_path / "log.jsonl"
    assert run("export", log, "--json", "--out", exported)[0] == 0
    assert lines(run("statistics", exported, "--json", "--lang", "en")[1]) == [page]


def test_a_table_with_a_column_for_each_player(log: Path, run: Run) -> None:
    status, out, _ = run("statistics", log)
    assert status == 0
    head, games, *_ = out.splitlines()
    assert head.split() == ["Name", "Anna", "Bert", "Cem"]
    assert games.split() == ["beendete", "Spiele", "2", "2", "2"]
    assert "Würfel des Tisches: " in out
    assert "Teuerste Runde" in out
    assert "Dearest round" in run("statistics", log, "--lang", "en")[1]


def test_a_log_without_a_game_has_nothing_to_tell(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "empty.sqlite3"
    with SqliteLog(path) as log:
        log.append("table.cup_down", {}, at_s=1.0)
    assert run("statistics", path)[:2] == (
        0, "Noch ist nichts abgerechnet. Nach der ersten Runde steht hier etwas.\n",
    )  # fmt: skip


def test_what_is_no_log_or_cannot_be_followed_is_an_error(
    log: Path, tmp_path: Path, run: Run
) -> None:
    assert run("statistics", tmp_path / "none.sqlite3")[0] == 1
    with SqliteLog(log) as damaged:
        last = damaged.append("round_started", {"nonsense": 1}, at_s=1e9)
    status, out, err = run("statistics", log, "--json")
    assert (status, out) == (1, "")
    assert f"Entry {last.seq} of" in err
