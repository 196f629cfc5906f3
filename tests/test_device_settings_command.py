"""`schockauge settings`: files checked, changed and taken back from the shell, and their schema."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from device.cli import main
from device.settings import SETTINGS, load_settings
from device.settings_schema import schema
from device.settings_template import template

Out = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(template(), encoding="utf-8")
    return path


def errors(values: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(schema()).iter_errors(values)]


def test_the_schema_is_one_and_is_the_file_in_the_docs() -> None:
    Draft202012Validator.check_schema(schema())
    kept = Path(__file__).parents[1] / "docs" / "settings.schema.json"
    assert json.loads(kept.read_text(encoding="utf-8")) == schema()


def test_the_schema_allows_the_defaults_and_describes_each() -> None:
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        section, key = setting.name.split(".")
        values.setdefault(section, {})[key] = setting.default
        told = schema()["properties"][section]["properties"][key]
        assert told["description"].startswith(setting.help)
        assert told["default"] == setting.default
    assert errors(values) == []
    assert errors({}) == []


@pytest.mark.parametrize(
    "text",
    [
        "[web]\nprot = 1\n",
        "[pub]\n",
        "web = 3\n",
        '[web]\nport = "8080"\n',
        "[web]\nport = true\n",
        "[web]\nport = 70000\n",
        "[web]\nport = 1.5\n",
        "[model]\nthreads = 0\n",
        '[web]\nlanguage = "fr"\n',
        '[game]\nplayers = ["A", "A"]\n',
        '[game]\nplayers = ["A"]\n',
        "[game]\nplayers = [1, 2]\n",
        '[game]\nplayers = ["A", " "]\n',
        '[table]\nseat_angles_deg = ["x"]\n',
        '[web]\ntable_name = "a\\u0007"\n',
    ],
)
def test_the_schema_finds_what_we_find(text: str, tmp_path: Path) -> None:
    assert errors(tomllib.loads(text)) != []
    if text != "[pub]\n":  # an empty section does no harm, yet an editor may point at it
        bad = tmp_path / "bad.toml"
        bad.write_text(text, encoding="utf-8")
        assert main(["settings", "--check", str(bad)]) == 1


def test_the_template_is_sound_changes_nothing_and_names_defaults(path: Path, capsys: Out) -> None:
    assert main(["settings", "--template"]) == 0
    assert capsys.readouterr().out == template()
    assert dict(load_settings(path)) == dict(load_settings(None))
    uncommented = "\n".join(
        line.removeprefix("# ") if " = " in line else line for line in template().splitlines()
    )
    path.write_text(uncommented, encoding="utf-8")
    assert dict(load_settings(path)) == dict(load_settings(None))
    assert main(["settings", "--check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path} is sound.\n"


def test_check_tells_every_mistake_also_of_what_the_file_names(path: Path, capsys: Out) -> None:
    path.write_text(
        '[game]\nbook = "nix"\n[web]\nport = -1\n[model]\nfolder = "none"\n', encoding="utf-8"
    )
    assert main(["settings", "--check", str(path)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"schockauge: error: {path}, line 4: web.port is -1, expected 0 or more."
    assert told[1].startswith(f"{path}, line 2: game.book: there is no rule book 'nix'")
    assert told[2].startswith(f"{path}, line 6: model.folder: the model's manifest none/manifest")
    assert len(told) == 3
    assert main(["settings", "--check", str(path), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["line"], line["name"]) for line in lines] == [
        (4, "web.port"), (2, "game.book"), (6, "model.folder"),
    ]  # fmt: skip


def test_set_unset_history_and_restore(path: Path, capsys: Out) -> None:
    file = ["settings", "--settings", str(path)]
    words = ["--set", "game.players=Anna, Änne", "--set", "store.clip_fps=2,5"]
    assert main([*file, *words, "--set", "web.table_needs_pin=nein"]) == 0
    settings = load_settings(path)
    assert settings["game.players"] == ["Anna", "Änne"]
    assert (settings["store.clip_fps"], settings["web.table_needs_pin"]) == (2.5, False)
    assert main([*file, "--set", "store.evidence_dir=", "--unset", "store.clip_fps"]) == 0
    settings = load_settings(path)
    assert (settings["store.evidence_dir"], settings["store.clip_fps"]) == ("", 12.0)
    capsys.readouterr()
    assert main([*file, "--history", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(v["version"], v["by"], v["changed"]) for v in told] == [
        (3, "console", ["store.evidence_dir", "store.clip_fps"]),
        (2, "console", ["game.players", "store.clip_fps", "web.table_needs_pin"]),
        (1, "", []),
    ]
    assert main([*file, "--history"]) == 0
    assert "in the file itself: -" in capsys.readouterr().out
    assert main([*file, "--restore", "1"]) == 0
    assert path.read_text(encoding="utf-8") == template()
    assert main([*file, "--restore", "9"]) == 1


@pytest.mark.parametrize(
    ("word", "status", "message"),
    [
        ("web.port=x", 1, "web.port is 'x', expected a whole number"),
        ("web.prot=1", 1, "Did you mean web.port?"),
        ("game.players=Anna", 1, "two or more different names"),
        ("game.book=nix", 1, "there is no rule book 'nix'"),
        ("table.seat_angles_deg=1,x", 1, "expected a list of numbers"),
        ("web.table_name=a\nb", 1, "expected a text of one line"),
        ("web.port", 2, "expected NAME=VALUE"),
    ],
)
def test_what_cannot_be_set_changes_nothing(
    path: Path, capsys: Out, word: str, status: int, message: str
) -> None:
    assert main(["settings", "--settings", str(path), "--set", word]) == status
    assert message in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == template()


def test_to_change_settings_a_file_is_needed(capsys: Out) -> None:
    assert main(["settings", "--set", "web.port=1"]) == 2
    assert "name the file" in capsys.readouterr().err


def test_a_misspelt_file_is_told_to_be_a_new_one(tmp_path: Path, capsys: Out) -> None:
    words = ["settings", "--settings", str(tmp_path / "tabel.toml"), "--set", "web.port=9000"]
    assert main(words) == 0
    assert "was not there before and is a new file" in capsys.readouterr().out
    assert main(words) == 0
    assert "new file" not in capsys.readouterr().out
