"""A backup that was changed, by a bad disk or by somebody, is refused and touches nothing."""

import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from backup_table import Table

from device.backup import SETTINGS
from device.backup_folder import MANIFEST
from device.backup_restore import restore
from device.errors import SchockaugeError
from device.proof_files import seal_archive

FLIPS = 60


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "pub")
    made.play(60)
    return made


def test_any_changed_byte_is_noticed_and_nothing_is_touched(table: Table, tmp_path: Path) -> None:
    table.keep_still()
    archive = table.back_up(tmp_path / "one.zip", evidence=True)
    whole, before = archive.read_bytes(), table.contents()
    chance = random.Random(5)
    bad = tmp_path / "bad.zip"
    for number in range(FLIPS):
        at = chance.randrange(len(whole)) if number else len(whole) // 2
        bad.write_bytes(
            whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        )
        with pytest.raises(SchockaugeError, match=r"bad\.zip"):
            restore(bad, table.settings_file)
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:length])
        with pytest.raises(SchockaugeError, match=r"bad\.zip"):
            restore(bad, table.settings_file)
    assert table.contents() == before


def rewritten(archive: Path, out: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup by somebody who knows how they are made."""
    with zipfile.ZipFile(archive) as old:
        files, comment = {name: old.read(name) for name in old.namelist()}, old.comment
    change(files)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        new.comment = comment
        for name, content in files.items():
            new.writestr(name, content)
    seal_archive(out)
    return out


def _later(files: dict[str, bytes]) -> None:
    files[MANIFEST] = json.dumps({**json.loads(files[MANIFEST]), "format": 99}).encode()


def _stranger(files: dict[str, bytes]) -> None:
    files["../../etc/passwd"] = b"root"


def _other_settings(files: dict[str, bytes]) -> None:
    files[SETTINGS] = b"[web]\nport = 1\n"


def _lacks(files: dict[str, bytes]) -> None:
    del files["pins.json"]


def _shorter_log(files: dict[str, bytes]) -> None:
    manifest = json.loads(files[MANIFEST])
    manifest["log"]["entries"] -= 1
    files[MANIFEST] = json.dumps(manifest).encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_later, "made by a later version"),
        (_stranger, r"not those of its list.*passwd"),
        (_other_settings, "settings.toml was changed"),
        (_lacks, r"not those of its list.*pins\.json"),
        (_shorter_log, "The log in the backup has"),
    ],
)
def test_a_backup_that_somebody_made_up_is_refused(
    table: Table, tmp_path: Path, change: Callable[[dict[str, bytes]], None], said: str
) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    before = table.contents()
    with pytest.raises(SchockaugeError, match=said):
        restore(rewritten(archive, tmp_path / "two.zip", change), table.settings_file)
    assert table.contents() == before
