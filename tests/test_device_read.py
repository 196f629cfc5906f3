"""`schockauge read`: a line for each picture, whatever happens to it."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from device_help import FixedReader, lines, picture
from PIL import Image

import models
from vision.reading import Found, ReadDie, Reading


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())


@pytest.mark.usefixtures("reads")
class TestRead:
    def test_a_json_line_for_each_picture_in_the_order_given(
        self, run: Run, tmp_path: Path
    ) -> None:
        paths = [picture(tmp_path / name) for name in ("b.png", "a.jpg")]
        status, out, err = run("read", *paths, "--json")
        assert (status, err) == (0, "")
        assert [line["file"] for line in lines(out)] == [str(path) for path in paths]
        assert lines(out)[0] == {
            "file": str(paths[0]),
            "sure": False,
            "dice": [{"value": 5, "score": 0.98, "sure": True, "box": [1.0, 2.0, 11.0, 12.0]}],
            "towers": [{"box": [3.0, 3.0, 9.0, 9.0], "score": 0.7}],
            "burning": [],
            "cups": [],
            "parts": [],
            "ms": 1.5,
        }

    def test_a_corrupt_picture_is_reported_and_the_rest_go_on(
        self, run: Run, tmp_path: Path
    ) -> None:
        bad = tmp_path / "bad.jpg"
        bad.write_bytes(b"no picture")
        status, out, err = run("read", bad, picture(tmp_path / "good.png"), "--json")
        first, second = lines(out)
        assert status == 1
        assert first["file"] == str(bad)
        assert "no picture that can be read" in first["error"]
        assert second["dice"]
        assert "schockauge: error: 1 of 2 files unreadable" in err

    def test_people_get_a_sentence(self, run: Run, tmp_path: Path) -> None:
        path = picture(tmp_path / "a.png")
        assert run("read", path) == (0, f"{path}: 5, 1 Türmchen (unsicher)\n", "")

    def test_annotated_pictures_keep_apart_equal_names(self, run: Run, tmp_path: Path) -> None:
        for folder in ("x", "y"):
            (tmp_path / folder).mkdir()
            picture(tmp_path / folder / "a.png")
        out = tmp_path / "out"
        assert run("read", tmp_path / "x", tmp_path / "y", "--out", out)[0] == 0
        written = sorted(out.iterdir())
        assert len(written) == 2
        with Image.open(written[0]) as image:
            assert image.size == (40, 30)
            assert len(image.getcolors(maxcolors=10_000) or []) > 5, "nothing was drawn"

    def test_an_empty_folder_and_an_idle_pattern_are_lines_too(
        self, run: Run, tmp_path: Path
    ) -> None:
        (tmp_path / "empty.jpg").mkdir()
        good, idle = picture(tmp_path / "good.png"), tmp_path / "*.bmp"
        status, out, err = run("read", tmp_path / "empty.jpg", idle, good, "--json")
        folder, pattern, last = lines(out)
        assert status == 1
        assert f"The folder {tmp_path / 'empty.jpg'} holds no picture" in folder["error"]
        assert "No file fits the pattern" in pattern["error"]
        assert last["dice"]
        assert "schockauge: error: 2 of 3 files unreadable" in err

    def test_boxes_are_in_pixels_of_the_file_even_if_less_was_read(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("device.images.DETAIL_PIXELS", 400)
        path = picture(tmp_path / "a.png")
        (line,) = lines(run("read", path, "--json", "--out", tmp_path / "out")[1])
        assert line["dice"][0]["box"] == [2.0, 4.0, 22.0, 24.0]
        assert line["towers"][0]["box"] == [6.0, 6.0, 18.0, 18.0]
        with Image.open(tmp_path / "out" / "a.jpg") as annotated:
            assert annotated.size == (20, 15)


def test_a_missing_model_is_named(run: Run, tmp_path: Path) -> None:
    path = picture(tmp_path / "a.png")
    status, out, err = run("read", path, "--models", tmp_path / "none")
    assert (status, out) == (1, "")
    assert "schockauge: error: " in err
    assert "manifest" in err
    assert "none" in err


def test_missing_weights_of_our_own_are_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = models.weights
    monkeypatch.setattr("models.weights", lambda name, folder: real(name, tmp_path))
    status, _, err = run("read", picture(tmp_path / "a.png"))
    assert status == 1
    assert "schockauge: error: " in err
    assert str(tmp_path) in err


def test_a_part_of_a_die_is_told_in_words_and_by_its_place(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Glimpsing:
        def read(self, image_bgr: np.ndarray) -> Reading:
            die = ReadDie(5, 0.98, True, (1.0, 2.0, 11.0, 12.0))
            return Reading(dice=(die,), parts=(Found((30.0, 5.0, 40.0, 15.0), 0.99),), chance=0.98)

    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: Glimpsing())
    path = picture(tmp_path / "a.png")
    told = f"{path}: 5, 1 verdeckt oder abgeschnitten (unsicher)\n"
    assert run("read", path) == (0, told, "")
    (line,) = lines(run("read", path, "--json")[1])
    assert line["parts"] == [{"box": [30.0, 5.0, 40.0, 15.0], "score": 0.99}]
    assert line["sure"] is False
