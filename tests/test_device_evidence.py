"""Stills and clips leave the log its room on the disk, and come to lie there."""

import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from device import evidence
from device.errors import StoreError
from device.evidence import Evidence

BLOCK = 4096
PICTURE = np.zeros((8, 8, 3), np.uint8)


@pytest.mark.parametrize(("disk_mb", "left_mb"), [(16_000, 51), (16_000, 49), (100, 2), (100, 0.9)])
def test_pictures_never_take_the_room_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk_mb: float, left_mb: float
) -> None:
    kept = Evidence(tmp_path)
    blocks, free = (int(size * 1e6 / BLOCK) for size in (disk_mb, left_mb))
    disk = SimpleNamespace(f_blocks=blocks, f_bavail=free, f_frsize=BLOCK)
    monkeypatch.setattr(evidence.os, "statvfs", lambda path: disk)
    if left_mb > min(50, disk_mb / 100):
        assert kept.keep(PICTURE, t_s=1.0)["still"] in [path.name for path in tmp_path.iterdir()]
        return
    with pytest.raises(StoreError, match="the rest of the disk is kept for the log"):
        kept.keep(PICTURE, t_s=1.0)
    with pytest.raises(StoreError, match="the rest of the disk is kept for the log"):
        kept.keep_clip(b"clip", t_s=1.0)
    assert not list(tmp_path.iterdir())


def test_a_still_is_flushed_without_the_watch_waiting_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, goes_on, flushed = Evidence(tmp_path), threading.Event(), threading.Event()
    names: list[str] = []

    def slow(handle: int) -> None:
        assert goes_on.wait(20.0)
        names.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        flushed.set()

    monkeypatch.setattr(evidence.os, "fsync", slow)
    still = kept.keep(PICTURE, t_s=1.0)["still"]
    assert not names, "it has come back before the disk has"
    goes_on.set()
    assert flushed.wait(20.0)
    assert names == [still]
