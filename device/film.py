"""Pictures become a clip that every browser plays: VP8 in WebM, written by OpenCV's own ffmpeg.

A clip is encoded by a process of its own (`python -m device.film FOLDER`): it yields to the game,
and what ffmpeg says or does there harms nobody. OpenCV does not tell when a clip could not be
written to its end (a full disk). So it is written to a scratch folder, read back, and only then
handed out as bytes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from device.errors import StoreError
from device.image_pixels import Picture
from device.ring import Shot

CODEC = "VP80"
SUFFIX = ".webm"
TIMES, CLIP = "times.json", f"clip{SUFFIX}"
"""In a scratch folder, beside the pictures `0.jpg`, `1.jpg` ..."""
LONGEST_S = 300.0
"""A clip that takes longer than this is given up."""
NICENESS = 10
MEMORY = Path("/dev/shm")
"""A clip takes some 5 MB of it while it is made, one at a time."""
BUSY_GAPS = 0.2
"""At least so many of a clip's gaps are as short as where something happens; some are shorter, of
frames that came late."""
MOST_FPS = 30.0
"""Finer steps than that no camera of a table gives."""


def webm(shots: Sequence[Shot]) -> bytes:
    """Make a clip that runs as fast as its pictures were taken.

    Args:
        shots: pictures of one size, oldest first.

    Returns:
        The file's content. Every picture is there as long as it was the newest one.

    Raises:
        StoreError: no pictures, or the clip cannot be written.
    """
    if not shots:
        raise StoreError("A clip needs pictures, and there are none of that time.")
    with tempfile.TemporaryDirectory(prefix="schockauge-clip-", dir=_scratch()) as name:
        folder = Path(name)
        try:
            (folder / TIMES).write_text(json.dumps([shot.t_s for shot in shots]))
            for number, shot in enumerate(shots):
                (folder / f"{number}.jpg").write_bytes(shot.jpeg)
            _encode_apart(folder)
            return (folder / CLIP).read_bytes()
        except StoreError:
            raise
        except (OSError, subprocess.SubprocessError) as error:
            raise StoreError(f"A clip cannot be written: {error}.") from error


def _scratch() -> Path | None:
    """Memory, where the system has such a folder: what is read once need not wear out a card."""
    return MEMORY if os.access(MEMORY, os.W_OK) else None


def _encode_apart(folder: Path) -> None:
    """Run this module as a program; Ctrl-C at the terminal does not reach it."""
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "device.film", str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LONGEST_S,
        start_new_session=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["it was ended"]
        raise StoreError(f"A clip cannot be written: {said[-1]}")


def encode(folder: Path) -> None:
    """Make the clip of the pictures in a scratch folder, and prove that it can be read.

    Raises:
        StoreError: it cannot.
    """
    times_s = json.loads((folder / TIMES).read_text())
    shots = [Shot(t_s, (folder / f"{n}.jpg").read_bytes()) for n, t_s in enumerate(times_s)]
    fps, steps = _steps(times_s)
    _write(folder / CLIP, shots, steps, fps)
    written = _frames_in(folder / CLIP)
    if written != len(steps):
        raise StoreError(
            f"{written} of {len(steps)} pictures can be read back. Make room in {folder.parent}."
        )


def _steps(times_s: Sequence[float]) -> tuple[float, list[int]]:
    """Pictures a second, and which picture is shown at every step."""
    gaps = np.diff(np.asarray(times_s, np.float64))
    # Not the median: while nothing changes fewer pictures are held (`device.ring.STILL_GAP_S`).
    fps = float(min(MOST_FPS, 1.0 / np.quantile(gaps, BUSY_GAPS))) if gaps.size else 1.0
    count = round((times_s[-1] - times_s[0]) * fps) + 1
    shown_s = times_s[0] + (np.arange(count) + 0.5) / fps
    return fps, (np.searchsorted(times_s, shown_s, side="right") - 1).tolist()


def _write(path: Path, shots: Sequence[Shot], steps: Sequence[int], fps: float) -> None:
    height, width = (side - side % 2 for side in _decoded(shots[0]).shape[:2])
    writer = cv2.VideoWriter(
        str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*CODEC), fps, (width, height)
    )
    try:
        if not writer.isOpened():
            raise StoreError("A clip cannot be written: OpenCV has no VP8, or the disk is full.")
        newest, picture = -1, None
        for step in steps:
            if step != newest or picture is None:
                newest, picture = step, _fitted(_decoded(shots[step]), width, height)
            writer.write(picture)
    finally:
        writer.release()


def _decoded(shot: Shot) -> Picture:
    picture = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise StoreError(f"The picture of {shot.t_s:.2f} s is no JPEG any more.")
    return np.asarray(picture, np.uint8)


def _fitted(picture: Picture, width: int, height: int) -> Picture:
    """VP8 wants even sides; a mat that was measured anew may differ by a pixel."""
    if picture.shape[0] < height or picture.shape[1] < width:
        return np.asarray(cv2.resize(picture, (width, height)), np.uint8)
    return np.ascontiguousarray(picture[:height, :width])


def _frames_in(path: Path) -> int:
    """How many pictures of a clip can be read."""
    reader = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        count = 0
        while reader.grab():
            count += 1
        return count
    finally:
        reader.release()


if __name__ == "__main__":
    os.nice(NICENESS)
    try:
        encode(Path(sys.argv[1]))
    except (StoreError, OSError, cv2.error) as error:
        sys.exit(str(error))
