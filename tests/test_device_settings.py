"""Settings: one TOML file, and messages that name the line, the value and what was expected."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.errors import SettingsError
from device.setting import LOCKS
from device.settings import SETTINGS, Settings, inspect, load_settings
from device.settings_check import fitting
from device.settings_lines import flat
from device.settings_problem import BadSettingsError


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


MISTAKEN = """\
# Unser Tisch
[web]
prot = 1
port = "8080"
lang = = 3

[gmae]
book = 'x
players = ["A"]
[web]
language = "fr"
port = 99999
[table]
seats = [ # wer wo sitzt
  "A",
  "B"]
mat_width_mm = nan
seat_angles_deg = [1, inf]
layout = "a\\u0007b"
language = "de"
"""


def test_every_mistake_of_a_file_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadSettingsError) as raised:
        load_settings(write(tmp_path, MISTAKEN))
    told = [(problem.line, problem.text_en) for problem in raised.value.problems]
    assert told == [
        (3, "There is no setting 'web.prot'. Did you mean web.port?"),
        (4, "web.port is '8080', expected a whole number."),
        (5, "This is no TOML: Invalid value (line 5, column 8)."),
        (8, 'This is no TOML: Expected "\'" (line 8).'),
        (9, "There is no setting 'gmae.players'. Did you mean game.players?"),
        (10, "[web] stands here once more, it is in line 2 already; leave one of them."),
        (11, "web.language is 'fr', expected one of de, en."),
        (12, "web.port stands here once more, it is in line 4 already; leave one of them."),
        (12, "web.port is 99999, expected 65535 or less."),
        (17, "table.mat_width_mm is nan, expected a number."),
        (18, "table.seat_angles_deg is [1, inf], expected a list of numbers."),
        (19, "table.layout is 'a\\x07b', expected a text of one line."),
        (20, "There is no setting 'table.language'. Did you mean web.language?"),
    ]
    path = tmp_path / "table.toml"
    assert str(raised.value).splitlines() == [f"{path}, line {n}: {said}" for n, said in told]
    assert all(p.text_de and p.text_de != p.text_en for p in raised.value.problems)


def test_what_fits_is_known_beside_mistakes() -> None:
    seen = inspect(b'[web]\nport = 8081\nhost = 3\n[store\nport = 9\n[game]\nbook = "turnier"\n')
    assert dict(seen.values) == {"web.port": 8081, "game.book": "turnier"}
    assert dict(seen.lines) == {"web.port": 2, "game.book": 7}
    assert [problem.line for problem in seen.problems] == [3, 4]


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe[\x00w\x00e\x00b\x00",
        b"[web]\nport = \xe4\n",
        b"a = [" * 20_000,
        b"=[\n" * 60_000,
        b"x = '''\n" * 20_000,
        b"".join(b"a%d = 1\n" % n for n in range(20_000)),
        b"a." * 30_000 + b"a = 1",
        b"[web]\nport = 1" + b"0" * 5000,
        b"[table]\nmat_width_mm = 1" + b"0" * 400,
        b"\0" * 1000,
        b"[[web]]\nport = 3\n",
        b"[web]\nport = 2026-01-31\n",
        b"web.port = 1\n[web]\nlanguage = 'de'\n",
    ],
)
def test_nothing_is_too_wrong_to_be_told(content: bytes) -> None:
    seen = inspect(content)
    assert seen.problems
    assert all(problem.text_en.isprintable() for problem in seen.problems)
    assert dict(seen.settings())


@given(st.binary(max_size=300))
def test_any_bytes_are_looked_at(content: bytes) -> None:
    assert isinstance(inspect(content).settings(), Settings)


@given(st.lists(st.sampled_from(MISTAKEN.splitlines()), max_size=12))
def test_a_file_is_sound_for_us_only_if_it_is_toml(lines: list[str]) -> None:
    text = "\n".join(lines)
    seen = inspect(text.encode())
    try:
        whole = dict(flat(tomllib.loads(text)))
    except ValueError:
        assert seen.problems
        return
    assert seen.problems or dict(seen.settings()) == dict(Settings(whole))


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="more than 262144 bytes"):
        load_settings(write(tmp_path, "#" * 300_000))


def test_every_setting_speaks_german_as_well() -> None:
    assert [s.name for s in SETTINGS if not s.help_de or s.help_de == s.help] == []


def test_every_default_fits_its_own_setting() -> None:
    assert [s.name for s in SETTINGS if fitting(s, s.default) != s.default] == []
    assert {s.locked for s in SETTINGS} <= {"", *LOCKS}
