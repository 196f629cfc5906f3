"""A machine's row in the columns of Ultralytics' benchmark table."""

import json
from pathlib import Path

import pytest

import models
from device.cli import main
from device.commands.bench_table import COLUMNS, OURS, rows, text


def test_ours_alone_where_ultralytics_is_not_installed() -> None:
    (row,) = rows(71.234, {}, 10.1)
    assert tuple(row) == COLUMNS
    assert list(row.values()) == [OURS, "ok", 10.1, None, 71.23]


def test_theirs_on_the_same_machine_stand_below_ours() -> None:
    table = rows(70.0, {"torch": 302.0, "openvino": 80.5}, 10.1)
    assert [row["Inference time (ms/im)"] for row in table] == [70.0, 302.0, 80.5]
    assert [row["Size on disk (MB)"] for row in table] == [10.1, None, 10.1]


def test_what_was_not_measured_is_no_number() -> None:
    network = {"metrics": {"held_out_renders_found_at_0.25": {"die": "9 of 10"}}}
    lines = text(rows(70.0, {}, 10.1), network).splitlines()
    assert lines[0] == "| " + " | ".join(COLUMNS) + " |"
    assert lines[2] == f"| {OURS} | ok | 10.1 | – | 70.0 |"
    assert "mAP50-95(B): not measured" in lines[4]
    assert lines[5].endswith("die 9 of 10.")
    assert text(rows(70.0, {}, 10.1), {}).count("not told in the manifest") == 1


@pytest.mark.slow
def test_the_command_prints_the_row_of_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "read", "--frames", "1", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["table"][0]
    size_mb = models.weights("finder", Path(models.FOLDER)).stat().st_size / 1e6
    assert row["Size on disk (MB)"] == pytest.approx(size_mb, abs=0.05)
    assert row["Inference time (ms/im)"] > 0
