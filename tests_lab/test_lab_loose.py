"""Throws read as loose photographs."""

import json
from pathlib import Path

import pytest

from models.lab import bench_loose
from models.lab.bench_loose import Loose, as_markdown

FLAT = Loose(0, "plain", (2, 3, 5), (), (2, 3, 5), True, 0.99)
TOWER = Loose(1, "tower", (5,), ("tower",), (2, 5), True, 0.97)
UNSURE = Loose(2, "plain", (1, 1, 6), (), (1, 6), False, 0.4)


def test_whoever_is_sure_of_a_tower_is_wrong_whatever_was_read() -> None:
    rows = as_markdown([FLAT, TOWER, UNSURE]).splitlines()
    assert rows[2:] == [
        "| plain | 2 | 1 | 1 | 0 |",
        "| tower | 1 | 0 | 1 | 1 |",
        "| all | 3 | 1 | 2 | 1 |",
    ]
    assert not Loose(3, "tower", (2, 5), ("tower",), (2, 5), True, 0.9).right


def test_the_measure_goes_on_where_it_stopped(
    bank_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["--bank", str(bank_file), "--processes", "1", "--out", str(out)]
    assert bench_loose.main([*words, "--seed", "5", "--count", "1"]) == 0
    lines = (out / "loose.jsonl").read_text()
    (out / "loose.jsonl").write_text(lines + '{"index": 1, "hea')
    assert bench_loose.main([*words, "--seed", "5", "--count", "2", "--failures", "2"]) == 0
    whole, cut_off, other = (out / "loose.jsonl").read_text().splitlines()
    told = [json.loads(line) for line in (whole, other)]
    assert cut_off.endswith('"hea')
    assert [row["index"] for row in told] == [0, 1]
    assert all(len(row["values"]) + bool(row["faults"]) >= 1 for row in told)
    assert "| all | 2 |" in (out / "loose.md").read_text()
    assert (out / "failures.jpg").exists()
    assert bench_loose.main([*words, "--seed", "6"]) == 1
    assert "another seed" in capsys.readouterr().err
