"""The composition root: the only place that picks which camera, model, store and page are used."""

from __future__ import annotations

import time
from pathlib import Path

import models
from device.appliance import Appliance
from device.errors import SettingsError
from device.evidence import Evidence
from device.game import Game
from device.pipeline import Pipeline
from device.server import SPARE_THREADS, DashboardServer
from device.settings import Settings
from device.sources import Frame
from device.store import SqliteLog
from vision.calibration import MatCalibration, calibrate_from_markers, from_toml
from vision.detector import Detector, ValueReader
from vision.last_stage import LastStage, load_last_stage, sha256_of
from vision.reader import PhotoReader
from vision.watcher import Watcher
from web_ui import create_app


def detector(settings: Settings) -> Detector:
    """The detector with the weights that the settings name, or ours.

    Raises:
        ModelFileError: ours are missing or damaged.
        ModelError: the file named is no detector.
    """
    named = settings["model.detector_file"]
    weights = Path(named) if named else models.weights("detector")
    return Detector(weights, threads=settings["model.threads"])


def value_reader(settings: Settings) -> ValueReader:
    """The second witness with the weights that the settings name, or ours.

    Raises:
        ModelFileError: ours are missing or damaged.
        ModelError: the file named is no value reader, or the last stage is not one of its.
    """
    return ValueReader(
        _values_file(settings), threads=settings["model.threads"], last_stage=own_dice(settings)
    )


def own_dice(settings: Settings) -> LastStage | None:
    """The last stage tuned to the table's own dice; None when the settings name none.

    Raises:
        ModelError: the file named is missing, damaged or something else.
    """
    named = settings["model.own_dice_file"]
    return load_last_stage(Path(named)) if named else None


def values_sha256(settings: Settings) -> str:
    """Digest of the second reader's weights.

    Raises:
        ModelFileError, ModelError: they are missing or damaged.
    """
    return sha256_of(_values_file(settings))


def _values_file(settings: Settings) -> Path:
    named = settings["model.values_file"]
    return Path(named) if named else models.weights("values")


def photo_reader(settings: Settings) -> PhotoReader:
    """The reader of photographs.

    Raises:
        ModelFileError, ModelError: see `detector` and `value_reader`.
    """
    return PhotoReader(detector(settings), value_reader(settings), clock=time.perf_counter)


def model_version(settings: Settings) -> str:
    """What the log notes beside every throw: the version of our weights, or the files named.

    A last stage tuned to the table's own dice is named by the beginning of its digest.
    """
    named = [settings["model.detector_file"], settings["model.values_file"]]
    version = " + ".join(filter(None, named)) or models.manifest().version
    own = settings["model.own_dice_file"]
    return f"{version}, own dice {sha256_of(Path(own))[:12]}" if own else version


def find_mat(settings: Settings, frame: Frame) -> MatCalibration:
    """The calibration from its file, or from the markers in a frame.

    Raises:
        SettingsError: the file named cannot be read.
        CalibrationError: it is no calibration, or a marker is not visible.
    """
    named = settings["table.mat_file"]
    if not named:
        size_mm = (settings["table.mat_width_mm"], settings["table.mat_height_mm"])
        return calibrate_from_markers(frame.image_bgr, mat_size_mm=size_mm)
    try:
        text = Path(named).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The calibration {named} cannot be read: {error}. Make it with `schockauge calibrate`."
        ) from error
    return from_toml(text)


def watcher(settings: Settings, frame: Frame) -> Watcher:
    """A watcher of the mat that a frame shows.

    Raises:
        CalibrationError, SettingsError, ModelFileError, ModelError: see the functions above.
    """
    return Watcher(detector(settings), value_reader(settings), find_mat(settings, frame))


def build(settings: Settings) -> Appliance:
    """Put one table together.

    Raises:
        StoreError: the log cannot be opened.
        UnknownBook: no such rule book.
        ModelFileError, ModelError: no weights to read dice with.
    """
    first, second = detector(settings), value_reader(settings)
    log = SqliteLog(Path(settings["store.path"]))
    try:
        game = Game(
            log,
            book=settings["game.book"],
            players=settings["game.players"],
            clock=time.time,
        )
        pipeline = Pipeline(game)
        folder = settings["store.evidence_dir"]
        evidence = Evidence(Path(folder)) if folder else None
        app = create_app(
            log,
            pipeline.submit,
            {
                "EVIDENCE_DIR": None if evidence is None else str(evidence.folder),
                "DEFAULT_LANGUAGE": settings["web.language"],
                "TABLE_NAME": settings["web.table_name"],
                "STREAM_LIMIT": max(1, settings["web.threads"] - SPARE_THREADS),
            },
        )
    except BaseException:
        log.close()
        raise
    return Appliance(
        log=log,
        game=game,
        pipeline=pipeline,
        app=app,
        evidence=evidence,
        model_version=model_version(settings),
        make_watcher=lambda frame: Watcher(first, second, find_mat(settings, frame)),
    )


def serve(settings: Settings, appliance: Appliance) -> DashboardServer:
    """The dashboard's server, not started yet.

    Raises:
        PortInUseError: another program listens there.
    """
    return DashboardServer(
        appliance.app,
        host=settings["web.host"],
        port=settings["web.port"],
        threads=settings["web.threads"],
    )
