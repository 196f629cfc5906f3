"""What is looked at once, before an evening; the other half of `device.health.checks`.

Each of these returns what it found, or raises with what is wrong and what to do.
"""

from __future__ import annotations

import json
import platform
import socket
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.request import HTTPErrorProcessor, ProxyHandler, build_opener

from device.errors import SchockaugeError
from device.health.state import Check, Group, Measure, Measured, State, Words
from device.health.subject import Subject
from device.settings import Settings

CONNECT_S = 3.0
"""How long the hub's broker, or a Schockauge that runs already, may take to answer."""

EXPECTED = (SchockaugeError, OSError, ImportError, ValueError, RuntimeError)
"""Failures that say in a sentence what is wrong; of others the kind is told, too."""

Look = Callable[[Settings], str]


def proving(look: Look) -> Measure:
    """A measure that is good when a look at the settings raises nothing."""

    def measure(subject: Subject) -> Measured:
        try:
            said, state = look(subject.settings), State.GOOD
        except EXPECTED as error:
            said, state = str(error), State.BAD
        except Exception as error:  # a check that breaks is a finding, not the end of the list
            said, state = f"{type(error).__name__}: {error}", State.BAD
        return Measured(None, (said, said), state)

    return measure


def _proof(key: str, title: Words, look: Look, todo: Words, *, needed: bool = True) -> Check:
    return Check(key, title, Group.SET_UP, proving(look), todo, needed=needed)


def _python(_: Settings) -> str:
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        raise ValueError(f"Python {platform.python_version()}, expected 3.11 to 3.13.")
    return f"{platform.python_version()} on {platform.machine()}"


def _packages(_: Settings) -> str:
    names = ("numpy", "opencv-python-headless", "openvino", "pillow", "flask", "waitress")
    others = [d.metadata["Name"] for d in metadata.distributions() if _is_second_opencv(d)]
    if others:
        raise ImportError(f"{', '.join(others)} overwrites opencv-python-headless: uninstall it.")
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)


def _is_second_opencv(distribution: metadata.Distribution) -> bool:
    name = (distribution.metadata["Name"] or "").lower().replace("_", "-")
    return name.startswith("opencv") and name != "opencv-python-headless"


def _models(settings: Settings) -> str:
    import numpy as np

    from device import bootstrap_readers

    bootstrap_readers.check_weights(settings)
    reading = bootstrap_readers.photo_reader(settings).read(np.zeros((64, 64, 3), np.uint8))
    return f"finder, namer and pip counter load and run ({reading.ms:.0f} ms on an empty picture)"


def _own_dice(settings: Settings) -> str:
    from device import bootstrap_readers

    stage = bootstrap_readers.own_dice(settings)
    if stage is None:
        return "none; the namer is as shipped"
    stage.check_base(bootstrap_readers.namer_sha256(settings))
    notes = stage.notes
    return (
        f"{settings['model.own_dice_file']}, from {notes.get('throws')} throws: log loss "
        f"{notes.get('log_loss_before')} -> {notes.get('log_loss_after')} on throws left out"
    )


def _seats(settings: Settings) -> str:
    from device import places

    around = places.seats(settings)
    return ", ".join(seat.name for seat in around) or "none: one throwing zone for all"


def _calibration(settings: Settings) -> str:
    from device.calibrations import load_calibration

    named = settings["table.mat_file"]
    if not named:
        return "none; the mat is found by its markers"
    mat = load_calibration(Path(named))
    width, height = mat.mat_size_mm
    lens = "no lens" if mat.lens is None else f"lens measured to {mat.lens.rms_px:.2f} px"
    dice = "measured" if mat.die_measured else "assumed"
    return f"{named}: mat {width:g} x {height:g} mm, {lens}, dice {mat.die_mm:g} mm ({dice})"


def _book(settings: Settings) -> str:
    from rules import find_book

    return find_book(settings["game.book"]).title_de


def page_url(settings: Settings) -> str | None:
    """Where the table's page is for this machine; None: at any free port, so nobody knows."""
    host, port = settings["web.host"], settings["web.port"]
    host = "127.0.0.1" if host in ("0.0.0.0", "", "::") else host
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/" if port else None


def running(settings: Settings) -> dict[str, Any] | None:
    """What a Schockauge that runs on the settings' port says at `/healthz`; None: there is none."""
    url = page_url(settings)
    if url is None:
        return None
    ask = build_opener(ProxyHandler({}), _AnyStatus())
    try:
        with ask.open(f"{url}healthz", timeout=CONNECT_S) as answer:
            told = json.load(answer)
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and isinstance(told.get("status"), str) else None


