"""The composition root: the only place that picks which camera, model, store and page are used."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import models
from device.appliance import Appliance
from device.books import own_books
from device.calibrations import load_calibration, save_calibration
from device.evidence import Evidence
from device.evidence_settings import film_settings, retention_rules
from device.game import Game
from device.keeping import note_cut_off
from device.pin_file import FILE_NAME, PinFile
from device.pipeline import Pipeline
from device.places import find_mat, reseated, seats
from device.server import SPARE_THREADS, DashboardServer
from device.settings import Settings
from device.sources import Frame
from device.starting import Room
from device.store import SqliteLog
from vision.confidence import Confidence
from vision.detector import Detector
from vision.eye import Eye
from vision.last_stage import LastStage, load_last_stage, sha256_of
from vision.lying import Zones
from vision.margin import margin_in_view
from vision.reader import PhotoReader
from vision.readers import Namer, PipCounter
from vision.stance import StanceReader
from vision.watcher import Watcher, WatcherSettings
from web_ui import create_app
from web_ui.access import Access
from web_ui.pins import Pins


def manifest(settings: Settings) -> models.Manifest:
    """What is known of the weights that the settings name, or of ours.

    Raises:
        ModelFileError: the manifest is missing or damaged.
    """
    return models.manifest(_model_folder(settings))


def finder(settings: Settings) -> Detector:
    """The finder with the weights that the settings name, or ours.

    Raises:
        ModelFileError: they are missing or damaged.
        ModelError: the file is another network.
    """
    weights = models.weights("finder", _model_folder(settings))
    return Detector(weights, threads=settings["model.threads"])


def namer(settings: Settings) -> Namer:
    """The first witness with the weights that the settings name, or ours, tuned if they say so.

    Raises:
        ModelFileError: they are missing or damaged.
        ModelError: the file is another network, or the last stage is not one of its.
    """
    weights = models.weights("namer", _model_folder(settings))
    return Namer(weights, threads=settings["model.threads"], last_stage=own_dice(settings))


def own_dice(settings: Settings) -> LastStage | None:
    """The namer's last stage tuned to the table's own dice; None when the settings name none.

    Raises:
        ModelError: the file named is missing, damaged or something else.
    """
    named = settings["model.own_dice_file"]
    return load_last_stage(Path(named)) if named else None


def namer_sha256(settings: Settings) -> str:
    """Digest of the namer's weights, to which a last stage belongs.

    Raises:
        ModelFileError: they are missing or damaged.
    """
    return sha256_of(models.weights("namer", _model_folder(settings)))


def detector(settings: Settings) -> Eye:
    """The finder and the namer as one; errors as above."""
    return Eye(finder(settings), namer(settings))


def second_reader(settings: Settings) -> PipCounter:
    """The second witness with the weights that the settings name, or ours; errors as above."""
    weights = models.weights("pips", _model_folder(settings))
    return PipCounter(weights, threads=settings["model.threads"])


def stance_reader(settings: Settings) -> StanceReader:
    """The third witness with the weights that the settings name, or ours; errors as above."""
    weights = models.weights("stance", _model_folder(settings))
    return StanceReader(weights, threads=settings["model.threads"])


def photo_reader(settings: Settings) -> PhotoReader:
    """The reader of photographs.

    Raises:
        ModelFileError, ModelError: see `detector` and `second_reader`.
    """
    return PhotoReader(
        finder(settings),
        namer(settings),
        second_reader(settings),
        clock=time.perf_counter,
        confidence=Confidence.of(manifest(settings).reading),
    )


def model_version(settings: Settings) -> str:
    """What the log notes beside every throw: the version of the set of weights.

    A last stage tuned to the table's own dice is named by the beginning of its digest.
    """
    version = manifest(settings).version
    own = settings["model.own_dice_file"]
    return f"{version}, own dice {sha256_of(Path(own))[:12]}" if own else version


def _model_folder(settings: Settings) -> Path:
    return Path(settings["model.folder"] or models.FOLDER)


def watcher(settings: Settings, frame: Frame) -> Watcher:
    """A watcher of the mat that a frame shows.

    Raises:
        CalibrationError, SettingsError, SeatsError, ModelFileError, ModelError: see the functions
            above and `device.places`.
    """
    readers = detector(settings), second_reader(settings), stance_reader(settings)
    return _watcher(settings, *readers, frame)


def _watcher(
    settings: Settings,
    eye: Eye,
    second: PipCounter,
    stance: StanceReader,
    frame: Frame,
    players: Sequence[str] | None = None,
) -> Watcher:
    mat = find_mat(settings, frame)
    height, width = frame.image_bgr.shape[:2]
    seen = WatcherSettings(
        margin_mm=margin_in_view(mat, (width, height)),
        fov_deg=settings["table.camera_fov_deg"],
        zones=Zones.of_mat(mat.mat_size_mm),
    )
    around = seats(settings, mat.mat_size_mm, players=players)
    return Watcher(eye, second, mat, seen, seats=around, stance_reader=stance)


def _keep_die_mm(settings: Settings, die_mm: float) -> None:
    """Write the measured edge of the dice into the calibration file, if there is one."""
    if named := settings["table.mat_file"]:
        mat = load_calibration(Path(named))
        save_calibration(Path(named), replace(mat, die_mm=die_mm, die_measured=True))


def pins(settings: Settings) -> Pins:
    """The PINs of those who may act.

    Raises:
        StoreError: their file cannot be read or written.
    """
    named = settings["store.pins_file"]
    return Pins(PinFile(Path(named) if named else Path(settings["store.path"]).parent / FILE_NAME))


def build(settings: Settings) -> Appliance:
    """Put one table together.

    Raises:
        StoreError: the log or the PINs cannot be opened.
        UnknownBook, SourceError: no such rule book.
        ModelFileError, ModelError: no weights to read dice with.
        SeatsError: the mat has no room for the players.
    """
    seats(settings)  # said before the log is opened
    books = own_books([settings["game.book"]])
    eye, second, stance = detector(settings), second_reader(settings), stance_reader(settings)
    log = SqliteLog(Path(settings["store.path"]))
    try:
        game = Game(
            log,
            book=settings["game.book"],
            players=settings["game.players"],
            clock=time.time,
            weekday=settings["game.weekday"] or None,
        )
        seats(settings, players=game.match.players)
        room = Room(books, lambda players: seats(settings, players=players))
        pipeline = Pipeline(game, room)
        folder, margin_mm = settings["store.evidence_dir"], settings["store.evidence_margin_mm"]
        keys = pins(settings)
        first_pin = keys.begin()
        evidence = Evidence(Path(folder), margin_mm=margin_mm) if folder else None
        if evidence is not None:
            evidence.clear_parts()
        note_cut_off(log, game.note)
        app = create_app(
            log,
            pipeline.submit,
            {
                "TABLE_NEEDS_PIN": settings["web.table_needs_pin"],
                "SIGNED_IN_S": settings["web.signed_in_h"] * 3600.0,
                "HOST_NAMES": settings["web.host_names"],
                "EVIDENCE_DIR": None if evidence is None else str(evidence.folder),
                "DEFAULT_LANGUAGE": settings["web.language"],
                "TABLE_NAME": settings["web.table_name"],
                "HOUSE_BOOKS": books,
                "WEEKDAY": settings["game.weekday"],
                "LAYOUT": settings["table.layout"],
                "FIXED_SEATS": tuple(settings["table.seats"]),
                "PUBLIC_URL": settings["web.public_url"],
                "STREAM_LIMIT": max(1, settings["web.threads"] - SPARE_THREADS),
            },
            access=Access(keys, note=game.note),
            preview=pipeline.preview,
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
        make_watcher=lambda f: _watcher(settings, eye, second, stance, f, game.match.players),
        reseat=lambda watcher: reseated(settings, watcher, game.match.players),
        keep_die_mm=lambda die_mm: _keep_die_mm(settings, die_mm),
        first_pin=first_pin,
        film=film_settings(settings),
        retention=retention_rules(settings),
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
