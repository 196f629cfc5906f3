"""Safe mode: a table whose settings cannot be used is mended at its page and then starts."""

import shutil
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from fault_play import until
from real_table import RealTable
from test_device_mending import GOOD, mend, path

import models
from device import bootstrap, mending, safe_mode
from device.cli import main
from device.errors import SettingsError
from device.mending import Mend
from device.settings import load_settings
from device.settings_file import SettingsFile
from device.settings_sense import UNFIT, problems_of

PATIENCE_S = 20.0

__all__ = ["path"]


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


def test_settings_that_a_table_has_started_with_are_kept_once(path: Path) -> None:
    path.write_text(GOOD, encoding="utf-8")
    started(path)
    started(path)
    (kept,) = SettingsFile(path).versions()
    assert SettingsFile(path).version(kept.number) == GOOD.encode()
    path.write_bytes(b"")
    assert mend(path).readable()["web.port"] == 8099


def test_an_empty_file_that_never_said_anything_is_none_that_was_emptied(path: Path) -> None:
    path.write_text("", encoding="utf-8")
    assert [started(path)[0] for _ in range(2)] == ["", ""]


def test_a_folder_that_may_not_be_written_keeps_no_table_from_starting(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    path.write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr("device.settings_file.own_folder", refused)
    assert started(path)[0] == "Ecke"


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
    monkeypatch.setattr(mending, "RETRY_S", 1.0)
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


def test_a_camera_that_cannot_be_one_ends_no_table_with_its_page(tmp_path: Path) -> None:
    table = RealTable(tmp_path, "kamera:0")
    try:
        table.start()
        until(lambda: "Abgesicherter Betrieb" in table.console.read_text(), "safe mode")
        assert (
            "The clip kamera:0 does not exist, and no camera is called that"
            in table.console.read_text()
        )
        table.settings.write_text(table.settings.read_text().replace("kamera:0", "camera:99"))
        table.serves()
        until(lambda: "camera" in table.faults(), "it plays, and misses its camera")
    finally:
        table.end()


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
    weights = folder / "weights" / "table_namer.onnx"
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
