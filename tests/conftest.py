"""What several test modules share: the project's folder, the material beside it, tiny clips."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import hypothesis
import numpy as np
import pytest
from device_table import opening, small_game
from jinja2 import FileSystemBytecodeCache

from device.cli import main

if TYPE_CHECKING:
    from hub_mosquitto import Hall, PlainMosquitto, Proxy
    from hub_postgres import Postgres
    from shipped_demo import ShippedDemo

# How long an example takes says more about the machine's other work than about the code.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

MakeClip = Callable[..., Path]
Run = Callable[..., tuple[int, str, str]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Modules with slow tests first, so that no core waits for another at the end.

    Of tests of one name only one would be run when they are spread over several processes.
    """
    double = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if double:
        raise pytest.UsageError(f"tests of the same name: {', '.join(double)}")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session", autouse=True)
def kept_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Apps compile every template once in all, not once each: it takes most of a test."""
    kept = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flask.Flask.jinja_options", {"bytecode_cache": kept})
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The material beside the checkout; a user's checkout has none."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared material is not there: {SHARED}")
    return SHARED


@pytest.fixture
def small_as_an_appliance(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that ask an appliance how it is: theirs is a process in which thousands ran."""
    monkeypatch.setattr("device.health.machine.memory_mb", lambda root: 300.0)


@pytest.fixture
def make_clip(tmp_path: Path) -> MakeClip:
    """Write a tiny clip of grey frames that get brighter, 10 a second."""

    def make(name: str = "clip.avi", *, frames: int = 12, codec: str = "MJPG") -> Path:
        path = tmp_path / name
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 10.0, (64, 48))
        assert writer.isOpened(), f"OpenCV cannot write {codec}"
        for n in range(frames):
            writer.write(np.full((48, 64, 3), min(255, 10 * n), np.uint8))
        writer.release()
        return path

    return make


@pytest.fixture
def colours_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the stand-in readers, who know dice by nothing but their colour."""
    monkeypatch.setattr("vision.crops.evened", lambda crops: crops)
    monkeypatch.setattr("vision.eye.evened_picture", lambda picture: picture)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: status, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A painted game: the opening and one round."""
    return small_game().write(tmp_path_factory.mktemp("clip") / "small.avi")


@pytest.fixture(scope="session")
def short_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The opening alone."""
    return opening().write(tmp_path_factory.mktemp("clip") / "opening.avi")


@pytest.fixture
def model(tmp_path: Path) -> Callable[[bytes], Path]:
    """Write a model's bytes to a file."""

    def write(content: bytes) -> Path:
        path = tmp_path / "model.onnx"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One headless Chromium for all tests that need a browser."""
    from web_ui_page import start_chromium

    browser = start_chromium(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def shipped_demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> "ShippedDemo":
    """The shipped demo, played once; it takes a minute."""
    from shipped_demo import play

    folder = tmp_path_factory.mktemp("demo")
    return play(folder, lambda: request.getfixturevalue("chromium"))


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    """Serve the pages of a table until the test is over; phones have an address to join by."""
    from web_ui_page import Server

    servers: list[Server] = []

    def begin(table: Any, **settings: Any) -> Server:
        servers.append(Server(table, PUBLIC_URL="http://192.168.1.20:8080/", **settings))
        return servers[-1]

    yield begin
    for server in servers:
        server.stop()


@pytest.fixture
def hub() -> Iterator[Callable[..., Any]]:
    """Serve the pages of a tournament until the test is over."""
    from hall_scenes import HubServer

    servers: list[Any] = []

    def begin(hall: Any, **settings: Any) -> Any:
        servers.append(HubServer(hall, PUBLIC_URL="http://192.168.1.20:8080/", **settings))
        return servers[-1]

    yield begin
    for server in servers:
        server.stop()


@pytest.fixture
def hub_sqlite(tmp_path: Path) -> str:
    """The address of a hub's database in a file that is not there yet."""
    return f"sqlite:///{tmp_path / 'hub.sqlite3'}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator["Postgres"]:
    """One PostgreSQL for all tests that need one."""
    from hub_postgres import Postgres

    server = Postgres()
    yield server
    server.close()


@pytest.fixture
def postgres(postgres_server: "Postgres") -> "Postgres":
    """It runs, whatever the test before has done to it."""
    postgres_server.start()
    postgres_server.clear()
    return postgres_server


@pytest.fixture
def hub_postgresql(postgres: "Postgres") -> str:
    """The address of a database on PostgreSQL with nothing in it."""
    return postgres.fresh()


@pytest.fixture(params=["hub_sqlite", "hub_postgresql"])
def hub_url(request: pytest.FixtureRequest) -> str:
    """The address of a hub's empty database, on both."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def plain_broker(tmp_path: Path) -> Iterator["PlainMosquitto"]:
    """A broker that lets everybody do everything; it can be killed and started again."""
    from hub_mosquitto import PlainMosquitto

    broker = PlainMosquitto(tmp_path)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator["Hall"]:
    """The hub's broker with certificates, passwords and rights; killed, it comes back."""
    from hub_mosquitto import Hall

    opened = Hall(tmp_path / "hub")
    with opened.broker:
        yield opened


@pytest.fixture
def road() -> Iterator[Callable[[int], "Proxy"]]:
    """Make a road to a port: it can be cut, held or made slow."""
    from hub_mosquitto import Proxy

    made: list[Proxy] = []

    def make(port: int) -> Proxy:
        made.append(Proxy(port))
        return made[-1]

    yield make
    for proxy in made:
        proxy.close()
