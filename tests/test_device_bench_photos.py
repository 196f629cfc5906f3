"""`schockauge bench photos`: two tiny sources, read by a stand-in that always sees one five."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from device_help import FixedReader, lines, picture
from PIL import Image

from device.photo_faults import FAULTS
from device.photo_report import COLUMNS, FILES, contact_sheet
from device.photo_score import DieScore, PhotoScore
from device.photo_table import Result
from vision.reading import Reading


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`boxes`: one right, one with a wrong and a missed die; `lists`: one right."""
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    folder = tmp_path / "photos"
    for name in ("boxes", "lists"):
        (folder / name / "images").mkdir(parents=True)
    labels = folder / "boxes" / "labels"
    labels.mkdir()
    for name in ("a", "b"):
        picture(folder / "boxes" / "images" / f"{name}.png")  # 40 x 30 px
    # The stand-in's five lies at 1..11, 2..12: its centre is (6, 7).
    (labels / "a.txt").write_text("4 0.15 0.2333 0.25 0.3333\n")  # 10 px
    (labels / "b.txt").write_text("2 0.15 0.2333 0.35 0.4667\n1 0.75 0.6667 0.4 0.5334\n")  # 14, 16
    meta = {"repo": "https://example.org/dice", "licence": "MIT"}
    (folder / "boxes" / "meta.json").write_text(json.dumps(meta))
    picture(folder / "lists" / "images" / "c.png")
    (folder / "lists" / "values.csv").write_text("file,values\nc.png,5\n")
    return folder


def test_a_row_per_source_and_one_of_all(run: Run, sources: Path) -> None:
    status, out, err = run("bench", "photos", sources, "--json")
    assert (status, err) == (0, "")
    boxes, lists, both = lines(out)
    assert boxes == {
        "source": "boxes",
        "photographs": 2,
        "right": 1,
        "dice": 3,
        "dice_right": 1,
        "sure": 0,
        "sure_but_wrong": 0,
        "ms": 1.5,
    }
    assert (lists["source"], lists["right"], lists["dice_right"]) == ("lists", 1, 1)
    assert (both["source"], both["photographs"], both["dice"]) == ("all", 3, 4)


def test_mistaken_labels_are_counted_both_ways(run: Run, sources: Path, tmp_path: Path) -> None:
    errata = tmp_path / "errata.csv"
    errata.write_text("source,file,x,y,labelled,shows\nboxes,b.png,0.15,0.2333,3,5\n")
    report = tmp_path / "report"
    words = ("bench", "photos", sources, "--errata", errata)
    status, out, _ = run(*words, "--json", "--report", report)
    assert status == 0
    labelled, put_right = lines(out)[:3], lines(out)[3:]
    assert {row["labels"] for row in labelled} == {"as labelled"}
    assert {row["labels"] for row in put_right} == {"with 1 mistaken label put right"}
    assert [row["dice_right"] for row in labelled] == [1, 1, 2]
    assert [row["dice_right"] for row in put_right] == [2, 1, 3]
    page = (report / "photos.md").read_text()
    assert "## The same, with 1 mistaken label put right" in page
    assert "with 1 mistaken label put right" in run(*words)[1]


def test_errata_of_other_labels_are_told_before_anything_is_read(
    run: Run, sources: Path, tmp_path: Path
) -> None:
    errata = tmp_path / "errata.csv"
    errata.write_text("source,file,x,y,labelled,shows\nboxes,b.png,0.15,0.2333,4,5\n")
    status, out, err = run("bench", "photos", sources, "--errata", errata)
    assert (status != 0, out) == (True, "")
    assert "they belong to other photographs" in err


def test_errata_that_no_photograph_is_concerned_by_put_nothing_right(
    run: Run, sources: Path, tmp_path: Path
) -> None:
    errata = tmp_path / "errata.csv"
    errata.write_text("source,file,x,y,labelled,shows\nelsewhere,b.png,0.15,0.2333,4,5\n")
    _, out, _ = run("bench", "photos", sources, "--errata", errata)
    assert "put right" not in out


@pytest.mark.parametrize(("turned", "right"), [(0, 1), (1, 0), (2, 0), (3, 0)])
def test_photographs_can_be_shown_as_a_camera_held_askew_would(
    run: Run, sources: Path, turned: int, right: int
) -> None:
    """The stand-in says 1..11, 2..12 whatever it is shown; turned back that is another place."""
    _, out, _ = run("bench", "photos", sources, "--json", "--turned", turned)
    boxes, lists, _ = lines(out)
    assert boxes["dice_right"] == right
    assert lists["right"] == 1, "where labels have no places only values count"


