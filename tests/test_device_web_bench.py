"""The benchmark of the dashboard's server: everybody gets everything, also who stalls or is cut."""

import json
from itertools import islice

import pytest
from conftest import Run

from device.web_bench import Load, _judged, played, serve
from rules.events import event_from_json
from rules.match import Match


@pytest.mark.slow
def test_every_viewer_gets_every_event_and_the_figures_say_so() -> None:
    figures = serve(Load(viewers=6, stalled=1, boards=2, seconds=2.0, rate=20.0))
    assert figures["events"] == 41
    assert figures["viewers"] == figures["viewers_complete"] == 6
    assert figures["stalled"] == 1
    assert 0 < figures["ms_p50"] <= figures["ms_p99"] <= figures["ms_max"]
    assert figures["boards"] > 0
    assert figures["threads"] == 10
    assert figures["rss_mb"] > 10


def seen(*seqs: int, stalled: bool = False) -> dict[str, object]:
    ms = [float(number) for number in seqs]
    return {"seqs": list(seqs), "ms": ms, "board_ms": [], "connections": 1, "stalled": stalled}


def test_whoever_missed_got_twice_or_out_of_order_is_not_complete() -> None:
    others = [seen(1, 2, 3), seen(1, 3), seen(1, 2, 2, 3), seen(2, 1, 3), seen(stalled=True)]
    figures = _judged(others, 3)
    assert (figures["viewers"], figures["viewers_complete"]) == (5, 1)


def test_times_of_who_stalled_and_of_the_first_entry_do_not_count() -> None:
    figures = _judged([seen(1, 20, 20), seen(1, 900, 900, stalled=True)], 3)
    assert (figures["ms_p50"], figures["ms_max"]) == (20.0, 20.0)


def test_the_games_of_the_benchmark_are_games() -> None:
    match, parts = None, set()
    for kind, data in islice(played(3), 3_000):
        event = event_from_json({"type": kind, **data})
        if match is None or kind == "match_started":
            match = Match.replay([event])
        else:
            match = match.apply(event)
        parts.add(match.part.value)
    assert {"half1", "half2"} <= parts


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--viewers", "0"], "--viewers is 0, expected 1 or more"),
        (["--stalled", "51"], "--stalled is 51, expected 0 to 50"),
        (["--rate", "0"], "--rate is 0, expected more than 0"),
    ],
)
def test_what_cannot_be_measured_is_bad_usage(run: Run, words: list[str], says: str) -> None:
    status, out, err = run("bench", "web", *words)
    assert (status, out) == (2, "")
    assert says in err


def test_the_command_fails_when_somebody_missed_something(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for complete, expected in ((50, 0), (49, 1)):
        figures = {"viewers": 50, "viewers_complete": complete, "ms_p99": 3.0}
        monkeypatch.setattr("device.web_bench.serve", lambda load, seed, f=figures: f)
        status, out, _ = run("bench", "web", "--json")
        assert (status, json.loads(out)) == (expected, figures)
        status, out, _ = run("bench", "web")
        assert "99 of 100, ms" in out
