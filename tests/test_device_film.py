"""A clip made of pictures: each is shown as long as it was the newest, and it can be read back."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.errors import StoreError
from device.film import _scratch, encode, webm
from device.images import jpeg
from device.ring import Shot


def shots(*times_s: float) -> list[Shot]:
    """Grey pictures that get brighter by 10 from one to the next; 65 x 49 pixels."""
    return [
        Shot(t_s, jpeg(np.full((49, 65, 3), 10 * n, np.uint8))) for n, t_s in enumerate(times_s)
    ]


def levels(film: bytes, folder: Path) -> tuple[float, list[int]]:
    """Pictures a second of a clip, and their brightness in tens."""
    path = folder / "clip.webm"
    path.write_bytes(film)
    reader = cv2.VideoCapture(str(path))
    found = []
    while (read := reader.read())[0]:
        assert read[1].shape == (48, 64, 3)
        found.append(round(float(np.asarray(read[1]).mean()) / 10))
    fps = float(reader.get(cv2.CAP_PROP_FPS))
    reader.release()
    return fps, found


def test_a_clip_shows_every_picture_as_long_as_it_was_the_newest(tmp_path: Path) -> None:
    fps, found = levels(webm(shots(2.0, 2.1, 2.2, 2.3, 2.6, 2.7)), tmp_path)
    assert fps == pytest.approx(10.0, rel=0.01)
    assert found == [0, 1, 2, 3, 3, 3, 4, 5]


def test_a_clip_that_is_still_at_first_shows_what_moves_then(tmp_path: Path) -> None:
    fps, found = levels(webm(shots(0.0, 1.0, 2.0, 3.0, 3.1, 3.2, 3.3)), tmp_path)
    assert fps == pytest.approx(10.0, rel=0.01)
    assert found == [0] * 10 + [1] * 10 + [2] * 10 + [3, 4, 5, 6]


def test_a_clip_of_one_picture_is_one(tmp_path: Path) -> None:
    assert levels(webm(shots(7.0)), tmp_path)[1] == [0]


def test_a_clip_that_cannot_be_read_back_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, shot in enumerate(shots(0.0, 0.1, 0.2)):
        (tmp_path / f"{number}.jpg").write_bytes(shot.jpeg)
    (tmp_path / "times.json").write_text("[0.0, 0.1, 0.2]")
    monkeypatch.setattr("device.film._frames_in", lambda path: 1)
    with pytest.raises(StoreError, match="1 of 3 pictures can be read back"):
        encode(tmp_path)


def test_pictures_of_which_no_clip_can_be_made_are_told_of() -> None:
    with pytest.raises(StoreError, match=r"The picture of 0\.10 s is no JPEG any more"):
        webm([*shots(0.0), Shot(0.1, b"no picture")])
    with pytest.raises(StoreError, match="there are none of that time"):
        webm([])


def test_clips_are_made_in_memory_where_there_is_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.film.MEMORY", tmp_path)
    assert _scratch() == tmp_path
    monkeypatch.setattr("device.film.MEMORY", tmp_path / "none")
    assert _scratch() is None
