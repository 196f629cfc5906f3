"""The settings of a running table, changed from its page: file, versions, log, and what counts."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from device.setting import LOCKS
from device.settings import SETTINGS, Settings, load_settings
from device.settings_desk import SettingsDesk
from web_ui.i18n import LANGUAGES, has
from web_ui.settings_port import BadValues

TEXT = """\
# Unser Tisch
[web]
port = 8081  # 8080 hat der Drucker
[hub]
database = "postgresql://u:geheim@localhost/x"
[table]
source = "rtsp://cam:geheim@10.0.0.7/live"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def noted() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def desk(path: Path, noted: list[tuple[str, dict[str, Any]]]) -> SettingsDesk:
    def note(kind: str, data: dict[str, Any]) -> None:
        noted.append((kind, data))

    return SettingsDesk(path, load_settings(path), note=note, clock=lambda: 7.0)


def change(desk: SettingsDesk, **typed: str | None) -> tuple[str, ...]:
    named = {name.replace("__", "."): said for name, said in typed.items()}
    return desk.change(named, stamp=desk.sheet().stamp, by="Ute")


def texts(error: pytest.ExceptionInfo[BadValues]) -> list[tuple[str, str]]:
    return [(mistake.name, mistake.text["de"]) for mistake in error.value.mistakes]


def test_every_setting_is_on_the_sheet_as_it_is_typed(desk: SettingsDesk) -> None:
    sheet = desk.sheet()
    fields = {field.name: field for field in sheet.fields}
    assert list(fields) == [setting.name for setting in SETTINGS]
    assert {field.kind for field in sheet.fields} == {
        "text", "whole", "number", "switch", "choice", "texts", "numbers",
    }  # fmt: skip
    assert (fields["web.port"].value, fields["web.port"].is_set) == ("8081", True)
    assert fields["web.port"].locked == {"de": LOCKS["address"][0], "en": LOCKS["address"][1]}
    assert (fields["game.players"].value, fields["game.players"].is_set) == ("A\nB\nC", False)
    assert fields["web.signed_in_h"].value == "16"
    assert [field.name for field in sheet.fields if field.running is not None] == []
    assert (sheet.file, sheet.versions, sheet.mistakes) == ("table.toml", (), ())


def test_every_section_has_a_heading() -> None:
    sections = {setting.name.partition(".")[0] for setting in SETTINGS}
    told = [f"settings.section.{section}" for section in sections]
    assert [key for lang in LANGUAGES for key in told if not has(lang, key)] == []


def test_what_is_shown_typed_back_is_the_same_value() -> None:
    from device.settings_typed import as_typed, typed

    for setting in SETTINGS:
        assert typed(setting, as_typed(setting, setting.default)) == setting.default
    by_name = {setting.name: setting for setting in SETTINGS}
    angles = by_name["table.seat_angles_deg"]
    assert typed(angles, as_typed(angles, [0.5, 90.0, -22.25])) == [0.5, 90.0, -22.25]


def test_a_change_is_in_file_versions_and_log(
    desk: SettingsDesk, path: Path, noted: list[tuple[str, dict[str, Any]]]
) -> None:
    done = change(desk, game__players="Änne\r\nBert\r\n", store__clip_fps="2,5")
    assert done == ("game.players", "store.clip_fps")
    settings = load_settings(path)
    assert settings["game.players"] == ["Änne", "Bert"]
    assert settings["store.clip_fps"] == 2.5
    assert path.read_text(encoding="utf-8").startswith(TEXT)
    versions = [(v.number, v.by, v.changed, v.is_current) for v in desk.sheet().versions]
    assert versions == [(2, "Ute", done, True), (1, "", (), False)]
    changes = [
        {"name": "game.players", "from": ["A", "B", "C"], "to": ["Änne", "Bert"]},
        {"name": "store.clip_fps", "from": 12.0, "to": 2.5},
    ]
    assert noted == [("settings.changed", {"by": "Ute", "changes": changes})]
    change(desk, store__clip_fps=None)
    assert load_settings(path)["store.clip_fps"] == 12.0
    assert noted[-1][1]["changes"] == [{"name": "store.clip_fps", "from": 2.5, "to": 12.0}]


def test_locked_ones_are_refused_also_back_to_default(desk: SettingsDesk, path: Path) -> None:
    for said in ("9000", None):
        with pytest.raises(BadValues) as error:
            change(desk, web__port=said)
        assert texts(error) == [("web.port", f"web.port: {LOCKS['address'][0]}")]
    assert path.read_text(encoding="utf-8") == TEXT


def test_what_could_lock_the_landlord_out_or_moves_files_is_locked() -> None:
    locked = {setting.name for setting in SETTINGS if setting.locked}
    assert {"web.host", "web.port", "web.host_names", "web.threads", "store.path"} <= locked
    assert {s.name for s in SETTINGS if s.name.endswith(("_file", "_dir", ".folder"))} <= locked
    assert {s.name for s in SETTINGS if s.secret} <= locked


