"""What somebody else changes while a table is being set up, and what may not go wrong by it."""

import time
from pathlib import Path

import pytest

from device.settings import Settings
from device.settings_file import SettingsFile
from device.setup_life import make_setup
from device.setup_running import Table
from device.setup_table import TableSetup
from web_ui.errors import ActionRefused
from web_ui.setup_ports import RuleFacts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


@pytest.fixture
def setup(tmp_path: Path, path: Path) -> TableSetup:
    settings = Settings({"store.path": str(tmp_path / "log.sqlite3"), "table.source": "camera:0"})
    made = make_setup(settings, path, {}, wanted=True, fresh=False)
    made._devices = list
    return made


def elsewhere(path: Path) -> None:
    """The landlord changes something at the page of the settings, which has the file to itself."""
    SettingsFile(path).change({"web.public_url": "http://x/"}, by="Wirt", at_s=time.time())


def finished(setup: TableSetup) -> Settings:
    """The settings by which the table would be put together anew."""
    setup.renewed.set()
    setup.renewed.clear = lambda: None  # type: ignore[method-assign] # nobody plays here
    setup.finish("Wirt")
    return setup.settings


def test_a_change_at_the_page_of_the_settings_does_not_end_the_set_up(
    setup: TableSetup, path: Path
) -> None:
    setup.save_rules(RuleFacts("jule", "", "de", "Tisch 1"))
    elsewhere(path)
    setup.save_seats("shared", ["Anna", "Ben"])
    stored = SettingsFile(path).load()
    assert stored["game.players"] == ["Anna", "Ben"]
    assert stored["web.public_url"] == "http://x/"


def test_the_table_begins_by_what_was_changed_elsewhere_as_well(
    setup: TableSetup, path: Path
) -> None:
    setup.save_rules(RuleFacts("jule", "", "de", "Tisch 1"))
    elsewhere(path)
    assert finished(setup)["web.public_url"] == "http://x/"


def test_a_file_that_is_broken_at_the_end_is_told_and_the_set_up_goes_on(
    setup: TableSetup, path: Path
) -> None:
    setup.save_rules(RuleFacts("jule", "", "de", "Tisch 1"))
    path.write_text("this is [ no TOML")
    with pytest.raises(ActionRefused, match="no TOML"):
        setup.finish("Wirt")
    assert setup.is_on


def test_what_waits_for_the_log_is_not_lost_by_a_set_up(tmp_path: Path, path: Path) -> None:
    settings = Settings({"store.path": str(tmp_path / "log.sqlite3")})
    setup = make_setup(settings, path, {}, wanted=False, fresh=False)
    setup.table = Table(held=lambda: 2)
    with pytest.raises(ActionRefused, match="would be lost"):
        setup.begin("Wirt")
    assert not setup.is_on
    setup.table = Table()
    setup.begin("Wirt")
    assert setup.is_on


def test_the_same_camera_chosen_again_does_not_hurry_who_looks_for_it(setup: TableSetup) -> None:
    setup.choose_camera("camera:0", 102.0)
    assert not setup.woken.is_set(), "a camera that is not there would be opened without a pause"
    setup._devices = lambda: ["camera:4"]
    setup.choose_camera("camera:4", 102.0)
    assert setup.woken.is_set()