@pytest.fixture
def shown(sources: Path, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The mean level of every picture that the stand-in is shown."""
    levels: list[float] = []

    class Noting(FixedReader):
        def read(self, image: np.ndarray) -> Reading:
            levels.append(float(image.mean()))
            return super().read(image)

    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: Noting())
    return levels


def test_a_row_per_fault_of_the_camera(
    run: Run, sources: Path, shown: list[float], tmp_path: Path
) -> None:
    file = tmp_path / "details.jsonl"
    words = ("bench", "photos", sources, "--faults", "dark", "grey", "--details", file)
    status, out, _ = run(*words, "--json")
    assert status == 0
    assert [row["shown"] for row in lines(out)] == ["as it is", "dark", "grey", "all"]
    assert [row["photographs"] for row in lines(out)] == [3, 3, 3, 9]
    bare, dark = shown[0], shown[1]
    assert dark < 0.6 * bare
    told = [(line["file"], line["shown"]) for line in lines(file.read_text())]
    names = ("a.png", "b.png", "c.png")
    assert told == [(name, kind) for kind in ("as it is", "dark", "grey") for name in names]
    assert run(*words)[1].startswith("| shown | photographs |")


def test_without_a_kind_each_is_shown_in_all(run: Run, sources: Path, shown: list[float]) -> None:
    _, out, _ = run("bench", "photos", sources, "--faults", "--every", 2, "--json")
    assert [row["shown"] for row in lines(out)] == ["as it is", *FAULTS, "all"]
    assert len(shown) == 2 * (1 + len(FAULTS)), "the second of `boxes` is left out"


def test_a_photograph_that_is_shown_twice_counts_once_where_photographs_are_counted(
    run: Run, sources: Path, tmp_path: Path
) -> None:
    errata = tmp_path / "errata.csv"
    errata.write_text("source,file,x,y,labelled,shows\nboxes,b.png,0.15,0.2333,3,5\n")
    words = ("bench", "photos", sources, "--faults", "dark", "--errata", errata)
    assert "with 1 mistaken label put right" in run(*words)[1]
    _, out, err = run("bench", "photos", sources, "--faults", "dark", "--min-die-px", 12, "--json")
    assert [row["photographs"] for row in lines(out)] == [1, 1, 2]
    assert "Left out: 2 of 3 photographs, whose dice are below 12 px." in err


def test_an_unreadable_photograph_is_told_once_and_missed_in_every_way(
    run: Run, sources: Path
) -> None:
    (sources / "boxes" / "images" / "a.png").write_bytes(b"")
    status, out, err = run("bench", "photos", sources, "--faults", "dark", "--json")
    assert status == 1
    assert err.count("schockauge: error: ") == 1
    assert [row["photographs"] for row in lines(out)] == [3, 3, 6]


def test_a_row_per_frame_where_labels_tell_where_dice_lie(run: Run, sources: Path) -> None:
    """The stand-in says 1..11, 2..12 whatever it is shown; only as it is that is the die."""
    words = ("bench", "photos", sources, "--frames", "close", "far", "--json")
    status, out, _ = run(*words)
    assert status == 0
    assert [row["shown"] for row in lines(out)] == ["as it is", "close", "far", "all"]
    assert [row["photographs"] for row in lines(out)] == [3, 2, 3, 8]
    assert [row["dice_right"] for row in lines(out)][:3] == [2, 1, 1]
    both = run(*words[:3], "--faults", "dark", "--frames", "far", "--json")[1]
    assert [row["shown"] for row in lines(both)] == ["as it is", "dark", "far", "all"]


def test_a_row_for_dice_of_another_make(run: Run, sources: Path) -> None:
    """What is read right of the die, mirrored, lies elsewhere: the stand-in is wrong there."""
    words = ("bench", "photos", sources, "--dice", "blued", "mirrored", "--json")
    status, out, _ = run(*words)
    assert status == 0
    assert [row["shown"] for row in lines(out)] == ["as it is", "blued", "mirrored", "all"]
    assert [row["dice_right"] for row in lines(out)][:3] == [2, 2, 1]


def test_a_die_that_has_no_label_is_not_cut_off(
    run: Run, sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[tuple[int, ...]] = []

    class Noting(FixedReader):
        def read(self, image: np.ndarray) -> Reading:
            shapes.append(image.shape[:2])
            return super().read(image)

    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: Noting())
    errata = tmp_path / "errata.csv"
    errata.write_text("source,file,x,y,labelled,shows\nboxes,a.png,0.9,0.9,,3\n")
    words = ("bench", "photos", sources, "--frames", "closest")
    run(*words)
    run(*words, "--errata", errata)
    (_, cut), (_, whole) = shapes[:2], shapes[5:7]
    assert max(cut) < 20
    assert whole == (30, 40)


def test_every_nth_is_at_least_every_first(run: Run, sources: Path) -> None:
    status, _, err = run("bench", "photos", sources, "--every", 0)
    assert status == 2
    assert "--every is 0, expected 1 or more" in err


def test_the_report_is_one_of_sources(run: Run, sources: Path, tmp_path: Path) -> None:
    status, _, err = run("bench", "photos", sources, "--faults", "--report", tmp_path / "report")
    assert status == 2
    assert "leave one of them out" in err


def test_details_tell_of_every_die(run: Run, sources: Path, tmp_path: Path) -> None:
    file = tmp_path / "details.jsonl"
    assert run("bench", "photos", sources, "--details", file)[0] == 0
    _, line, listed = lines(file.read_text())
    assert (line["source"], line["file"], line["right"]) == ("boxes", "b.png", False)
    assert (line["labelled"], line["read"], line["confidence"]) == ([2, 3], [5], 0.98)
    assert (line["towers"], line["burning"], line["cups"], line["parts"]) == (1, 0, 0, 0)
    matched, missed = line["dice"]
    assert matched == {
        "found": "matched",
        "true": 3,
        "read": 5,
        "score": 0.98,
        "sure": True,
        "side_px": 14.0,
    }
    assert (missed["found"], missed["true"], missed["read"]) == ("missed", 2, None)
    assert missed["side_px"] == 16.0
    assert listed["dice"][0]["side_px"] == 10.0, "as read, where labels have no boxes"


def test_photographs_with_small_dice_can_be_left_out(run: Run, sources: Path) -> None:
    status, out, err = run("bench", "photos", sources, "--min-die-px", 12, "--json")
    assert status == 0
    assert [row["photographs"] for row in lines(out)] == [1, 0, 1]
    assert "Left out: 2 of 3 photographs, whose dice are below 12 px." in err


def test_an_unreadable_photograph_counts_as_missed(run: Run, sources: Path, tmp_path: Path) -> None:
    (sources / "boxes" / "images" / "a.png").write_bytes(b"")
    file = tmp_path / "details.jsonl"
    status, out, err = run(
        "bench", "photos", sources, "--json", "--details", file, "--report", tmp_path / "report"
    )
    assert status == 1
    assert (lines(out)[0]["dice"], lines(out)[0]["dice_right"]) == (3, 0)
    assert "schockauge: error: " in err
    first = lines(file.read_text())[0]
    assert "the file is empty" in first["error"]
    assert first["dice"][0]["found"] == "missed"


def test_the_report_is_four_files(run: Run, sources: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    status, out, _ = run("bench", "photos", sources, "--report", folder)
    assert status == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    page = (folder / "photos.md").read_text()
    assert out in page + "\n", "the table is the one that is printed"
    assert "| boxes | 1 of 2 (50.0 %) | 0 of 1 (0.0 %) | – | – | – | – |" in page
    assert "| boxes | https://example.org/dice | MIT |" in page
    assert "3 dice read" in (folder / "reliability.svg").read_text()
    assert "sure: 0.0 % of the photographs" in (folder / "risk_coverage.svg").read_text()
    with Image.open(folder / "failures.jpg") as sheet:
        assert sheet.width == 2 * (160 + 8), "one wrong die, one missed"


def test_without_failures_there_is_no_sheet(run: Run, sources: Path, tmp_path: Path) -> None:
    (tmp_path / "failures.jpg").write_text("of another time")
    assert run("bench", "photos", sources / "lists", "--report", tmp_path)[0] == 0
    assert not (tmp_path / "failures.jpg").exists()


def test_a_report_that_cannot_be_written_is_an_error(
    run: Run, sources: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    status, _, err = run("bench", "photos", sources, "--report", tmp_path / "file")
    assert status == 1
    assert f"schockauge: error: {tmp_path / 'file'} cannot be written" in err


def test_a_full_row_and_a_vanished_picture_on_the_sheet(tmp_path: Path) -> None:
    die = DieScore(1, 2, 0.9, box=(5.0, 5.0, 15.0, 15.0))
    here = Result("x", picture(tmp_path / "a.png"), PhotoScore((die,)))
    gone = Result("x", tmp_path / "gone.png", PhotoScore((die,)))
    sheet = contact_sheet([(here, die)] * COLUMNS + [(gone, die)])
    assert sheet.shape == (2 * 204, COLUMNS * 168, 3)
    assert sheet[80, 80, 2] > sheet[80, 80, 0], "a red crop"
    assert (sheet[204 + 80, 80] == 255).all(), "left white"
