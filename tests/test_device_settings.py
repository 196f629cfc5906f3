"""Settings: one TOML file, and messages that name the line, the value and what was expected."""

from pathlib import Path

import pytest

from device.errors import SettingsError
from device.settings import SETTINGS, Settings, load_settings


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_everything_has_its_default() -> None:
    settings = load_settings(None)
    assert {s.name: s.default for s in SETTINGS} == dict(settings)


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    text = '[game]\nplayers = ["Änne", "Bert"]\n\n[table]\nmat_width_mm = 400\n'
    settings = load_settings(write(tmp_path, text))
    assert settings["game.players"] == ["Änne", "Bert"]
    assert settings["table.mat_width_mm"] == 400.0
    assert isinstance(settings["table.mat_width_mm"], float)
    assert settings["web.port"] == 8080


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[web]\nport = 8080\nprot = 1\n", r"line 3: There is no setting 'web\.prot'"),
        ('[web]\n\nport = "8080"\n', r"line 3: web\.port is '8080', expected a whole number"),
        ("[web]\nport = true\n", r"line 2: web\.port is True, expected a whole number"),
        ("[model]\nthreads = 0\n", r"line 2: model\.threads is 0, expected 1 or more"),
        ('# x\n[web]\nlanguage = "fr"', r"line 3: web\.language is 'fr', expected one of de, en"),
        ('[game]\nplayers = ["A", "A"]\n', r"line 2: game\.players .*two or more different"),
        ("[game]\nplayers = [1, 2]\n", r"line 2: game\.players .*a list of texts"),
        ("web = 3\n", r"line 1: There is no setting 'web'"),
        ("\n[pub]\nname = 3\n", r"line 3: There is no setting 'pub\.name'"),
        ("[web]\nport = = 3\n", r"is no TOML: .*line 2"),
    ],
)
def test_mistakes_name_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load_settings(write(tmp_path, text))


def test_missing_and_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="does not exist"):
        load_settings(tmp_path / "none.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(path)


def test_options_of_the_command_line_win_and_none_means_unchanged() -> None:
    settings = Settings({"web.port": 9000}).with_values({"web.port": None, "web.host": "::1"})
    assert (settings["web.port"], settings["web.host"]) == (9000, "::1")
    with pytest.raises(SettingsError, match=r"web\.port is -1"):
        settings.with_values({"web.port": -1})
