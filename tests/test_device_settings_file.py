"""The settings file: changes keep comments, are whole or not at all, and every version is kept."""

import os
import stat
import threading
from pathlib import Path

import pytest

from device import settings_file, settings_versions
from device.errors import SettingsError
from device.settings import Settings, load_settings
from device.settings_file import ChangedMeanwhileError, SettingsFile

TEXT = """\
# Unser Tisch in der "Linde".

[web]            # die Seite
port = 8081      # 8080 hat der Drucker
# Ab Mai im Garten:
table_name = "Garten"

[game]
players = ["Änne", "Bert"]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_change_keeps_comments_and_order(path: Path) -> None:
    file = SettingsFile(path)
    file.load()
    changed = {"web.table_name": "Stammtisch", "table.layout": "seats", "web.language": "en"}
    settings = file.change(changed, by="Wirt", at_s=5.0)
    assert dict(load_settings(path)) == dict(settings)
    assert (
        path.read_text(encoding="utf-8")
        == TEXT.replace('table_name = "Garten"\n', 'table_name = "Stammtisch"\nlanguage = "en"\n')
        + '\n[table]\nlayout = "seats"\n'
    )


def test_none_takes_a_setting_out_of_the_file(path: Path) -> None:
    settings = SettingsFile(path).change(
        {"web.port": None, "web.threads": None}, by="Wirt", at_s=5.0
    )
    assert settings["web.port"] == 8080
    assert path.read_text(encoding="utf-8") == TEXT.replace(
        "port = 8081      # 8080 hat der Drucker\n", ""
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"web.port": -1}, "web.port is -1"),
        ({"web.prot": 1}, "There is no setting 'web.prot'"),
        ({"web.prot": None}, "There is no setting 'web.prot'"),
        ({"web.language": "en", "game.players": ["A", "A"]}, "two or more different names"),
    ],
)
def test_an_unfit_value_changes_nothing(
    path: Path, values: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        SettingsFile(path).change(values, by="Wirt", at_s=5.0)  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == TEXT
    assert SettingsFile(path).versions() == ()


def test_what_cannot_be_used_together_changes_nothing(path: Path) -> None:
    def refuse(before: Settings, after: Settings) -> None:
        assert (before["web.port"], after["web.port"]) == (8081, 9000)
        raise SettingsError("no room for them")

    with pytest.raises(SettingsError, match="no room"):
        SettingsFile(path, check=refuse).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert path.read_text(encoding="utf-8") == TEXT


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "new.toml")
    with pytest.raises(SettingsError, match="does not exist"):
        file.load()
    file.change({"game.players": ["Anna", "Bert"]}, by="Wirt", at_s=5.0)
    assert load_settings(tmp_path / "new.toml")["game.players"] == ["Anna", "Bert"]


def test_a_file_that_somebody_else_has_changed_is_left_alone(path: Path) -> None:
    file = SettingsFile(path)
    file.load()
    path.write_text("[web]\nport = 9999\n", encoding="utf-8")
    with pytest.raises(ChangedMeanwhileError, match="changed by somebody else"):
        file.change({"web.language": "en"}, by="Wirt", at_s=5.0)
    assert path.read_text(encoding="utf-8") == "[web]\nport = 9999\n"
    file.load()
    file.change({"web.language": "en"}, by="Wirt", at_s=5.0)
    assert load_settings(path)["web.port"] == 9999


def test_a_form_that_was_rendered_before_a_change_is_refused(path: Path) -> None:
    file = SettingsFile(path)
    old = file.stamp
    file.change({"web.port": 9000}, by="Wirt", at_s=5.0, stamp=old)
    with pytest.raises(ChangedMeanwhileError):
        file.change({"web.port": 9001}, by="Wirt", at_s=6.0, stamp=old)
    assert load_settings(path)["web.port"] == 9000


def test_every_earlier_content_is_kept_and_comes_back(path: Path) -> None:
    file = SettingsFile(path)
    os.utime(path, (4.0, 4.0))
    file.change({"web.port": 9000}, by="Wirt", at_s=5.0)
    file.change({"web.port": 9001, "web.language": "en"}, by="Ute", at_s=6.0)
    told = [(v.number, v.at_s, v.by, v.changed) for v in file.versions()]
    assert told == [
        (3, 6.0, "Ute", ("web.port", "web.language")),
        (2, 5.0, "Wirt", ("web.port",)),
        (1, 4.0, "", ()),
    ]
    assert file.version(1) == TEXT.encode()
    file.restore(1, by="Wirt", at_s=7.0)
    assert path.read_bytes() == TEXT.encode()
    assert [v.number for v in file.versions()] == [4, 3, 2, 1]
    with pytest.raises(SettingsError, match="no version 77"):
        file.restore(77, by="Wirt", at_s=8.0)


def test_what_was_written_by_hand_between_two_changes_is_kept(path: Path) -> None:
    SettingsFile(path).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    path.write_text("[web]\nport = 1\n", encoding="utf-8")
    file = SettingsFile(path)
    file.change({"web.port": 2}, by="Wirt", at_s=6.0)
    assert [(v.number, v.by) for v in file.versions()] == [
        (4, "Wirt"), (3, ""), (2, "Wirt"), (1, ""),
    ]  # fmt: skip
    assert file.version(3) == b"[web]\nport = 1\n"


def test_a_change_that_changes_nothing_writes_nothing(path: Path) -> None:
    file = SettingsFile(path)
    before = path.stat()
    file.change({"web.port": 8081}, by="Wirt", at_s=5.0)
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert file.versions() == ()


def test_versions_are_bounded_and_the_oldest_go(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings_versions, "MOST", 4)
    file = SettingsFile(path)
    for port in range(9000, 9010):
        file.change({"web.port": port}, by="Wirt", at_s=float(port))
    assert [v.number for v in file.versions()] == [11, 10, 9, 8]
    assert len(list((path.parent / "table.toml.versions").iterdir())) == 8


def test_mode_and_link_stay(path: Path, tmp_path: Path) -> None:
    path.chmod(0o600)
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    SettingsFile(link).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert link.is_symlink()
    assert load_settings(path)["web.port"] == 9000
    kept = tmp_path / "table.toml.versions"
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, kept, *sorted(kept.iterdir()))]
    assert modes == [0o600, 0o700, *[0o600] * 4]


def test_a_disk_that_takes_nothing_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = settings_file.write_durably

    def full(where: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(settings_file, "write_durably", full)
    file = SettingsFile(path)
    with pytest.raises(SettingsError, match="cannot be written: No space left"):
        file.change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert path.read_text(encoding="utf-8") == TEXT
    assert [v.by for v in file.versions()] == [""]
    monkeypatch.setattr(settings_file, "write_durably", written)
    file.change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert [v.by for v in file.versions()] == ["Wirt", ""]


def test_a_folder_of_versions_that_another_makes_first_is_taken(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.with_name("table.toml.versions").mkdir()
    looks = iter([False])
    found = Path.is_dir
    monkeypatch.setattr(Path, "is_dir", lambda one: next(looks, True) and found(one))
    SettingsFile(path).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert load_settings(path)["web.port"] == 9000


def test_many_at_once_lose_no_change(path: Path) -> None:
    """Each waits for the other, or is told that the file has changed; none is lost in silence."""
    done: list[str] = []

    def change(name: str, value: str) -> None:
        while True:
            try:
                SettingsFile(path).change({name: value}, by=name, at_s=5.0)
            except ChangedMeanwhileError:
                continue
            done.append(name)
            return

    wanted = {"web.table_name": "X", "web.public_url": "Y", "table.source": "Z", "hub.host": "H"}
    threads = [threading.Thread(target=change, args=pair) for pair in wanted.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settings = load_settings(path)
    assert {name: settings[name] for name in wanted} == wanted
    assert sorted(done) == sorted(wanted)


@pytest.mark.parametrize("at_s", ["1e300", "NaN", "-5", "[]"])
def test_a_version_whose_note_the_card_has_damaged_is_of_the_time_of_its_file(
    path: Path, at_s: str
) -> None:
    file = SettingsFile(path)
    file.change({"web.port": 9000}, by="Wirt", at_s=5.0)
    folder = path.with_name("table.toml.versions")
    (folder / "000002.json").write_text(f'{{"at_s": {at_s}, "by": "Wirt", "changed": []}}')
    assert file.versions()[0].at_s == (folder / "000002.toml").stat().st_mtime
