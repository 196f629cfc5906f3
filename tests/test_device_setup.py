"""The set-up without pages: its seams to camera, settings file, log, and the life around it."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from device_table import paint

from device.calibrations import load_calibration
from device.frames import Frame, Missing
from device.settings import Settings
from device.settings_file import SettingsFile
from device.setup_life import make_setup
from device.setup_mat import seen_now
from device.setup_table import TableSetup
from web_ui.errors import ActionRefused
from web_ui.setup_ports import RuleFacts


def bare(marks: int = 4) -> Any:
    """The painted table; of its markers so many are printed."""
    picture = paint((), cup=False)
    for x, y in ((40, 40), (820, 40), (820, 610), (40, 610))[marks:]:
        picture[y : y + 60, x : x + 60] = 225
    return picture


class Frames:
    """A camera that shows what it is given, without end."""

    def __init__(self, picture: Any) -> None:
        self.picture, self.index = picture, 0

    def __iter__(self) -> Iterator[Frame | Missing]:
        while True:
            self.index += 1
            noise = np.random.default_rng(self.index).integers(0, 2, self.picture.shape, np.uint8)
            yield Frame(np.bitwise_xor(self.picture, noise), self.index / 15, self.index)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings({"store.path": str(tmp_path / "log.sqlite3"), "table.source": "camera:0"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


@pytest.fixture
def setup(settings: Settings, path: Path) -> TableSetup:
    return make_setup(settings, path, {}, wanted=True, fresh=False)


def feed(setup: TableSetup, picture: Any, *, count: int = 12) -> None:
    """Let it take in some pictures."""
    frames = iter(Frames(picture))
    for _ in range(count):
        setup._seen.receive(next(frames))


def no_wait(seconds: float) -> None: ...


class TestSettings:
    def test_every_step_writes_at_once_and_keeps_comments(
        self, setup: TableSetup, path: Path, tmp_path: Path
    ):
        path.write_text("# My table\n[web]\nport = 8081  # as the router wants it\n")
        feed(setup, bare())
        setup.save_mat()
        setup.save_seats("shared", ["Anna", "Ben"])
        setup.save_rules(RuleFacts("jule", "", "en", "Tisch 1"))
        text = path.read_text()
        assert "# My table" in text
        assert "# as the router wants it" in text
        stored = SettingsFile(path).load()
        assert stored["game.players"] == ["Anna", "Ben"]
        assert (stored["game.book"], stored["web.language"]) == ("jule", "en")
        assert stored["table.mat_file"] == str(tmp_path / "mat.toml")
        assert setup.rules() == RuleFacts("jule", "", "en", "Tisch 1")

    def test_what_the_set_up_chooses_counts_more_than_an_option(
        self, settings: Settings, path: Path
    ):
        options = {"table.source": "camera:0", "web.port": 0}
        setup = make_setup(settings, path, options, wanted=True, fresh=False)
        setup._devices = lambda: ["camera:4"]
        setup.choose_camera("camera:4", 102.0)
        assert setup.settings["table.source"] == "camera:4"
        assert setup.settings["web.port"] == 0, "still as the command line says"
        with pytest.raises(ActionRefused, match="no camera rtsp"):
            setup.choose_camera("rtsp://elsewhere", 66.0)

    def test_the_page_never_gets_a_cameras_password(
        self, settings: Settings, path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        spec = "rtsp://kneipe:geheim@10.0.0.7/mat?key=geheim"
        own = settings.with_values({"table.source": spec})
        setup = make_setup(own, path, {}, wanted=True, fresh=False)
        setup._devices = lambda: ["camera:4"]
        facts = setup.camera()
        assert facts.source == "rtsp://10.0.0.7/mat"
        assert facts.devices == ("rtsp://10.0.0.7/mat", "camera:4")
        setup.choose_camera("rtsp://10.0.0.7/mat", 102.0)
        assert setup.settings["table.source"] == spec, "chosen again it is still the whole address"

    def test_a_look_is_asked_of_the_camera_that_is_open(self, setup: TableSetup):
        with pytest.raises(ActionRefused, match="Only a Raspberry Pi camera"):
            setup.look_again()
        asked: list[bool] = []
        setup.table.look_again = lambda: asked.append(True) or True  # type: ignore[func-returns-value]
        setup.look_again()
        assert asked == [True]

    def test_a_file_that_somebody_edits_meanwhile_is_not_overwritten(
        self, setup: TableSetup, path: Path
    ):
        path.write_text("this is [ no TOML")
        with pytest.raises(ActionRefused, match="no TOML"):
            setup.save_rules(RuleFacts("jule", "", "de", ""))
        assert path.read_text() == "this is [ no TOML"

    def test_a_pubs_own_book_stays_the_file_it_is(
        self, settings: Settings, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("device.setup_settings.book_named", lambda name: _Book("house"))
        own = settings.with_values({"game.book": str(tmp_path / "house.toml")})
        setup = make_setup(own, path, {"game.book": own["game.book"]}, wanted=True, fresh=False)
        setup.save_rules(RuleFacts("house", "", "de", ""))
        assert setup.settings["game.book"] == str(tmp_path / "house.toml")

    def test_no_room_for_so_many(self, setup: TableSetup):
        setup.size_mat(300.0, 200.0)
        with pytest.raises(ActionRefused, match="no seats for all"):
            setup.save_seats("seats", [f"P{n}" for n in range(8)])
        assert setup.seats().layout == "shared"

    def test_seats_and_back(self, setup: TableSetup):
        setup.size_mat(600.0, 450.0)
        setup.save_seats("seats", ["Anna", "Ben", "Cem"])
        assert setup.settings["table.seats"] == ["Anna", "Ben", "Cem"]
        setup.save_seats("shared", ["Anna", "Ben"])
        assert setup.settings["table.seats"] == []
        assert setup.seats().names == ("Anna", "Ben")


class _Book:
    def __init__(self, key: str) -> None:
        self.key = key


class TestMat:
    def test_by_its_markers(self, setup: TableSetup, tmp_path: Path):
        assert setup.mat().seen == ()
        feed(setup, bare())
        facts = setup.mat()
        assert facts.seen == (0, 1, 2, 3)
        assert facts.numbers[0].name == "die_px"
        assert facts.numbers[0].verdict in ("good", "usable"), "32 px, to the tenth of one"
        assert not facts.is_saved
        assert not facts.upside_down
        setup.save_mat()
        assert setup.mat().is_saved
        assert not load_calibration(tmp_path / "mat.toml").by_hand

    def test_upside_down(self, setup: TableSetup):
        feed(setup, np.ascontiguousarray(bare()[::-1, ::-1]))
        assert setup.mat().upside_down

    def test_by_four_corners(self, setup: TableSetup, tmp_path: Path):
        feed(setup, bare(2))
        assert setup.mat().seen == (0, 1)
        with pytest.raises(ActionRefused, match="cannot be found"):
            setup.save_mat()
        scale = 640 / bare().shape[1]
        corners = np.array([[40, 40], [880, 40], [880, 670], [40, 670]]) * scale
        for x, y in corners:
            setup.tap([(float(x), float(y))])
        assert setup.mat().numbers
        setup.save_mat()
        mat = load_calibration(tmp_path / "mat.toml")
        assert mat.by_hand
        assert mat.corners_px() == pytest.approx(corners / scale, abs=0.5)
        setup.tap([(5.0, 5.0)])
        assert setup.mat().taps == ((5.0, 5.0),), "a fifth begins anew"
        setup.tap(())
        assert setup.mat().taps == ()

    def test_corners_that_cannot_be(self, setup: TableSetup):
        feed(setup, bare(0))
        setup.tap([(1.0, 1.0), (1.0, 1.0), (5.0, 5.0), (9.0, 1.0)])
        assert setup.mat().problem
        with pytest.raises(ActionRefused, match="clockwise"):
            setup.save_mat()

    def test_another_size_forgets_what_was_stored(self, setup: TableSetup):
        feed(setup, bare())
        setup.save_mat()
        setup.size_mat(600.0, 450.0)
        assert not setup.mat().is_saved
        setup.size_mat(2000.0, 2000.0)
        with pytest.raises(ActionRefused, match="cannot be printed"):
            setup.mat_pdf()
        setup.size_mat(420.0, 315.0)
        assert setup.mat_pdf().startswith(b"%PDF")

    def test_a_hand_on_a_marker_hides_no_stored_mat(self, setup: TableSetup):
        feed(setup, bare())
        setup.save_mat()
        assert seen_now(setup.settings, bare(3)).mat_size_mm == (420.0, 315.0)


class TestLooks:
    def size(self, picture: bytes | None) -> tuple[int, int]:
        assert picture is not None
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        return (image.shape[1], image.shape[0])

    def test_all_views_are_as_wide_as_the_pages_say(self, setup: TableSetup):
        assert setup.look("camera") is None
        feed(setup, bare(2))
        assert setup.look("light-dark") is None, "nothing is good or bad before the mat is known"
        feed(setup, bare())
        setup.size_mat(600.0, 450.0)  # as the markers say where it is, that is all the same here
        setup.save_mat()
        setup.save_seats("seats", ["Änne", "Jörg"])
        feed(setup, (0.1 * bare()).astype(np.uint8))
        for view in ("camera", "mat", "seats", "throw", "light-dark"):
            assert self.size(setup.look(view))[0] == 640, view
        assert setup.look("light-nothing") is None
        assert setup.look("throw-1") is None
        assert setup.look("../../etc/passwd") is None

    def test_only_the_mat_is_shown_once_its_place_is_known(self, setup: TableSetup):
        red = bare()
        red[:, :6] = (0, 0, 255)  # somebody sits there, farther than 15 mm from the mat
        feed(setup, red)
        setup.save_mat()
        for view, there in (("camera", True), ("throw", False), ("seats", False)):
            data = setup.look(view)
            assert data is not None
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            assert image is not None
            seen = (image[:, :, 2] > 200) & (image[:, :, 1] < 90)
            assert bool(seen.any()) == there, view

    def test_nobody_sees_anything_once_it_is_off(self, setup: TableSetup):
        feed(setup, bare())
        assert setup.look("camera") is not None
        setup.renewed.set()
        threading.Timer(0.1, setup.renewed.set).start()
        setup.finish("Wirt")
        assert setup.look("camera") is None

    def test_a_view_is_made_at_most_thrice_a_second(
        self, setup: TableSetup, monkeypatch: pytest.MonkeyPatch
    ):
        now_s = [0.0]
        setup._looks._clock = lambda: now_s[0]
        feed(setup, bare())
        first = setup.look("camera")
        feed(setup, bare()[::-1].copy())
        assert setup.look("camera") is first
        now_s[0] = 0.31
        assert setup.look("camera") != first

    def test_a_lost_camera_is_told_and_comes_back(self, setup: TableSetup):
        assert setup.camera().problem is not None
        feed(setup, bare())
        assert setup.camera().size_px == (920, 710)
        setup._seen.receive(Missing(1.0, "The cable is out."))
        facts = setup.camera()
        assert facts.size_px is None
        assert facts.problem is not None
        assert "cable is out" in facts.problem["de"]
        feed(setup, bare())
        assert setup.camera().size_px == (920, 710)