class _AnyStatus(HTTPErrorProcessor):
    """503 is an answer, too."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response


def _port(settings: Settings) -> str:
    host, port = settings["web.host"], settings["web.port"]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family):
            return f"{host}:{port} is free"
    except OSError as error:
        if (told := running(settings)) is not None:
            if told.get("seq") is None:  # there is a page, and no table behind it
                why = ", ".join(map(str, told.get("faults", ()))) or "no reason"
                raise OSError(
                    f"Schockauge at {host}:{port} has no table ({why}): nothing is recorded. Its "
                    "page says why."
                ) from error
            return f"Schockauge runs at {host}:{port} and says {told['status']}"
        raise OSError(f"{host}:{port} cannot be used: {error.strerror}; set web.port.") from error


def _hub(settings: Settings) -> str:
    from device.pairing_file import load_pairing

    named = settings["hub.pairing_file"]
    if not named:
        return "none; the table plays for itself"
    pairing = load_pairing(Path(named))
    host, port = pairing.access.host, pairing.access.port
    try:
        socket.create_connection((host, port), CONNECT_S).close()
    except OSError as error:
        raise OSError(
            f"{pairing.table} is paired, but nothing answers at {host}:{port}: {error}. The game "
            "goes on without; check the network and whether the hub runs."
        ) from error
    return f"paired as {pairing.table}; {host}:{port} answers"


def _broker(settings: Settings) -> str:
    """Only a hub needs it."""
    from device.hub.broker import is_running
    from device.hub.broker_folder import find_mosquitto
    from device.hub.paired import PairedFile

    folder, program = Path(settings["hub.folder"]), find_mosquitto()
    if not (folder / "paired.json").exists():
        return f"{program}; no hub in {folder}"
    tables = len(PairedFile(folder / "paired.json").read().tables)
    runs = is_running(folder.resolve() / "mosquitto" / "mosquitto.conf")
    return f"{program}; {tables} tables paired in {folder}, {'runs' if runs else 'does not run'}"


def _source(settings: Settings) -> str:
    from device.camera_settings import camera_settings
    from device.sources import open_source, shown

    spec = settings["table.source"]
    with open_source(spec, camera_settings(settings)) as source:
        frame = next(iter(source))
        height, width = frame.image_bgr.shape[:2]
        return f"{shown(spec)} gives pictures of {width} x {height}"


def _signals(settings: Settings) -> str:
    from device.signal_panel import Presses, open_panel
    from device.signal_settings import PANELS, signal_settings

    asked = signal_settings(settings)
    if asked.panel != PANELS[0]:
        open_panel(asked, Presses(short=lambda: None, long=lambda: None)).close()
    return f"{asked}"


def _demo(_: Settings) -> str:
    from device import demo_material

    return str(demo_material.clip())


_AGAIN: Words = ("Schockauge neu installieren.", "Install Schockauge again.")
_SETTING: Words = (
    "Die genannte Einstellung ändern; `schockauge settings` erklärt sie.",
    "Change the setting that is named; `schockauge settings` explains it.",
)

SET_UP_CHECKS = (
    _proof("python", ("Python", "Python"), _python, _AGAIN),
    _proof("packages", ("Pakete", "Packages"), _packages, _AGAIN),
    _proof("models", ("Netze laufen", "Networks run"), _models, _AGAIN),
    _proof("own_dice", ("Eigene Würfel", "Own dice"), _own_dice, _SETTING),
    _proof("calibration", ("Kalibrierung", "Calibration"), _calibration, _SETTING),
    _proof("rule_book", ("Regelwerk", "Rule book"), _book, _SETTING),
    _proof("seats", ("Plätze", "Seats"), _seats, _SETTING),
    _proof("port", ("Adresse der Anzeige", "Address of the page"), _port, _SETTING),
    _proof(
        "hub",
        ("Turnierleitung", "Tournament's hub"),
        _hub,
        ("Netz prüfen, sonst neu koppeln.", "Check the network, or pair the table anew."),
    ),
    _proof(
        "broker",
        ("Broker der Turnierleitung", "The hub's broker"),
        _broker,
        ("Nur die Turnierleitung braucht ihn.", "Only the hub needs it."),
        needed=False,
    ),
    _proof(
        "source",
        ("Kamera oder Film", "Camera or clip"),
        _source,
        (
            "Kamera anschließen oder table.source ändern; bis dahin wird von Hand gespielt.",
            "Connect the camera, or change table.source; until then play is by hand.",
        ),
        needed=False,
    ),
    _proof(
        "signals",
        ("Lampe, Summer, Taster", "Lamp, buzzer, button"),
        _signals,
        (
            "Drähte und die Einstellungen signals.… prüfen; das Spiel geht ohne sie.",
            "Check the wires and the settings signals.…; the game goes on without them.",
        ),
        needed=False,
    ),
    _proof(
        "demo_clip",
        ("Film der Vorführung", "Clip of the demo"),
        _demo,
        ("Nur `schockauge demo` braucht ihn.", "Only `schockauge demo` needs it."),
        needed=False,
    ),
)
"""What an evening needs; the last four are only named."""
