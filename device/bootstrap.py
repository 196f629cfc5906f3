"""The composition root: the only place that picks which camera, model, store and page are used."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from device import bootstrap_readers
from device.appliance import Appliance
from device.books import own_books
from device.calibrations import keep_die_mm
from device.evidence import Evidence
from device.evidence_settings import film_settings, retention_rules
from device.faults import FAULTS
from device.game import Game
from device.health.assembling import monitor_of, watched_by
from device.health.storing import why_not_writable
from device.hosting import Hosting
from device.hub_table import table_side
from device.hub_wire import Seating
from device.keeping import note_cut_off
from device.page_settings import at_once, page_settings
from device.pairing_file import load_pairing
from device.pin_file import PinFile, pins_path
from device.pipeline import Pipeline
from device.places import find_mat, reseated, seats
from device.restarting import Restart
from device.server import DashboardServer
from device.settings import Settings
from device.settings_desk import SettingsDesk
from device.sightless import MakeWatcher, or_sightless
from device.sources import Frame
from device.starting import Room
from device.store import SqliteLog
from device.unwritten import Unwritten, by_hand
from device.uplink import Uplink
from vision.detections import ValueWitness
from vision.eye import Eye
from vision.lying import Zones
from vision.margin import margin_in_view
from vision.stance import StanceReader
from vision.watcher import Watcher, WatcherSettings
from web_ui import create_app
from web_ui.access import Access
from web_ui.pins import Pins
from web_ui.setup_ports import SetUp


def watcher(settings: Settings, frame: Frame) -> Watcher:
    """A watcher of the mat that a frame shows.

    Raises:
        CalibrationError, SettingsError, SeatsError, ModelFileError, ModelError: see the functions
            above and `device.places`.
    """
    readers = bootstrap_readers.table_readers(settings)
    return _watcher(settings, *readers, frame)


def _watcher(
    settings: Settings,
    eye: Eye,
    second: ValueWitness,
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


def pins(settings: Settings) -> Pins:
    """The PINs of those who may act.

    Raises:
        StoreError: their file cannot be read or written.
    """
    return Pins(PinFile(pins_path(settings)))


Seat = Callable[[Appliance, Seating], None]
"""Lets a table play what the hub has drawn; called from the uplink's thread, after a start also for
what is played already."""


def _play_what_was_drawn(appliance: Appliance, seating: Seating) -> None:
    if appliance.hosting is not None:
        appliance.hosting.seat(seating)


def build(
    settings: Settings,
    seat: Seat | None = None,
    *,
    settings_file: Path | None = None,
    setup: SetUp | None = None,
) -> Appliance:
    """Put one table together.

    Args:
        settings: of the table.
        seat: what it does when the hub seats players; None: it plays what was drawn.
        setup: sets the table up from its pages; None: it cannot be.
        settings_file: which the landlord changes from the page; None: there is none.

    Raises:
        SchockaugeError: the pairing with the hub cannot be used.
        StoreError: the log or the PINs cannot be opened.
        UnknownBook, SourceError: no such rule book.
        ModelFileError, ModelError: no weights to read dice with.
        SeatsError: the mat has no room for the players.
    """
    seats(settings)  # said before the log is opened
    paired = settings["hub.pairing_file"]
    pairing = load_pairing(Path(paired)) if paired else None
    books = own_books([settings["game.book"]])
    named = bool(settings["model.folder"] or settings["model.own_dice_file"])
    make_watcher, version, blind = or_sightless(lambda: _loaded(settings), named=named)
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
        unwritten = Unwritten(game.note, game.left_open().faults)
        restarting = Restart()
        desk = SettingsDesk(
            settings_file,
            settings,
            note=game.note,
            restarting=restarting,
            held=lambda: unwritten.held,
        )
        monitor = monitor_of(settings)
        app = create_app(
            log,
            by_hand(pipeline.submit, unwritten),
            page_settings(settings, evidence, books),
            access=Access(keys, note=game.note),
            preview=pipeline.preview,
            setup=setup,
            table_settings=desk,
            monitor=monitor,
            alarms=unwritten.alarms,
        )
        desk.take_over = lambda now: app.config.update(at_once(now))
    except BaseException:
        log.close()
        raise
    appliance = Appliance(
        log=log,
        game=game,
        pipeline=pipeline,
        app=app,
        evidence=evidence,
        model_version=version,
        make_watcher=lambda frame: make_watcher(frame, game.match.players),
        blind=blind,
        reseat=lambda watcher: reseated(settings, watcher, game.match.players),
        keep_die_mm=lambda die_mm: keep_die_mm(settings["table.mat_file"], die_mm),
        first_pin=first_pin,
        film=film_settings(settings),
        retention=retention_rules(settings),
        unwritten=unwritten,
        vitals=monitor.vitals,
        monitor=monitor,
        restarting=restarting,
        _faults=set(game.left_open().faults & FAULTS.keys()),
    )
    if pairing is not None:
        appliance.hosting = Hosting(log, game.note, pipeline.submit)
        side = table_side(appliance, settings, seat or _play_what_was_drawn)
        appliance.uplink = Uplink(log, pairing, side)
    watched_by(monitor, appliance)
    if why_not_writable(log.path) is not None:
        unwritten.failed()  # said now, not with the first throw
    return appliance


def _loaded(settings: Settings) -> tuple[MakeWatcher, str]:
    """How watchers are made with the weights, and their version; errors as of `watcher`."""
    readers = bootstrap_readers.table_readers(settings)
    version = bootstrap_readers.model_version(settings)
    return lambda frame, players: _watcher(settings, *readers, frame, players), version


def serve(settings: Settings, app: Any) -> DashboardServer:
    """The server of a table's pages, not started yet.

    Args:
        settings: of the table.
        app: what it serves (WSGI).

    Raises:
        PortInUseError: another program listens there.
    """
    return DashboardServer(
        app, host=settings["web.host"], port=settings["web.port"], threads=settings["web.threads"]
    )
