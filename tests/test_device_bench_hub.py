"""The benchmark of the hub: it finds what is lost, and its figures mean what they say."""

import json
import math
from pathlib import Path

import pytest
from conftest import Run
from hub_mosquitto import mosquitto
from hub_tables import keys_of, some_log

from device.hub.bench_checking import checked
from device.hub.bench_figures import quantiles, screen_ms
from device.hub.database import open_database
from device.hub.feed import Accepted
from device.hub.streams import Streams
from device.hub.tables import Tables


@pytest.mark.slow
@pytest.mark.parametrize("logs", ["files", "memory"])
def test_nothing_is_lost_and_the_figures_are_there(
    run: Run, hub_postgresql: str, logs: str
) -> None:
    mosquitto()
    words = ["--tables", "3", "--rate", "5", "--seconds", "2", "--viewers", "2", "--json"]
    more = ["--memory"] if logs == "memory" else ["--database", hub_postgresql]
    status, out, _ = run("bench", "hub", *words, *more)
    figures = json.loads(out)
    assert status == 0
    assert (figures["tables"], figures["tables_complete"], figures["events"]) == (3, 3, 30)
    assert (figures["missing"], figures["out_of_order"], figures["dropped"]) == (0, 0, 0)
    assert figures["logs"] == logs
    assert figures["database"].startswith("SQLite" if logs == "memory" else "PostgreSQL")
    assert ("cpu_database_ms" in figures) is (logs == "files")
    assert 0 < figures["hub_ms_p50"] <= figures["hub_ms_max"]
    assert figures["hub_ms_p50"] < figures["ms_max"] < math.inf
    assert figures["ms_p50"] <= figures["ms_p99"] <= figures["ms_max"]
    assert figures["board_ms_max"] < math.inf
    assert figures["hub_mb"] > 10


@pytest.mark.slow
def test_tables_that_come_back_all_at_once_are_taken_in(run: Run) -> None:
    mosquitto()
    words = ["--steps", "1,2", "--backlog", "450"]
    status, out, _ = run("bench", "hub", *words, "--json")
    one, two = map(json.loads, out.splitlines())
    assert status == 0
    assert (one["tables_complete"], two["tables_complete"]) == (1, 2)
    assert (one["events"], two["events"]) == (451, 902)
    assert two["ratio"] == pytest.approx(two["events_per_s"] / two["bare_per_s"], rel=0.05)
    assert two["hall_per_s"] > 0


def test_what_is_missing_or_otherwise_at_the_hub_is_found(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite3'}"
    logs = {name: some_log(name, 5) for name in ("table-1", "table-2", "table-3")}
    with Streams(open_database(url)) as streams:
        Tables(streams).replace(keys_of(*logs), at_s=0.0)
        for name, log in logs.items():
            kept = log[:3] if name == "table-2" else log
            streams.add([Accepted(name, log[0].hash, tuple(kept))])
    ends = {name: (log[0].hash, log[-1].seq, log[-1].hash) for name, log in logs.items()}
    ends["table-3"] = (logs["table-3"][0].hash, 5, "0" * 64)
    found = checked(url, ends, since_s=0.0)
    assert found.figures == {"tables_complete": 1, "missing": 2, "out_of_order": 0}
    assert [number for number, _ in found.feed] == list(range(1, 14))
    assert len(checked(url, ends, since_s=2000.0).feed) == 0


def test_an_entry_is_seen_with_the_first_later_number_that_a_screen_is_told() -> None:
    feed = [(1, 10.0), (2, 10.5), (3, 11.0), (4, 12.0)]
    screen = [(2, 11.0), (3, 11.25)]
    assert screen_ms(feed, [screen]) == [1000.0, 500.0, 250.0, math.inf]
    assert screen_ms(feed, [screen, screen[:1]])[4:] == [1000.0, 500.0, math.inf, math.inf]
    assert screen_ms([], [screen]) == []


def test_figures_of_nothing_are_left_out() -> None:
    assert quantiles("ms", []) == {}
    assert quantiles("ms", [1.0, 3.0]) == {"ms_p50": 2.0, "ms_p99": 3.0, "ms_max": 3.0}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--tables", "0"], "--tables has 0, expected 1 to 1000"),
        (["--steps", "50,x"], "--steps is '50,x', expected numbers of tables"),
        (["--steps", "50,2000"], "--steps has 2000"),
        (["--viewers", "0"], "--viewers is 0, expected 1 or more"),
        (["--boards", "6"], "--boards is 6, expected 0 to 5"),
        (["--rate", "0"], "--rate is 0, expected more than 0"),
        (["--database", "mysql://x", "--tables", "1"], "is no PostgreSQL"),
    ],
)
def test_what_cannot_be_measured_is_said(run: Run, words: list[str], says: str) -> None:
    status, out, err = run("bench", "hub", *words)
    assert status in (1, 2)
    assert out == ""
    assert says in err


def test_the_command_fails_when_an_entry_is_lost(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {"tables": 3, "tables_complete": 3, "missing": 0, "out_of_order": 0, "ms_p99": 3.0}
    for figures, expected in (
        (whole, 0),
        (whole | {"missing": 1}, 1),
        (whole | {"out_of_order": 1}, 1),
        (whole | {"tables_complete": 2}, 1),
    ):
        made = [whole, figures]
        monkeypatch.setattr("device.hub.bench.steps", lambda *_, f=made: iter(f))
        status, out, _ = run("bench", "hub", "--json")
        assert (status, [json.loads(line) for line in out.splitlines()]) == (expected, made)
        status, out, _ = run("bench", "hub")
        assert status == expected
        assert out.count("3.0") == 2
