"""What systemd is told: a real socket, and real processes that live, hang and end."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from device_process import Process
from health_fakes import Time

from device.frames import Frame, Missing
from device.health.systemd import MOST_STATUS, Notifier, Watchdog
from device.health.vitals import Vitals

PATIENCE_S = 60.0


class Systemd:
    """The socket, and everything that came in."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.settimeout(PATIENCE_S)

    def hears(self) -> dict[str, str]:
        """The next message, by its keys."""
        words = self._socket.recv(4096).decode()
        return dict(line.split("=", 1) for line in words.splitlines())

    def hears_until(self, wanted: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s:
            if wanted(told := self.hears()):
                return told
        raise AssertionError("systemd was not told")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    heard = Systemd(str(tmp_path / "notify"))
    yield heard
    heard.close()


def notifier(tmp_path: Path, watchdog_s: float | None = None) -> Notifier:
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
    if watchdog_s is not None:
        environment["WATCHDOG_USEC"] = str(round(watchdog_s * 1e6))
    return Notifier(environment)


class Page(BaseHTTPRequestHandler):
    """Answers as the test says."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(type(self).status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    monkeypatch.setattr(Page, "status", 200)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def url_of(page: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{page.server_port}/"


def test_without_systemd_nothing_is_said_and_nothing_runs() -> None:
    silent = Notifier({})
    assert not silent.is_heard
    silent.ready("x")
    before = threading.active_count()
    with Watchdog(silent, Vitals(), "http://127.0.0.1:1/", lambda: ""):
        assert threading.active_count() == before


def test_the_words_are_systemd_s(systemd: Systemd, tmp_path: Path) -> None:
    tell = notifier(tmp_path)
    tell.ready("all is\nwell")
    assert systemd.hears() == {"READY": "1", "STATUS": "all is well"}
    tell.alive("x" * 999)
    assert systemd.hears() == {"WATCHDOG": "1", "STATUS": "x" * MOST_STATUS}
    tell.stopping()
    assert systemd.hears() == {"STOPPING": "1"}


def test_an_abstract_socket_is_one_too() -> None:
    name = f"schockauge-test-{os.getpid()}"
    heard = Systemd(f"\0{name}")
    Notifier({"NOTIFY_SOCKET": f"@{name}"}).status("here")
    assert heard.hears() == {"STATUS": "here"}
    heard.close()


def test_a_socket_that_has_gone_costs_nothing(tmp_path: Path) -> None:
    notifier(tmp_path).ready("nobody hears")


def test_a_watchdog_of_another_process_is_none_of_ours(tmp_path: Path) -> None:
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}
    assert Notifier(told).watchdog_s == 30.0
    assert Notifier({**told, "WATCHDOG_PID": str(os.getpid())}).watchdog_s == 30.0
    assert Notifier({**told, "WATCHDOG_PID": "1"}).watchdog_s is None
    assert Notifier({**told, "WATCHDOG_USEC": "soon"}).watchdog_s is None


def test_systemd_of_this_machine_understands_us(systemd: Systemd, tmp_path: Path) -> None:
    """The same words come from systemd's own program."""
    path = str(tmp_path / "notify")
    try:
        subprocess.run(
            ["systemd-notify", "--no-block", "--ready", "--status=all is well"],
            env={**os.environ, "NOTIFY_SOCKET": path},
            check=True,
            capture_output=True,
            timeout=PATIENCE_S,
        )
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"systemd-notify cannot be asked: {error}")
    theirs = systemd.hears_until(lambda told: "READY" in told)
    notifier(tmp_path).ready("all is well")
    ours = systemd.hears()
    assert {key: theirs[key] for key in ours} == ours


def test_a_page_that_says_503_answers_and_one_that_is_gone_does_not(
    page: ThreadingHTTPServer, tmp_path: Path
) -> None:
    dog = Watchdog(notifier(tmp_path, 1.0), Vitals(), url_of(page), lambda: "")
    assert dog.why_dead() == ""
    Page.status = 503
    assert dog.why_dead() == ""
    deaf = socket.create_server(("127.0.0.1", 0))  # takes the call and says nothing
    port = deaf.getsockname()[1]
    dead = Watchdog(notifier(tmp_path, 0.6), Vitals(), f"http://127.0.0.1:{port}/", lambda: "")
    assert "the page does not answer" in dead.why_dead()
    deaf.close()
    assert "the page does not answer" in dead.why_dead()


def test_a_lost_camera_does_not_stop_the_pings_and_a_hanging_watch_does(
    page: ThreadingHTTPServer, tmp_path: Path
) -> None:
    now = Time()
    vitals = Vitals(now)
    dog = Watchdog(notifier(tmp_path, 30.0), vitals, url_of(page), lambda: "")
    now.pass_s(999.0)
    assert dog.why_dead() == "", "nothing is watched yet"

    def lost() -> Iterator[Frame | Missing]:
        while True:
            now.pass_s(18.0)
            yield Missing(0.0, "no camera")

    frames = vitals.frames(lost(), live=True)
    for _ in range(5):
        next(frames)
        assert dog.why_dead() == ""
    now.pass_s(31.0)
    assert "the watch has hung for 31 s" in dog.why_dead()
    next(frames)
    assert dog.why_dead() == ""


HANGING = """
import sys, time
from device.frames import Frame, Missing
from device.health.systemd import Notifier, Watchdog
from device.health.vitals import Vitals

def camera():
    for _ in range(30):
        time.sleep(0.05)
        yield Missing(0.0, "no camera")
    print("hangs", flush=True)
    time.sleep(600)

vitals = Vitals()
with Watchdog(Notifier(), vitals, sys.argv[1], lambda: "all is well", hung_s=0.5):
    for _ in vitals.frames(camera(), live=True):
        pass
"""


def test_a_process_whose_watch_hangs_falls_silent(
    systemd: Systemd, page: ThreadingHTTPServer, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HANGING, url_of(page)],
        env={
            **os.environ,
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "600000",
            "PYTHONPATH": str(Path(__file__).parent.parent),
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert systemd.hears()["READY"] == "1"
        assert systemd.hears()["WATCHDOG"] == "1", "a lost camera is no reason to start anew"
        assert process.stdout is not None
        assert process.stdout.readline() == "hangs\n"
        systemd.hears_until(lambda told: told.get("STATUS", "").startswith("hangs: the watch"))
        for _ in range(5):  # five rounds later it still says so, and no word of life
            assert "WATCHDOG" not in systemd.hears()
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.slow
def test_the_appliance_tells_its_beginning_its_life_and_its_end(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`schockauge run` without a camera: it is ready, lives, and says goodbye."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    process = Process(tmp_path, "run", "--source", "camera:99")
    process.start()
    try:
        ready = systemd.hears()
        assert ready["READY"] == "1"
        alive = systemd.hears_until(lambda told: "WATCHDOG" in told and "Camera" in told["STATUS"])
        assert alive["STATUS"].startswith("to mend: Camera: The camera sends no pictures")
        systemd.hears_until(lambda told: "WATCHDOG" in told)
    finally:
        process.end(signal.SIGTERM)
    assert systemd.hears_until(lambda told: "STOPPING" in told) == {"STOPPING": "1"}
