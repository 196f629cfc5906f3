"""The settings file of a table that has not started: what is wrong, and how it is mended."""

from pathlib import Path
from typing import Any

import pytest
from web_ui_access import known_pins, signed_in

from device.errors import SettingsError
from device.mending import Mend
from device.settings import load_settings
from device.settings_file import SettingsFile
from web_ui.access import Access
from web_ui.safe_mode import create_safe_app
from web_ui.settings_port import BadValues

GOOD = '[web]\nport = 8099\ntable_name = "Ecke"\n[store]\npath = "here/evening.sqlite3"\n'
BAD = GOOD.replace("8099", "= 8099") + "[pub]\nname = 1\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(BAD, encoding="utf-8")
    return path


def error_of(path: Path) -> Exception:
    try:
        load_settings(path)
    except SettingsError as error:
        return error
    return SettingsError("nothing is wrong with the file itself")


def mend(path: Path, **given: Any) -> Mend:
    named = {name.replace("__", "."): value for name, value in given.items()}
    return Mend(path, error_of(path), named)


def told(mending: Mend) -> list[tuple[int | None, str]]:
    return [(mistake.line, mistake.text["en"]) for mistake in mending.state().mistakes]


def test_every_mistake_is_told_with_its_line(path: Path) -> None:
    state = mend(path).state()
    assert [(mistake.line, mistake.name) for mistake in state.mistakes] == [
        (2, ""), (7, "pub.name"),
    ]  # fmt: skip
    assert (state.file, state.text, state.is_starting) == ("table.toml", BAD, False)


def test_what_the_file_names_and_is_not_there_is_told_with_its_line(path: Path) -> None:
    path.write_text('[game]\nbook = "nix"\n[model]\nfolder = "gone"\n', encoding="utf-8")
    mending = mend(path)
    assert [line for line, _ in told(mending) if line] == [2, 4]
    assert "there is no rule book 'nix'" in str(told(mending))
    assert "manifest.json is missing" in str(told(mending))


def test_an_error_that_no_setting_names_is_told_as_it_is(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    mending = Mend(path, SettingsError("The log is damaged."), {})
    assert told(mending) == [(None, "The log is damaged.")]


def test_the_page_is_where_the_table_was_as_far_as_that_can_be_read(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    SettingsFile(path).change({"web.language": "en"}, by="Wirt", at_s=5.0)
    path.write_text(BAD, encoding="utf-8")
    settings = mend(path).readable()
    assert settings["web.port"] == 8099, "from the newest version that was whole"
    assert settings["store.path"] == "here/evening.sqlite3", "from the file itself"
    assert settings["web.language"] == "de", "the file names none any more"
    assert mend(path, web__port=9001).readable()["web.port"] == 9001
    for content in (b"", b"\0" * 500, b"\xff\xfe\x00"):
        path.write_bytes(content)
        assert mend(path).readable()["web.port"] == 8099, content
    path.write_text("# all by default\n", encoding="utf-8")
    assert mend(path).readable()["web.port"] == 8080


def test_a_mended_text_is_written_noted_and_starts_the_table(path: Path) -> None:
    mending = mend(path)
    mending.write(GOOD, stamp=mending.state().stamp, by="Wirt")
    assert path.read_text(encoding="utf-8") == GOOD
    assert mending.state().is_starting
    changes = [{"name": "web.port", "from": 8080, "to": 8099}]
    assert mending.notes == [("settings.changed", {"by": "Wirt", "changes": changes})]
    mending.failed(SettingsError("The log is damaged."))
    assert not mending.state().is_starting
    assert told(mending) == [(None, "The log is damaged.")]


@pytest.mark.parametrize(
    "text",
    [BAD, '[game]\nbook = "nix"\n', '[table]\nsource = "picamera"\n', "\ud800", "\0", "[web"],
)
def test_what_still_cannot_be_used_is_not_written(path: Path, text: str) -> None:
    mending = mend(path)
    with pytest.raises(BadValues):
        mending.write(text, stamp=mending.state().stamp, by="Wirt")
    assert path.read_text(encoding="utf-8") == BAD
    assert not mending.state().is_starting


def test_a_file_that_somebody_else_has_mended_meanwhile_stays_his(path: Path) -> None:
    mending = mend(path)
    old = mending.state().stamp
    path.write_text("[web]\nport = 1\n", encoding="utf-8")
    with pytest.raises(BadValues, match="somebody else"):
        mending.write(GOOD, stamp=old, by="Wirt")
    mending.write(GOOD, stamp=mending.state().stamp, by="Wirt")
    with pytest.raises(BadValues, match="somebody else"):
        mending.restore(1, stamp=old, by="Wirt")


def test_an_earlier_version_comes_back(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    SettingsFile(path).change({"web.language": "en"}, by="Wirt", at_s=5.0)
    path.write_bytes(b"\xff\xfe broken by a power cut")
    mending = mend(path)
    versions = mending.state().versions
    assert [(v.number, v.by) for v in versions] == [(2, "Wirt"), (1, "")]
    mending.restore(2, stamp=mending.state().stamp, by="Wirt")
    assert load_settings(path)["web.language"] == "en"
    assert SettingsFile(path).version(3) == b"\xff\xfe broken by a power cut", "nothing is lost"


def test_through_the_page_itself(path: Path) -> None:
    mending = mend(path)
    app = create_safe_app(mending, {}, Access(known_pins(), note=mending.note))
    client = signed_in(app, "admin")
    page = client.get("/").text
    assert "<code>port = = 8099</code>" in page
    stamp = page.partition('name="stamp" value="')[2].partition('"')[0]
    kept = client.post("/safe", data={"stamp": stamp, "text": "[web]\r\nport = 'x'\r\n"})
    assert kept.status_code == 400
    assert "web.port ist &#39;x&#39;" in kept.text
    good = client.post("/safe", data={"stamp": stamp, "text": GOOD.replace("\n", "\r\n")})
    assert good.status_code == 303
    assert path.read_text(encoding="utf-8") == GOOD
