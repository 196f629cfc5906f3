"""How soon a table is there, measured at the real command."""

import json
from pathlib import Path

import pytest
from conftest import Run

from device.errors import SchockaugeError
from device.start_bench import measure


@pytest.mark.slow
def test_a_table_that_starts_is_measured_from_page_to_reading(run: Run) -> None:
    status, out, err = run("bench", "start", "--seconds", 1, "--json")
    assert (status, err) == (0, "")
    figures = json.loads(out)
    assert 0 < figures["page_s"] <= figures["picture_s"] <= figures["read_s"]
    assert 50 < figures["rss_mb"] <= figures["most_mb"]


def test_a_table_that_does_not_start_is_told_with_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.start_bench.PATIENCE_S", 20.0)
    monkeypatch.setattr("device.start_bench.demo_material.FOV_DEG", 1000.0)
    with pytest.raises(SchockaugeError, match="did not come to"):
        measure(0.0)
