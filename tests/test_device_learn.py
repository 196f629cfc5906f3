"""`schockauge learn`: from an evening to a pack, to a last stage, and what goes wrong there."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from conftest import Run
from device_help import lines
from learn_evening import (
    BOXES,
    COLOURS,
    THROWS,
    collect_words,
    model_folder,
    painted,
    write_evening,
)

from device import bootstrap_readers
from device.commands import learn_bench
from device.errors import SourceError
from device.images import jpeg
from device.packs import Pack, PackedDie, PackedThrow, about, merged, read_pack, write_pack
from device.settings import Settings
from vision.errors import ModelError

Evening = Callable[..., Path]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Write a log with its stills into the test's folder."""

    def write(throws: list[tuple[int, ...]] = THROWS, *, misread: int = 1) -> Path:
        return write_evening(tmp_path, throws, misread=misread)

    return write


@pytest.fixture
def collected(run: Run, evening: Evening, tmp_path: Path) -> Callable[..., Path]:
    """A pack of an evening."""

    def collect(*throws: tuple[int, ...], name: str = "pack.zip") -> Path:
        out = tmp_path / name
        status, _, err = collect_words(run, evening(list(throws) or THROWS), out)
        assert status == 0, err
        return out

    return collect


@pytest.fixture
def blind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of networks whose namer has features and knows no value, only colours."""
    for module in ("crops", "crop_changes"):
        monkeypatch.setattr(f"vision.{module}.DEALT_CHANNELS", ([0, 1, 2],) * 4)
    return model_folder(tmp_path / "blind", features=True)


# --- collect -------------------------------------------------------------------------------------


def test_a_pack_holds_the_mat_the_true_values_and_no_player(
    collected: Callable[..., Path],
) -> None:
    path = collected()
    pack = read_pack(path)
    assert [tuple(d.value for d in throw.dice) for throw in pack.throws] == THROWS
    assert pack.throws[0].image().shape == (160, 320, 3)  # cropped to the mat
    assert pack.throws[0].dice[0].box == (40, 40, 80, 80)
    assert pack.how() == {"corrected": 10, "confirmed": 2}
    assert pack.about["consent"] == "Wirtin, 2026-01-31"
    assert pack.about["date"] == "2001-09-09"
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        text = b"".join(archive.read(name) for name in names if not name.endswith(".jpg"))
        assert b"Wirtin, 2026-01-31" in archive.read("README.md")
    assert "pictures/0012.jpg" in names
    assert not any(name.encode() in text for name in ("Anna", "Bert", "throw-0"))


def test_the_same_evening_gives_the_same_bytes(collected: Callable[..., Path]) -> None:
    assert collected(name="a.zip").read_bytes() == collected(name="b.zip").read_bytes()


@pytest.mark.parametrize("words", [(), ("--consent", "  ")])
def test_without_consent_nothing_is_packed(
    run: Run, evening: Evening, tmp_path: Path, words: tuple[str, ...]
) -> None:
    out = tmp_path / "pack.zip"
    status, _, err = run("learn", "collect", "--store", evening(), "--out", out, *words)
    assert status == 2
    assert "somebody must agree to it: --consent names who did and when" in err
    assert not out.exists()


def test_no_store_and_no_known_throw_are_told(run: Run, evening: Evening, tmp_path: Path) -> None:
    out = tmp_path / "pack.zip"
    status, _, err = collect_words(run, tmp_path / "none.sqlite3", out)
    assert status == 1
    assert "none.sqlite3 cannot be read" in err
    log = evening([])
    status, _, err = collect_words(run, log, out)
    assert status == 1
    assert "holds no throw whose true dice a person told" in err
    assert not out.exists()


def test_stills_that_are_gone_or_changed_are_left_out_and_counted(
    run: Run, evening: Evening, tmp_path: Path
) -> None:
    log, out = evening(), tmp_path / "pack.zip"
    (tmp_path / "stills" / "throw-000.jpg").unlink()
    (tmp_path / "stills" / "throw-001.jpg").write_bytes(b"another picture")
    status, text, _ = collect_words(run, log, out, "--json")
    assert status == 0
    (report,) = lines(text)
    assert report["throws"] == 10
    assert report["left_out"] == {
        "the still is not there any more": 1, "the still was changed since": 1,
    }  # fmt: skip


# --- packs ---------------------------------------------------------------------------------------


def test_damaged_packs_and_other_files_are_no_packs(
    run: Run, collected: Callable[..., Path], tmp_path: Path
) -> None:
    path = collected()
    whole = path.read_bytes()
    with pytest.raises(SourceError, match=r"none\.zip does not exist"):
        read_pack(tmp_path / "none.zip")
    middle = len(whole) // 2
    changed = whole[:middle] + bytes(byte ^ 255 for byte in whole[middle : middle + 40])
    for content in (b"", b"no zip", whole[:middle], changed + whole[middle + 40 :]):
        path.write_bytes(content)
        status, _, err = run("learn", "show", path)
        assert status == 1
        assert "is no pack of `schockauge learn collect`, or is damaged" in err
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pack.json", "{}")
    with pytest.raises(SourceError, match=r"pack\.json does not say"):
        read_pack(path)


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "0" * 64},
        {"how": "guessed"},
        {"dice": [{"box": [0, 0, 10, 10], "value": 7, "read": 1}]},
        {"dice": [{"box": [10, 0, 0, 10], "value": 1, "read": 1}]},
        {"file": "../../etc/passwd"},
    ],
)
def test_labels_that_cannot_be_are_refused(
    collected: Callable[..., Path], tmp_path: Path, change: dict[str, Any]
) -> None:
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(collected()) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "labels.jsonl":
                content = json.dumps({**json.loads(content.splitlines()[0]), **change}).encode()
            new.writestr(name, content)
    with pytest.raises(SourceError, match=r"bad\.zip is no pack"):
        read_pack(path)


def test_a_picture_in_two_packs_counts_once(collected: Callable[..., Path]) -> None:
    a, b = collected(name="a.zip"), collected(*THROWS[:3], name="b.zip")
    assert len(merged([read_pack(a), read_pack(b)])) == len(THROWS)


def test_show_counts_and_draws_the_dice(
    run: Run, collected: Callable[..., Path], tmp_path: Path
) -> None:
    path, sheet = collected(), tmp_path / "sheet.jpg"
    status, out, _ = run("learn", "show", path, "--sheet", sheet, "--json")
    assert status == 0
    (report,) = lines(out)
    assert (report["throws"], report["dice"], report["misread"]) == (12, 36, 10)
    assert report["values"] == {str(value): 6 for value in range(1, 7)}
    drawn = cv2.imread(str(sheet))
    assert drawn is not None
    assert drawn.shape[1] == 12 * 68 + 4
    status, out, _ = run("learn", "show", path)
    assert "12 throws, 36 dice, 10 of them misread" in out


# --- tune ----------------------------------------------------------------------------------------


def test_a_tuned_stage_reads_the_dice_and_goes_with_its_setting(
    run: Run, collected: Callable[..., Path], tmp_path: Path, blind: Path
) -> None:
    path, own = collected(), tmp_path / "own.npz"
    status, out, err = run("learn", "tune", path, "--out", own, "--models", blind, "--json")
    assert status == 0, err
    (report,) = lines(out)
    assert report["kept"]
    assert report["right_after"] == 36 > report["right_before"]
    settings = Settings({"model.folder": str(blind), "model.own_dice_file": str(own)})
    crop = np.full((1, 64, 64, 3), COLOURS[4], np.uint8)
    assert bootstrap_readers.table_namer(settings).shows(crop)[0].argmax() == 3
    shipped = settings.with_values({"model.own_dice_file": ""})
    assert bootstrap_readers.table_namer(shipped).shows(crop)[0] == pytest.approx(1 / 9)
    assert bootstrap_readers.model_version(settings).startswith("9.9-blind, own dice ")
    with pytest.raises(ModelError, match="was tuned for the namer"):
        bootstrap_readers.table_namer(settings.with_values({"model.folder": ""}))


def test_doctor_names_the_stage_and_a_missing_one(
    run: Run, collected: Callable[..., Path], tmp_path: Path, blind: Path
) -> None:
    own = tmp_path / "own.npz"
    assert run("learn", "tune", collected(), "--out", own, "--models", blind)[0] == 0
    toml = tmp_path / "table.toml"
    head = f'[web]\nport = 0\n[model]\nfolder = "{blind}"\n'
    for name, state, words in (
        ("", "ok", "none; the namer is as shipped"),
        (str(own), "ok", "from 12 throws: log loss"),
        ("none.npz", "failed", "none.npz does not exist"),
    ):
        toml.write_text(f'{head}own_dice_file = "{name}"\n')
        _, out, _ = run("doctor", "--settings", toml, "--json")
        check = {line["check"]: line for line in lines(out)}["own dice"]
        assert check["state"] == state
        assert words in check["text"]


def test_too_few_throws_and_a_model_without_features_are_told(
    run: Run, collected: Callable[..., Path], tmp_path: Path, blind: Path
) -> None:
    few, own = collected(*THROWS[:3]), tmp_path / "own.npz"
    status, _, err = run("learn", "tune", few, "--out", own, "--models", blind)
    assert status == 1
    assert "Only 3 confirmed throws, 8 are needed." in err
    bare = model_folder(tmp_path / "bare", features=False)
    status, _, err = run("learn", "tune", few, "--out", own, "--models", bare)
    assert status == 1
    assert "this model has no features" in err
    assert not own.exists()


def test_what_does_not_help_is_not_written(run: Run, tmp_path: Path, blind: Path) -> None:
    chance = np.random.default_rng(5)
    dice = [PackedDie(box, None, 1) for box in BOXES]
    throws = []
    for number in range(12):  # the values have nothing to do with the pictures
        values = chance.permutation(6)[:3] + 1
        told = tuple(
            PackedDie(die.box, int(value), 1) for die, value in zip(dice, values, strict=True)
        )
        picture = jpeg(painted((1, 2, 3), number))
        throws.append(PackedThrow(picture, told, (), "confirmed", "0.1.0"))
    content = about(throws, consent="x", date="2026-01-31", books=["turnier"], models={})
    path, own = tmp_path / "odd.zip", tmp_path / "own.npz"
    write_pack(path, Pack(tuple(throws), content))
    status, out, err = run("learn", "tune", path, "--out", own, "--models", blind)
    assert status == 0, err
    assert "Not written, all stays as it was" in out
    assert not own.exists()


# --- bench ---------------------------------------------------------------------------------------


def test_bench_measures_what_confirmed_photographs_are_worth(
    run: Run, tmp_path: Path, blind: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "pictures" / "ours"
    (source / "images").mkdir(parents=True)
    (source / "labels").mkdir()
    for number in range(20):
        values = THROWS[number % 12]
        (source / "images" / f"{number:02}.jpg").write_bytes(jpeg(painted(values, number)))
        (source / "labels" / f"{number:02}.txt").write_text("0 0.1 0.1 0.1 0.1\n")
    monkeypatch.setattr(
        learn_bench, "_found",
        lambda finder, photo: list(zip(BOXES, THROWS[int(photo.path.stem) % 12], strict=True)),
    )  # fmt: skip
    words = ("learn", "bench", tmp_path / "pictures", "--models", blind, "--draws", "1")
    status, out, err = run(*words, "--json")
    assert status == 0, err
    (row,) = lines(out)
    assert (row["source"], row["confirmed"], row["confirmed_dice"]) == ("ours", 12, 36)
    assert row["dice"] == 24
    assert row["kept"], row
    assert row["right"][1] == 24 > row["right"][0]
    assert run("learn", "bench", tmp_path / "pictures", "--draws", "0")[0] == 2
