"""The life of a table around its set-up: one camera, one page, one appliance after the other."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from device_table import opening, paint, stand_in

from device.cli import main
from device.errors import SettingsError, SourceError, StoreError
from device.frames import Closing, Frame
from device.game import Game
from device.settings import Settings
from device.setup_life import Life, built, make_setup
from device.setup_stage import Stage
from device.setup_table import TableSetup
from web_ui.errors import ActionRefused
from web_ui.settings_port import BadValues, table_settings
from web_ui.setup_ports import RuleFacts

PATIENCE_S = 30.0


def as_started(folder: Path) -> dict[str, str]:
    """What the command line gives."""
    return {"store.path": str(folder / "log.sqlite3"), "table.source": "camera:0"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(as_started(tmp_path))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


class Clip(Closing):
    """A painted clip as a live camera: at rest it shows the bare table."""

    frame_count: int | None = None
    live = True

    def __init__(self) -> None:
        self.playing, self.ends, self.opened = threading.Event(), False, 0
        self._index = 0

    def open(self, spec: str) -> "Clip":
        self.opened += 1
        return self

    def reopen(self) -> None: ...

    def __iter__(self) -> Iterator[Frame]:
        while not self.ends:
            pictures = opening().pictures if self.playing.is_set() else [([], False)]
            self.playing.clear()
            for dice, cup in pictures:
                self._index += 1
                picture = paint(dice, cup=cup)
                picture[0, 0] = self._index % 256, self._index // 256 % 256, 0
                yield Frame(picture, self._index / 10, self._index)
            time.sleep(0.01)


@pytest.fixture
def life(
    settings: Settings, path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[tuple[Life, Clip]]:
    """A table with painted dice; it plays in a thread."""
    stand_in(monkeypatch)
    stills = {"store.evidence_dir": str(tmp_path / "stills")}
    own = settings.with_values(stills)
    setup = make_setup(own, path, {**as_started(tmp_path), **stills}, wanted=True, fresh=False)
    clip = Clip()
    monkeypatch.setattr("device.setup_life.open_source", lambda spec, asked: clip.open(spec))
    appliance = built(own, setup)
    table = Life(setup, appliance, Stage(appliance.app))

    def until_the_clip_ends() -> None:
        with suppress(SourceError):  # before the mat was found
            table.go_on()

    thread = threading.Thread(target=until_the_clip_ends, daemon=True)
    thread.start()
    yield table, clip
    clip.ends = True
    setup.renewed.set()
    if setup.is_on:
        threading.Thread(target=setup.finish, args=("test",), daemon=True).start()
    thread.join(PATIENCE_S)
    table.close()
    assert not thread.is_alive()


def wait(condition: Callable[[], bool]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until_s, "it takes too long"
        time.sleep(0.01)


def kinds(table: Life) -> list[str]:
    return [entry.type for entry in table.appliance.log.read(0, 10_000)]


class TestLife:
    def test_test_throws_are_read_by_the_real_watcher_and_count_nowhere(
        self, life: tuple[Life, Clip]
    ):
        table, clip = life
        setup = table.setup
        wait(lambda: setup.camera().size_px is not None)
        setup.watch_throws(on=True)
        wait(lambda: setup.look("throw") is not None)
        clip.playing.set()
        wait(lambda: len(setup.throw().throws) == 3)
        throws = setup.throw().throws
        assert [one.dice for one in throws] == [(6, 5, 2), (6, 5, 1), (3, 2, 2)]
        assert all(one.sure for one in throws)
        assert setup.look("throw-1") != setup.look("throw-3")
        setup.judge_throw(2, "wrong")
        assert [one.verdict for one in setup.throw().throws] == ["", "wrong", ""]
        with pytest.raises(ActionRefused):
            setup.judge_throw(9, "right")
        said = kinds(table)
        assert said.count("setup.test_throw") == 3
        assert said.count("setup.test_throw_judged") == 1
        assert "thrown" not in said
        assert not any(kind.startswith("table.") for kind in said)

    def test_afterwards_the_same_camera_plays_by_the_new_settings(self, life: tuple[Life, Clip]):
        table, clip = life
        setup, stage = table.setup, table.stage
        assert "setup" in table.appliance.faults, "the dashboard says that nothing is read"
        before = table.appliance
        wait(lambda: setup.camera().size_px is not None)
        setup.save_mat()
        setup.save_seats("shared", ["Dora", "Emil", "Fee"])
        setup.save_rules(RuleFacts("turnier", "", "en", "Tisch 1"))
        setup.finish("Wirt")
        assert table.appliance is not before
        assert stage.app is table.appliance.app
        assert table.appliance.game.match.players == ("Dora", "Emil", "Fee")
        assert table.appliance.app.config["TABLE_NAME"] == "Tisch 1"
        assert "setup" not in table.appliance.faults
        clip.playing.set()
        wait(lambda: kinds(table).count("thrown") == 3)
        assert clip.opened == 1, "the camera is opened once"

    def test_a_game_under_way_goes_on_after_it(self, life: tuple[Life, Clip]):
        table, clip = life
        setup = table.setup
        setup.finish("Wirt")
        clip.playing.set()
        wait(lambda: kinds(table).count("thrown") == 3)
        setup.begin("Wirt")
        wait(lambda: setup.camera().size_px is not None)
        setup.save_seats("shared", ["Dora", "Emil"])
        setup.finish("Wirt")
        assert table.appliance.game.match.players == ("A", "B", "C")
        assert kinds(table).count("thrown") == 3

    @pytest.mark.parametrize("error", [SettingsError, PermissionError])
    def test_a_table_that_cannot_start_goes_back_to_the_set_up(
        self, life: tuple[Life, Clip], error: type[Exception]
    ):
        table, _ = life
        setup = table.setup
        table._build = _refusing(table._build, error)
        setup.finish("Wirt")
        assert setup.state().is_on
        assert "no such thing" in setup.state().problem
        assert table.stage.app is table.appliance.app, "the page is still there"
        wait(lambda: setup.camera().size_px is not None)

    def test_a_log_that_takes_nothing_now_keeps_nobody_in_the_set_up(
        self, life: tuple[Life, Clip], monkeypatch: pytest.MonkeyPatch
    ):
        table, _ = life
        game, setup = table.appliance.game, table.setup
        full = True

        def note(kind: str, data: dict[str, Any]) -> None:
            if full:
                raise StoreError("The disk is full.")
            Game.note(game, kind, data)

        monkeypatch.setattr(game, "note", note)
        setup.mark("pin", "done", "Wirt")
        full = False
        setup.finish("Wirt")
        assert not setup.is_on
        assert [kind for kind in kinds(table) if kind.startswith("setup.")] == [
            "setup.step", "setup.finished",
        ]  # fmt: skip

    def test_nothing_that_waits_for_the_log_is_lost_by_its_page(
        self, life: tuple[Life, Clip], monkeypatch: pytest.MonkeyPatch
    ):
        table, _ = life
        table.setup.finish("Wirt")
        game, full = table.appliance.game, True

        def note(kind: str, data: dict[str, Any]) -> None:
            if full:
                raise StoreError("The disk is full.")
            Game.note(game, kind, data)

        monkeypatch.setattr(game, "note", note)
        table.appliance.note("evidence.missing", {})
        table.appliance.restarting.can = True
        with table.appliance.app.app_context():
            desk = table_settings()
        assert desk is not None
        with pytest.raises(BadValues, match="would be lost"):
            desk.restart(by="Wirt")
        with pytest.raises(ActionRefused, match="would be lost"):
            table.setup.begin("Wirt")
        assert not table.setup.is_on
        assert not table.appliance.restarting.wanted
        full = False
        wait(lambda: "evidence.missing" in kinds(table))

    def test_between_two_appliances_the_page_says_that_it_starts(self):
        stage, said = Stage(None), []
        body = b"".join(stage({}, lambda status, headers: said.append((status, dict(headers)))))
        assert said[0][0].startswith("503")
        assert b'http-equiv="refresh"' in body
        assert said[0][1]["Content-Length"] == str(len(body))


def _refusing(build: Any, error: type[Exception]) -> Any:
    """Cannot put anything together the next time."""
    tries = []

    def refused(settings: Settings, setup: TableSetup) -> Any:
        tries.append(settings)
        if len(tries) == 1:
            raise error("There is no such thing.")
        return build(settings, setup)

    return refused


def test_run_takes_up_the_settings_beside_the_log(
    tmp_path: Path, short_clip: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.toml").write_text('[game]\nplayers = ["Dora", "Emil", "Fee"]\n')
    assert main(["run", "--source", str(short_clip), "--once", "--port", "0"]) == 0
    assert "Dora" in capsys.readouterr().out
