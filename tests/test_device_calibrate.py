"""`schockauge calibrate` from a photograph or clip to files, verdicts and errors."""

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from device_table import stand_in
from PIL import Image
from test_vision_calibration import camera_picture, mat_sheet
from test_vision_lens import GRID_MM, MAT_MM, a_lens, mat_seen
from test_vision_lens_fit import board_seen, poses

from device.calibrations import load_calibration, save_calibration
from device.errors import SchockaugeError
from device.sources import VideoSource
from vision.calibration import MatCalibration, calibrate_from_corners
from vision.lens import Lens


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "mat.png"
    cv2.imwrite(str(path), camera_picture(mat_sheet()))
    return path


def test_numbers_and_verdicts_are_in_the_json(run, photo, tmp_path):
    report = tmp_path / "report.jpg"
    status, out, _ = run("calibrate", photo, "--report", report, "--json")
    assert status == 0
    quality = json.loads(out)["quality"]
    assert quality["verdict"] in ("good", "usable", "bad")
    assert quality["die_px"]["unit"] == "px"
    assert 28 < quality["die_px"]["value"] < 36
    assert quality["reprojection_mm"]["verdict"] == "good"
    with Image.open(report) as image:
        assert image.size[0] == 1660


def test_the_report_draws_the_mat_where_it_is(run, photo, tmp_path):
    report = tmp_path / "report.jpg"
    assert run("calibrate", photo, "--report", report)[0] == 0
    drawn = cv2.imread(str(report)).astype(int)[:900, :1200]
    plain = cv2.resize(cv2.imread(str(photo)), (1200, 900)).astype(int)
    changed = np.abs(drawn - plain).max(axis=2) > 60
    left_edge = changed[200:700, 35:80]  # the mat's left side runs from x = 75 to 38
    assert left_edge.any(axis=1).mean() > 0.95


def test_verdicts_speak_german_unless_told_otherwise(run, photo, tmp_path):
    out_file = tmp_path / "mat.toml"
    _, german, _ = run("calibrate", photo, "--out", out_file)
    _, english, _ = run("calibrate", photo, "--out", out_file, "--lang", "en")
    assert "Würfelkante im Bild" in german
    assert "Urteil:" in german
    assert "die's edge in the picture" in english
    assert not list(tmp_path.glob("*.new"))


def test_without_a_file_the_text_alone_goes_to_stdout(run, photo):
    status, out, err = run("calibrate", photo, "--die", "18.5")
    assert status == 0
    assert "die_mm = 18.5\ndie_measured = true" in out
    assert "Urteil" not in out
    assert "Urteil" in err


@pytest.fixture(scope="module")
def board_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    for number, pose in enumerate(poses()):
        cv2.imwrite(str(folder / f"{number:02d}.png"), board_seen(a_lens(), *pose))
    return folder


def test_a_clip_of_the_board_straightens_the_mat(run, board_clip, tmp_path):
    picture, homography = mat_seen(a_lens())
    photo, first, second = tmp_path / "m.png", tmp_path / "one.toml", tmp_path / "two.toml"
    cv2.imwrite(str(photo), picture)
    status, out, _ = run("calibrate", photo, "--lens", board_clip, "--out", first, "--json")
    assert status == 0
    assert json.loads(out)["lens_rms_px"] < 0.5
    exact = MatCalibration(homography, MAT_MM, lens=a_lens())
    mat = load_calibration(first)
    wrong_mm = np.linalg.norm(mat.to_mm(exact.to_px(GRID_MM)) - GRID_MM, axis=1)
    assert wrong_mm.max() < 0.3
    assert run("calibrate", photo, "--lens", first, "--out", second)[0] == 0
    assert second.read_text() == first.read_text()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--corners", "10,10", "2000,10", "900,700", "10,700"), 1, "top right corner (2000, 10)"),
        (("--die", "3"), 2, "expected 8 to 32"),
        (("--lens", "none.mp4"), 1, "none.mp4 does not exist"),
        (("--lens", "none.toml"), 1, "none.toml cannot be read"),
    ],
)
def test_what_is_wrong_is_said(run, photo, words, status, said):
    code, _, err = run("calibrate", photo, *words)
    assert (code, said in err) == (status, True), err


def test_a_calibration_without_a_lens_has_none_to_keep(run, photo, tmp_path):
    bare = tmp_path / "bare.toml"
    assert run("calibrate", photo, "--out", bare)[0] == 0
    code, _, err = run("calibrate", photo, "--lens", bare)
    assert code == 2
    assert "has no lens" in err


