"""When a set-up begins by itself, and how far it has come after a restart."""

import json
from pathlib import Path
from typing import Any

import pytest

from device.settings import Settings
from device.setup_life import make_setup, settings_path
from device.setup_progress import FILE_NAME, ProgressFile
from web_ui.setup_ports import OPEN


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings({"store.path": str(tmp_path / "log.sqlite3"), "table.source": "camera:0"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


class TestProgress:
    def test_survives_a_restart(self, tmp_path: Path):
        file = ProgressFile(tmp_path / FILE_NAME)
        file.mark("mat", "done")
        file.change(is_on=True, taps=((1.5, 2.0),))
        again = ProgressFile(tmp_path / FILE_NAME).now
        assert again == file.now
        assert (again.steps["mat"], again.steps["light"], again.taps) == (
            "done",
            OPEN,
            ((1.5, 2.0),),
        )

    @pytest.mark.parametrize("content", ["", "[]", "{}", '{"is_on": 1, "steps": {}}', "\udcff"])
    def test_damage_takes_the_camera_from_no_game(self, tmp_path: Path, content: str):
        path = tmp_path / FILE_NAME
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        now = ProgressFile(path).now
        assert not now.is_on
        assert now.finished_at_s is not None, "nobody is led to the set-up of a table that plays"

    def test_steps_that_came_later_are_open(self, tmp_path: Path):
        path = tmp_path / FILE_NAME
        known = {"pin": "done", "of_another_version": "done"}
        said = {"is_on": True, "finished_at_s": None, "steps": known, "taps": []}
        path.write_text(json.dumps(said))
        now = ProgressFile(path).now
        assert now.steps["pin"] == "done"
        assert now.steps["light"] == OPEN
        assert "of_another_version" not in now.steps


class TestWhenItBegins:
    def begins(self, settings: Settings, path: Path, **more: Any) -> bool:
        options = {"wanted": False, "fresh": True, **more}
        said = options.pop("said", {})
        return make_setup(settings, path, said, **options).is_on

    def test_by_itself_in_a_fresh_folder(self, settings: Settings, path: Path):
        assert self.begins(settings, path)

    def test_not_where_there_is_a_log(self, settings: Settings, path: Path, tmp_path: Path):
        (tmp_path / "log.sqlite3").touch()
        assert not self.begins(settings, path)

    def test_not_once_somebody_has_left_it(self, settings: Settings, path: Path, tmp_path: Path):
        ProgressFile(tmp_path / FILE_NAME).change(is_on=False, finished_at_s=1.0)
        assert not self.begins(settings, path)
        assert self.begins(settings, path, wanted=True), "unless he asks for it"

    @pytest.mark.parametrize(
        "said",
        [{"game.players": ["Anna", "Ben"]}, {"table.mat_file": "m.toml"}, {"game.book": "jule"}],
    )
    def test_not_where_somebody_has_set_the_table_up_by_hand(
        self, settings: Settings, path: Path, said: dict[str, Any]
    ):
        assert not self.begins(settings.with_values(said), path)

    def test_not_for_a_source_named_on_the_command_line(self, settings: Settings, path: Path):
        assert not self.begins(settings, path, said={"table.source": "camera:0"})
        assert self.begins(settings, path, said={"table.source": None, "web.port": 80})

    def test_a_restart_in_the_middle_goes_on(self, settings: Settings, path: Path, tmp_path: Path):
        assert self.begins(settings, path)
        (tmp_path / "log.sqlite3").touch()
        assert self.begins(settings, path, fresh=False)

    def test_the_file_is_the_one_named_or_beside_the_log(self, settings: Settings, tmp_path: Path):
        assert settings_path(None, settings) == tmp_path / "table.toml"
        assert settings_path(Path("my.toml"), settings) == Path("my.toml")
