"""One set of readers for everybody who looks at a table."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import models
from device import bootstrap, bootstrap_readers
from device.bootstrap_readers import table_readers
from device.settings import Settings
from vision.errors import ModelError
from vision.outline_judge import OutlineJudge
from vision.readers import PipCounter


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is made anew, without networks."""
    bootstrap_readers._built.cache_clear()
    names: list[str] = []

    def maker(name: str) -> Any:
        def make(settings: Settings) -> object:
            names.append(name)
            return object()

        return make

    for name in ("detector", "second_reader", "stance_reader"):
        monkeypatch.setattr(bootstrap_readers, name, maker(name))
    yield names
    bootstrap_readers._built.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Our weights, copied."""
    for name in ("manifest.json", "weights"):
        source = models.FOLDER / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    return tmp_path


def test_appliance_and_test_throws_share_one_set(made: list[str], monkeypatch: Any):
    settings = Settings()
    used: list[tuple[object, ...]] = []
    monkeypatch.setattr(bootstrap, "_watcher", lambda settings, *given: used.append(given[:3]))
    make, _ = bootstrap._loaded(settings)
    make(None, ())
    bootstrap.watcher(settings.with_values({"game.players": ["A", "B"]}), None)
    again, _ = bootstrap._loaded(settings.with_values({"web.table_name": "Tisch 1"}))
    again(None, ())
    assert len(made) == 3
    assert used[0] == used[1] == used[2]


def test_other_settings_of_the_model_make_others(made: list[str]):
    one = table_readers(Settings())
    assert table_readers(Settings({"model.threads": 1})) is not one
    assert len(made) == 6


def test_the_same_name_with_another_file_makes_others(made: list[str], folder: Path):
    settings = Settings({"model.folder": str(folder)})
    one = table_readers(settings)
    assert table_readers(settings) is one
    pips = folder / "weights" / "table_pips.onnx"
    before = bootstrap_readers.sha256_of(pips)
    pips.write_bytes(pips.read_bytes() + b" ")
    manifest = folder / "manifest.json"
    after = bootstrap_readers.sha256_of(pips)
    manifest.write_text(manifest.read_text("utf-8").replace(before, after), encoding="utf-8")
    models.manifest.cache_clear()
    assert table_readers(settings) is not one


def test_a_file_damaged_meanwhile_is_found(made: list[str], folder: Path):
    settings = Settings({"model.folder": str(folder)})
    table_readers(settings)
    (folder / "weights" / "finder.onnx").write_bytes(b"no network")
    with pytest.raises(models.ModelFileError, match="finder"):
        table_readers(settings)


def test_own_dice_that_are_not_there_are_named(made: list[str], tmp_path: Path):
    named = str(tmp_path / "own.npz")
    with pytest.raises(ModelError, match=r"own\.npz"):
        table_readers(Settings({"model.own_dice_file": named}))
    assert made == []


def test_a_table_has_readers_of_its_own_and_a_folder_without_them_those_of_photographs(
    folder: Path,
):
    def digests() -> tuple[str, str]:
        models.manifest.cache_clear()
        settings = Settings({"model.folder": str(folder)})
        at_table, on_photographs = (
            bootstrap_readers.namer_sha256(settings, at_table=where) for where in (True, False)
        )
        return at_table, on_photographs

    at_table, on_photographs = digests()
    assert at_table != on_photographs
    file = folder / "manifest.json"
    told = json.loads(file.read_text("utf-8"))
    for name in ("table_namer", "table_pips"):
        del told["networks"][name]
    file.write_text(json.dumps(told), encoding="utf-8")
    assert digests() == (on_photographs, on_photographs)


def test_photographs_are_counted_by_their_own_pip_finder_and_throws_by_the_tables(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bootstrap_readers, "PipCounter", lambda file, threads: file.name)
    settings = Settings({"model.folder": str(folder)})
    assert bootstrap_readers.counter(settings) == "pips.onnx"
    second = bootstrap_readers.second_reader(settings)
    assert isinstance(second, OutlineJudge)
    assert second.counter == "table_pips.onnx"


def test_a_folder_of_weights_from_before_outlines_is_read_as_before(folder: Path):
    settings = Settings({"model.folder": str(folder)})
    _, second, _ = table_readers(settings)
    assert isinstance(second, OutlineJudge)
    file = folder / "manifest.json"
    told = json.loads(file.read_text("utf-8"))
    del told["networks"]["outline"]
    file.write_text(json.dumps(told), encoding="utf-8")
    models.manifest.cache_clear()
    _, second, _ = table_readers(settings)
    assert isinstance(second, PipCounter)


@pytest.mark.parametrize("name", ["pips", "table_pips", "outline"])
def test_every_network_is_compared_with_its_digest(folder: Path, name: str):
    settings = Settings({"model.folder": str(folder)})
    bootstrap_readers.check_weights(settings)
    (folder / "weights" / f"{name}.onnx").write_bytes(b"no network")
    with pytest.raises(models.ModelFileError, match=rf"/{name}\.onnx"):
        bootstrap_readers.check_weights(settings)
