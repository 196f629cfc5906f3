"""The benchmark of a whole evening: it really plays, again and again, and judges growth rightly."""

import json
from itertools import islice
from pathlib import Path

import pytest
from conftest import Run
from device_table import stand_in

from device import bootstrap
from device.settings import Settings
from device.soak import Sample, _endless, growth_mb_per_hour, soak
from device.sources import VideoSource


def sample(t_s: float, rss_mb: float) -> Sample:
    return Sample(t_s, rss_mb, 10, 5, 0, 0.0, 0.0, None)


def test_growth_is_told_after_the_first_third() -> None:
    filling = [sample(60.0 * n, 100.0 + 50 * n) for n in range(10)]
    flat = [sample(60.0 * n, 600.0) for n in range(10, 31)]
    assert growth_mb_per_hour(filling + flat) == pytest.approx(0.0)
    leaking = [sample(60.0 * n, 100.0 + n) for n in range(31)]
    assert growth_mb_per_hour(leaking) == pytest.approx(60.0)
    assert growth_mb_per_hour([]) is None
    assert growth_mb_per_hour(flat[:2]) is None


def test_the_whole_appliance_plays_and_is_looked_at(
    short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    monkeypatch.setattr("device.soak.at_real_speed", iter)
    told: list[Sample] = []
    done = soak(0.2, viewers=2, every_s=2.0, told=told.append, clip=short_clip)
    assert list(done.samples) == told
    assert len(told) >= 3
    assert done.throws > 0
    assert done.faults == ()
    last = told[-1]
    assert last.rss_mb > 50
    assert last.files > 5
    assert last.threads > 5
    assert last.entries > 0
    assert last.log_mb > 0


def test_the_clip_begins_again_as_another_game_and_its_time_goes_on(
    short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    paths = {"store.path": str(tmp_path / "log.sqlite3"), "store.evidence_dir": ""}
    appliance = bootstrap.build(Settings(paths))
    with VideoSource(short_clip) as source:
        count = sum(1 for _ in source)
    frames = list(islice(_endless(short_clip, appliance, float("inf")), 2 * count + 1))
    assert [frame.index for frame in frames] == list(range(2 * count + 1))
    times_s = [frame.taken_at_s for frame in frames]
    assert times_s == sorted(set(times_s))
    types = [entry.type for entry in appliance.log.read(limit=1000)]
    assert types.count("match_started") == 3
    appliance.close()


def test_the_command_prints_a_line_for_each_look_and_judges(
    short_clip: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    monkeypatch.setattr("device.soak.growth_mb_per_hour", lambda samples: 30.04)
    words = ("--minutes", 0.05, "--every", 1, "--viewers", 0, "--clip", short_clip)
    status, out, _ = run("bench", "soak", *words, "--json")
    assert status == 1
    *looks, last = [json.loads(line) for line in out.splitlines()]
    assert looks
    assert looks[0]["rss_mb"] > 50
    assert last["mb_per_hour"] == 30.0
    status, out, _ = run("bench", "soak", *words, "--most-mb", 40)
    assert status == 0
    assert "memory after the first third: +30.0 MB an hour" in out
    assert run("bench", "soak", "--minutes", 0)[0] == 2
