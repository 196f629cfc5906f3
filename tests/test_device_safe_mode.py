"""Safe mode: a table whose settings cannot be used is mended at its page and then starts."""

import shutil
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from web_ui_access import known_pins, signed_in

import models
from device import bootstrap, safe_mode
from device.cli import main
from device.errors import SettingsError
from device.safe_mode import Mend
from device.settings import load_settings
from device.settings_file import SettingsFile
from device.settings_sense import UNFIT, problems_of
from web_ui.access import Access
from web_ui.safe_mode import create_safe_app
from web_ui.settings_port import BadValues

GOOD = '[web]\nport = 8099\ntable_name = "Ecke"\n[store]\npath = "here/evening.sqlite3"\n'
BAD = GOOD.replace("8099", "= 8099") + "[pub]\nname = 1\n"
PATIENCE_S = 20.0


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


# The loop around it


class Table:
    """Prepares what the settings name; a folder that has to be there stands for a model."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tried = 0

    def __call__(self) -> str:
        self.tried += 1
        settings = load_settings(self.path)
        if settings["model.folder"] and not Path(settings["model.folder"]).is_dir():
            raise SettingsError("the model is missing")
        return str(settings["web.table_name"])


GIVEN = {"web.port": 0, "web.host": None}


def started(path: Path, mend_it: threading.Timer | None = None) -> tuple[str, list[Any], int]:
    table = Table(path)
    if mend_it is not None:
        mend_it.start()
    found, notes = safe_mode.start(table, path, GIVEN)
    return found, notes, table.tried


def test_a_table_with_sound_settings_never_sees_safe_mode(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    assert started(path) == ("Ecke", [], 1)


def test_a_file_mended_with_an_editor_starts_the_table(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    still_bad = threading.Timer(0.2, path.write_text, [GOOD + "[model]\nfolder = 'none'\n"])
    good = threading.Timer(2.5, path.write_text, [GOOD])
    good.start()
    found, notes, tried = started(path, still_bad)
    assert (found, notes) == ("Ecke", [])
    assert tried == 3
    console = capsys.readouterr().err
    assert "line 2: This is no TOML" in console
    assert "Abgesicherter Betrieb: http://127.0.0.1:" in console
    assert "the model is missing" in console
    assert "Erste PIN des Wirts" in console
    assert (tmp_path / "here" / "schockauge-pins.json").is_file(), "the PINs of the table itself"
    assert not (tmp_path / "here" / "evening.sqlite3").exists(), "its log was not touched"


def test_a_file_that_nobody_has_ever_had_is_a_slip_of_the_keyboard(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="does not exist"):
        started(tmp_path / "tabel.toml")


@pytest.mark.parametrize("emptied", [b"", b"\n\n"])
def test_a_file_that_has_lost_its_content_starts_no_other_table(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, emptied: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    path.write_text(GOOD, encoding="utf-8")
    SettingsFile(path).change({"web.language": "en"}, by="Wirt", at_s=5.0)
    path.write_bytes(emptied)

    def restore() -> None:
        file = SettingsFile(path)
        file.restore(2, by="Wirt", at_s=6.0)

    found, _, tried = started(path, threading.Timer(0.5, restore))
    assert (found, tried) == ("Ecke", 1), "by the emptied file nothing was prepared"


def test_what_the_file_names_and_comes_later_starts_the_table_by_itself(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(safe_mode, "RETRY_S", 1.0)
    (tmp_path / "here").mkdir()
    path.write_text(GOOD + "[model]\nfolder = 'stick'\n", encoding="utf-8")
    found, _, tried = started(path, threading.Timer(3.5, (tmp_path / "stick").mkdir))
    assert found == "Ecke"
    assert tried >= 3
    assert capsys.readouterr().err.count("the model is missing") == 1, "said once, not every time"


def test_what_is_mended_while_the_table_is_being_tried_is_tried_as_well(path: Path) -> None:
    mending = mend(path)
    mending.try_again()
    mending.wait()
    mending.write(GOOD, stamp=mending.state().stamp, by="Wirt")
    mending.failed(SettingsError("tried with what was there before"))
    mending.wait()  # returns at once


def test_systemd_hears_that_the_service_is_ready_and_lives(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        started(path, threading.Timer(2.5, path.write_text, [GOOD]))
        told = [systemd.recv(1000).decode() for _ in range(2)]
    assert [words.splitlines()[0] for words in told] == ["READY=1", "WATCHDOG=1"]
    assert "safe mode" in told[0]


def test_pins_that_are_broken_as_well_are_new_ones_for_this_time(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "schockauge-pins.json").write_text("{", encoding="utf-8")
    started(path, threading.Timer(0.5, path.write_text, [GOOD]))
    console = capsys.readouterr().err
    assert "schockauge-pins.json cannot be read" in console
    assert "Erste PIN des Wirts" in console


# The command


def test_strictly_or_for_once_the_error_ends_the_command(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("--strict", "--once"):
        assert main(["run", "--settings", str(path), word]) == 1
        told = capsys.readouterr().err.splitlines()
        assert told[0].startswith(f"schockauge: error: {path}, line 2: This is no TOML")
        assert told[1].startswith(f"{path}, line 7: There is no setting 'pub.name'")
        assert len(told) == 2


def test_options_that_do_not_fit_are_told_at_the_console(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--settings", str(path), "--port", "-1"]) == 1
    assert "web.port is -1" in capsys.readouterr().err


def test_without_a_settings_file_there_is_nothing_to_mend(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(tmp_path / "evening.sqlite3")
    assert main(["run", "--book", "nix", "--log", log]) == 1
    assert "there is no rule book 'nix'" in capsys.readouterr().err
    assert main(["run", "--models", str(tmp_path), "--log", log]) == 1
    assert "manifest.json is missing" in capsys.readouterr().err


@pytest.mark.parametrize("harm", ["cut off", "missing", "no manifest", "folder"])
def test_a_model_that_is_damaged_is_told_with_the_line_that_names_it(
    path: Path, tmp_path: Path, harm: str
) -> None:
    folder = tmp_path / "models"
    shutil.copytree(models.FOLDER / "weights", folder / "weights")
    shutil.copy(models.FOLDER / "manifest.json", folder)
    text = GOOD.replace("here/", "") + f'[model]\nfolder = "{folder}"\n'
    path.write_text(text, encoding="utf-8")
    settings = load_settings(path).with_values({"store.path": str(tmp_path / "evening.sqlite3")})
    assert problems_of(settings) == ()
    weights = next((folder / "weights").glob("namer*"))
    if harm == "cut off":
        weights.write_bytes(weights.read_bytes()[:1000])
    elif harm == "missing":
        weights.unlink()
    elif harm == "no manifest":
        (folder / "manifest.json").write_text("{", encoding="utf-8")
    else:
        (folder / "manifest.json").unlink()
        (folder / "manifest.json").mkdir()
    models.manifest.cache_clear()  # as in a new process
    with pytest.raises(UNFIT) as raised:
        bootstrap.build(settings)
    mending = Mend(path, raised.value, {})
    (mistake,) = mending.state().mistakes
    assert (mistake.name, mistake.line) == ("model.folder", 7)
    assert "fehlen oder sind kaputt" in mistake.text["de"]
    assert not (tmp_path / "evening.sqlite3").exists()
    mending.try_again()
    assert mending.state().is_starting
    mending.write(GOOD, stamp=mending.state().stamp, by="Wirt")  # those that ship