def test_all_mistakes_are_told_each_with_its_name(desk: SettingsDesk, path: Path) -> None:
    with pytest.raises(BadValues) as error:
        change(
            desk,
            game__players="A",
            table__mat_width_mm="breit",
            store__clip_fps="-1",
            web__prot="1",
            web__table_name="a\tb\nc",
            table__seat_angles_deg="1\nx",
            store__evidence_days="9" * 3000,
        )
    assert [name for name, _ in texts(error)] == [
        "game.players", "table.mat_width_mm", "store.clip_fps", "web.prot", "web.table_name",
        "table.seat_angles_deg", "store.evidence_days",
    ]  # fmt: skip
    assert texts(error)[2][1] == "store.clip_fps ist -1.0, erwartet wird: 0 oder mehr."
    assert path.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    ("typed", "name", "says"),
    [
        ({"table.source": "kamera:0"}, "table.source", "So heißt keine Kamera"),
        ({"table.source": "picamera:eins"}, "table.source", "So heißt keine Kamera"),
        ({"game.book": "nix"}, "game.book", "Das Regelwerk ist nicht zu gebrauchen"),
        ({"game.book": "../../etc/passwd.toml"}, "game.book", "nicht zu gebrauchen"),
        (
            {"table.layout": "seats", "table.seats": "\n".join("ABCDEFGHI")},
            "table.layout",
            "nicht alle einen Platz",
        ),
    ],
)
def test_what_the_table_could_not_begin_with_is_refused(
    desk: SettingsDesk, path: Path, typed: dict[str, str], name: str, says: str
) -> None:
    with pytest.raises(BadValues) as error:
        desk.change(typed, stamp=desk.sheet().stamp, by="Ute")
    assert texts(error)[0][0] == name
    assert says in texts(error)[0][1]
    assert path.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    "said",
    [
        'x"\n[web]\nport = 1',
        '"; port = 1 #',
        "'''",
        '"""',
        "\\u0000",
        "${HOME} {{ 7*7 }} <b>",
        "]\n[store]\npath='x'",
        "ü" * 300,
    ],
)
def test_a_value_that_is_code_of_the_file_is_a_text_or_refused(
    desk: SettingsDesk, path: Path, said: str
) -> None:
    try:
        change(desk, web__table_name=said)
        wanted = said
    except BadValues:
        wanted = ""
        assert "\n" in said, "only texts of several lines are refused"
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    assert told["web"].get("table_name", "") == wanted
    assert told["web"]["port"] == 8081
    assert set(told) == {"web", "hub", "table"}


def test_a_file_broken_by_hand_is_told_and_an_earlier_version_mends_it(
    desk: SettingsDesk, path: Path, noted: list[tuple[str, dict[str, Any]]]
) -> None:
    change(desk, web__table_name="Ecke")
    path.write_text("[web]\nport = = 1\nlanguage = 'fr'\n", encoding="utf-8")
    sheet = desk.sheet()
    assert [(mistake.line, mistake.name) for mistake in sheet.mistakes] == [
        (2, ""), (3, "web.language"),
    ]  # fmt: skip
    with pytest.raises(BadValues):
        change(desk, web__table_name="Theke")
    done = desk.restore(2, stamp=sheet.stamp, by="Ute")
    assert "web.table_name" in done
    assert load_settings(path)["web.table_name"] == "Ecke"
    assert [(v.number, v.by, v.is_current) for v in desk.sheet().versions] == [
        (4, "Ute", True), (3, "", False), (2, "Ute", False), (1, "", False),
    ]  # fmt: skip
    assert noted[-1][1]["changes"][0]["name"] == done[0]


def test_two_who_change_at_once_are_told(desk: SettingsDesk, path: Path) -> None:
    stamp = desk.sheet().stamp
    change(desk, web__table_name="Ecke")
    with pytest.raises(BadValues) as error:
        desk.change({"web.table_name": "Theke"}, stamp=stamp, by="Ben")
    assert "inzwischen jemand anders" in texts(error)[0][1]
    assert load_settings(path)["web.table_name"] == "Ecke"


def test_what_a_form_said_is_known_when_the_file_says_something_else(
    desk: SettingsDesk, path: Path
) -> None:
    stamp = desk.sheet().stamp
    said = {field.name: field.value for field in desk.sheet().fields}
    change(desk, web__table_name="Ecke")
    assert desk.shown(stamp) == said
    assert desk.shown(desk.sheet().stamp)["web.table_name"] == "Ecke"
    assert desk.shown("of a content that nobody has kept")["web.table_name"] == "Ecke"


def test_what_waits_for_the_next_start_says_what_runs(desk: SettingsDesk) -> None:
    change(desk, store__clip_fps="5", web__table_name="Ecke")
    fields = {field.name: field for field in desk.sheet().fields}
    assert fields["store.clip_fps"].running == "12"
    assert fields["web.table_name"].running is None


def test_a_log_that_cannot_be_written_does_not_undo_the_change(path: Path) -> None:
    def full(kind: str, data: dict[str, Any]) -> None:
        raise OSError("no space")

    desk = SettingsDesk(path, load_settings(path), note=full)
    assert change(desk, web__table_name="Ecke") == ("web.table_name",)
    assert load_settings(path)["web.table_name"] == "Ecke"


def test_without_a_file_everything_is_shown_and_nothing_changed() -> None:
    desk = SettingsDesk(None, Settings({"web.port": 9000}), note=lambda *_: None)
    sheet = desk.sheet()
    assert {f.name: f.value for f in sheet.fields}["web.port"] == "9000"
    assert sheet.file == ""
    with pytest.raises(BadValues):
        change(desk, web__table_name="x")
