"""A camera in the network: a real RTSP server, a real password, a server that goes away."""

import logging
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from shipped_demo import free_port

from device import camera
from device.camera_settings import CameraSettings
from device.errors import SourceError
from device.health.checks import HUNG_S
from device.reopening import LONGEST_WAIT_S
from device.settings import BY_NAME
from device.sources import NetworkCamera, is_live, open_source

SYSTEM_PYTHON = "/usr/bin/python3"
USER, PASSWORD = "kneipe", "geheim%21wort"
START_S = 20.0
ASKED = CameraSettings(network_s=4.0)


class Server:
    """The server as a process; it can be killed and started again."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        script = Path(__file__).parent / "rtsp_server.py"
        words = [SYSTEM_PYTHON, str(script), str(self.port), USER, "geheim!wort"]
        self._process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line: list[str] = []
        reading = threading.Thread(target=lambda: line.append(self._process.stdout.readline()))  # type: ignore[union-attr]
        reading.start()
        reading.join(START_S)
        if "ready" in "".join(line):
            return
        problem = self.kill()
        if os.environ.get("CI"):
            pytest.fail(f"no RTSP server: {problem}")
        pytest.skip(f"no RTSP server here (gir1.2-gst-rtsp-server-1.0): {problem[-200:]}")

    def kill(self) -> str:
        """End it at once; returns what it wrote."""
        if self._process is None:
            return ""
        self._process.kill()
        _, problem = self._process.communicate()
        self._process = None
        return problem

    def url(self, password: str = PASSWORD) -> str:
        return f"RTSP://{USER}:{password}@127.0.0.1:{self.port}/mat"


@pytest.fixture
def server() -> Iterator[Server]:
    here = Server(free_port())
    here.start()
    yield here
    here.kill()


def test_pictures_arrive_with_growing_times(server: Server) -> None:
    with open_source(server.url(), ASKED) as source:
        assert isinstance(source, NetworkCamera)
        frames = [frame for frame, _ in zip(source, range(8), strict=False)]
    assert frames[0].image_bgr.shape == (240, 320, 3)
    assert np.diff([frame.taken_at_s for frame in frames]).min() > 0
    assert all(frame.is_coded for frame in frames)
    assert not np.array_equal(frames[0].image_bgr, frames[-1].image_bgr), "the ball moves"


def test_a_clip_is_opened_afterwards_as_before(server: Server, make_clip) -> None:
    with NetworkCamera(server.url(), ASKED) as source:
        next(iter(source))
    assert "OPENCV_FFMPEG_CAPTURE_OPTIONS" not in os.environ
    with open_source(str(make_clip("a.mp4", codec="mp4v"))) as clip:
        assert len(list(clip)) == 12


def test_a_server_that_goes_away_is_told_and_connected_anew(server: Server) -> None:
    with NetworkCamera(server.url(), ASKED) as source:
        before = next(iter(source))
        server.kill()
        with pytest.raises(SourceError, match=r"sends no pictures any more.*network") as gone:
            list(source)
        with pytest.raises(SourceError, match="cannot be connected") as away:
            source.reopen()
        server.start()
        source.reopen()
        after = next(iter(source))
    assert after.taken_at_s > before.taken_at_s
    assert after.index > before.index
    for problem in (gone, away):
        assert "127.0.0.1" in str(problem.value)
        assert "geheim" not in str(problem.value)


def test_a_server_that_says_nothing_keeps_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"rtsp://{USER}:{PASSWORD}@127.0.0.1:{silent.getsockname()[1]}/mat"
        with caplog.at_level(logging.DEBUG), pytest.raises(SourceError) as problem:
            NetworkCamera(url, CameraSettings(network_s=1.0))
    told = f"{problem.value!r} {caplog.text} {[t.name for t in threading.enumerate()]}"
    assert "geheim" not in told
    assert USER not in told
    for thread in camera._hanging:
        thread.join(20)
    camera._hanging.clear()


def test_whoever_is_asked_to_be_patient_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "OPEN_TIMEOUT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"rtsp://127.0.0.1:{silent.getsockname()[1]}/mat"
        with pytest.raises(SourceError, match="cannot be connected"):
            NetworkCamera(url, CameraSettings(network_s=1.5))
    assert not camera._hanging, "its driver gave up by itself, as it was told to"


def test_no_patience_makes_a_lost_camera_a_watch_that_hangs() -> None:
    longest_s = BY_NAME["camera.network_s"].most
    assert longest_s is not None
    open_s = max(camera.OPEN_TIMEOUT_S, 2 * longest_s)  # see `Model.patience_s`
    lost_s = LONGEST_WAIT_S + open_s + camera.CLOSE_TIMEOUT_S
    assert lost_s < HUNG_S, "systemd would end a table that waits for its camera"


def test_a_wrong_password_is_no_camera(server: Server) -> None:
    with pytest.raises(SourceError, match="Check its address, user and password") as problem:
        NetworkCamera(server.url("falsch"), ASKED)
    assert "falsch" not in str(problem.value)


def test_it_is_live() -> None:
    assert is_live("rtsp://10.0.0.7/mat")
    assert is_live("RTSP://10.0.0.7/mat")
    assert not is_live("simulated:7")