def test_a_clip_that_shows_no_board_is_refused(run, photo, make_clip):
    code, _, err = run("calibrate", photo, "--lens", make_clip())
    assert code == 1
    assert "found in 0 of 12 pictures" in err


def test_a_damaged_file_is_named_with_its_line(run, photo, tmp_path):
    bad = tmp_path / "bad.toml"
    save_calibration(bad, calibrate_from_corners([[0, 0], [9, 0], [9, 9], [0, 9]], MAT_MM))
    bad.write_text(bad.read_text().replace("die_mm = 16.0", 'die_mm = "x"'))
    code, _, err = run("watch", photo, "--mat", bad)
    assert code == 1
    code, _, err = run("calibrate", photo, "--lens", bad)
    assert code == 1
    assert "bad.toml" in err
    assert "line 8: die_mm is 'x'" in err


def test_a_disk_that_takes_nothing(tmp_path):
    mat = calibrate_from_corners([[0, 0], [9, 0], [9, 9], [0, 9]], MAT_MM)
    with pytest.raises(SchockaugeError, match="cannot be written"):
        save_calibration(tmp_path / "nowhere" / "mat.toml", mat)


def test_a_power_cut_leaves_the_calibration_before_or_the_new_one(tmp_path, monkeypatch):
    """The text is on the disk before the name points to it, and then the name is."""
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    before, after = (calibrate_from_corners(corners, MAT_MM, die_mm=mm) for mm in (16.0, 18.0))
    file = tmp_path / "mat.toml"
    save_calibration(file, before)
    kept: list[tuple[str, float]] = []

    def fsync(number: int) -> None:
        there = (tmp_path, *tmp_path.iterdir())
        name = next(path.name for path in there if os.path.samestat(path.stat(), os.fstat(number)))
        kept.append((name, load_calibration(file).die_mm))
        if name != tmp_path.name:
            assert load_calibration(tmp_path / name).die_mm == 18.0, "all of it has been written"

    monkeypatch.setattr("os.fsync", fsync)
    save_calibration(file, after)
    assert kept == [("mat.toml.new", 16.0), (tmp_path.name, 18.0)]
    assert [path.name for path in tmp_path.iterdir()] == ["mat.toml"]


def test_a_full_disk_leaves_the_calibration_before(tmp_path, monkeypatch):
    corners = [[0, 0], [9, 0], [9, 9], [0, 9]]
    file = tmp_path / "mat.toml"
    save_calibration(file, calibrate_from_corners(corners, MAT_MM, die_mm=16.0))

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SchockaugeError, match="No space left"):
        save_calibration(file, calibrate_from_corners(corners, MAT_MM, die_mm=18.0))
    assert load_calibration(file).die_mm == 16.0
    assert [path.name for path in tmp_path.iterdir()] == ["mat.toml"]


def test_doctor_tells_what_a_calibration_holds(run, photo, tmp_path):
    file, settings = tmp_path / "mat.toml", tmp_path / "table.toml"
    assert run("calibrate", photo, "--die", "18", "--out", file)[0] == 0
    settings.write_text(f'[table]\nmat_file = "{file}"\n')
    out = run("doctor", "--settings", settings)[1]
    assert "mat 420 x 315 mm, no lens, dice 18 mm (measured)" in out
    file.write_text("[mat]\n")
    assert "calibration again" in run("doctor", "--settings", settings)[1]


def test_watch_uses_corners_lens_and_zones_of_the_file(run, short_clip, tmp_path, monkeypatch):
    stand_in(monkeypatch)
    file = tmp_path / "mat.toml"
    with VideoSource(short_clip) as source:
        height, width = next(iter(source)).image_bgr.shape[:2]
    matrix = np.array([[900.0, 0, width / 2], [0, 900.0, height / 2], [0, 0, 1]])
    lens = Lens(matrix, np.zeros(5), (width, height))
    corners = [[40, 40], [880, 40], [880, 670], [40, 670]]
    save_calibration(file, calibrate_from_corners(corners, MAT_MM, lens=lens))
    status, out, _ = run("watch", short_clip, "--mat", file, "--json")
    assert status == 0
    throws = [json.loads(line) for line in out.splitlines()]
    first = next(line for line in throws if line["type"] == "throw_seen")
    assert first["dice"] == [6, 5, 2]
    other = Lens(matrix, np.zeros(5), (width // 2, height // 2))
    save_calibration(file, calibrate_from_corners(corners, MAT_MM, lens=other))
    status, _, err = run("watch", short_clip, "--mat", file, "--json")
    assert status == 1
    assert "calibrate the lens again" in err
