"""Sources hand out frames with their time, and say so when they break off."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from device.errors import SourceError, UsageError
from device.simulate import ExtraMissingError
from device.sources import (
    FolderSource,
    Frame,
    VideoSource,
    at_real_speed,
    is_live,
    open_source,
    verify_source,
)

MakeClip = Callable[..., Path]


def test_a_simulated_table_is_a_source_where_it_is_installed() -> None:
    if importlib.util.find_spec("mujoco") is None:
        with pytest.raises(ExtraMissingError):
            open_source("simulated:7")
    with pytest.raises(UsageError, match="expected simulated:0"):
        open_source("simulated:seven")


@pytest.mark.parametrize(("name", "codec"), [("a.avi", "MJPG"), ("a.mp4", "mp4v")])
def test_a_clip_gives_all_frames_with_their_time(
    make_clip: MakeClip, name: str, codec: str
) -> None:
    with VideoSource(make_clip(name, codec=codec, frames=12)) as source:
        frames = list(source)
    assert source.frame_count == 12
    assert [f.index for f in frames] == list(range(12))
    assert [round(f.taken_at_s, 3) for f in frames] == [round(n / 10, 3) for n in range(12)]
    assert abs(int(frames[5].image_bgr.mean()) - 50) < 8


def test_a_clip_cut_in_half_says_how_much_is_there(make_clip: MakeClip) -> None:
    path = make_clip(frames=40)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with (
        VideoSource(path) as source,
        pytest.raises(SourceError, match=r"breaks off: \d+ of 40 frames could be read"),
    ):
        list(source)


def test_a_clip_without_its_index_cannot_be_opened(make_clip: MakeClip) -> None:
    path = make_clip("a.mp4", codec="mp4v", frames=40)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SourceError, match="may be cut off"):
        VideoSource(path)


def test_missing_clip_and_missing_camera_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        open_source(str(tmp_path / "none.mp4"))
    with pytest.raises(SourceError, match="There is no camera 97"):
        open_source("camera:97")


def test_a_folder_is_a_slow_clip(tmp_path: Path) -> None:
    for n in (2, 0, 1):
        Image.new("L", (8, 6), 40 * n).save(tmp_path / f"{n}.png")
    with open_source(str(tmp_path)) as source:
        frames = list(source)
    assert [int(f.image_bgr[0, 0, 0]) for f in frames] == [0, 40, 80]
    assert [f.taken_at_s for f in frames] == pytest.approx([0.0, 0.1, 0.2])


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no picture"):
        FolderSource(tmp_path)


def test_real_speed_waits_for_early_frames_and_drops_none() -> None:
    now_s = [100.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(round(seconds, 3))
        now_s[0] += seconds

    image = np.zeros((2, 2, 3), np.uint8)
    frames = [Frame(image, n / 10, n) for n in range(4)]
    handed_out = []
    for frame in at_real_speed(iter(frames), clock=lambda: now_s[0], sleep=sleep):
        handed_out.append(frame.index)
        if frame.index == 1:
            now_s[0] += 0.15  # a slow reader
    assert handed_out == [0, 1, 2, 3]
    assert waits == [0.1, 0.05]


@pytest.mark.parametrize(
    ("spec", "error", "told"),
    [
        ("picamera", SourceError, "The clip picamera does not exist.*expected picamera:0"),
        ("", SourceError, "expected picamera:0"),
        ("none.mp4", SourceError, "none.mp4 does not exist"),
        ("hostile:freeze@3:none.mp4", SourceError, "none.mp4 does not exist"),
        ("picamera-stub:hang@3:none.mp4", SourceError, "none.mp4 does not exist"),
        ("picamera:left", UsageError, "expected picamera:0"),
        ("simulated:seven", UsageError, "expected simulated:0"),
        ("hostile:melt@3:camera:0", UsageError, "melt"),
        ("http://a:geheim@10.0.0.7/video?key=geheim", UsageError, "http://10.0.0.7/video is no"),
    ],
)
def test_what_can_never_give_pictures_is_told_without_opening_it(
    spec: str, error: type[Exception], told: str
) -> None:
    for ask in (verify_source, open_source):
        with pytest.raises(error, match=told) as problem:
            ask(spec)
        assert "geheim" not in str(problem.value)


@pytest.mark.parametrize(
    "spec",
    ["camera:7", "0", "picamera:0", "/dev/v4l/by-id/usb-cam", "RTSP://10.0.0.7/mat", "simulated",
     "hostile:freeze@3:camera:0", "picamera-stub:rtsp://a:b@host/mat"],
)  # fmt: skip
def test_a_camera_that_is_not_there_may_still_come(spec: str) -> None:
    verify_source(spec)
    assert is_live(spec) or spec == "simulated"


def test_a_camera_named_by_its_device_is_one() -> None:
    with pytest.raises(SourceError, match="There is no camera /dev/v4l/by-id/usb-cam that can"):
        open_source("/dev/v4l/by-id/usb-cam")


def test_a_table_with_such_a_source_is_not_begun(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.toml").write_text('[table]\nsource = "picamera"\n')
    status, _, err = run("run", "--settings", "table.toml", "--strict")
    assert (status, "The clip picamera does not exist" in err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"], "no log was opened"
