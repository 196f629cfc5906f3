"""`schockauge signals`: what the lamp says, and a test of lamp, buzzer and button."""

from __future__ import annotations

import argparse
import threading
import time
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)

SECONDS = 3.0
"""So long each signal is shown."""
MOST_S = 3600.0
PRESS_S = 15.0
"""So long the button is waited for."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "signals",
        "Tell what the lamp on the table says, or play it all: lamp, buzzer, button.",
        example="schockauge signals test --settings table.toml",
        epilog="Not while the table runs: it holds the pins.\n",
    )
    parser.add_argument("what", choices=("list", "test"), help="tell, or play one after the other")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=SECONDS,
        metavar="S",
        help=f"how long each signal is shown; default: {SECONDS:g}",
    )
    add_json(parser)
    add_settings(parser)


def _seconds(words: str) -> float:
    """How long to wait: a number, not below 0 and no longer than an hour."""
    try:
        seconds = float(words)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_S:
        raise argparse.ArgumentTypeError(f"{words!r} is no time, expected 0 to {MOST_S:g} seconds")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Tell or play."""
    from device.errors import UsageError
    from device.signal_settings import PANELS, signal_settings

    settings = signal_settings(settings_from(args))
    if args.what == "list":
        _list(as_json=args.json)
        return 0
    if settings.panel == PANELS[0]:
        raise UsageError(
            'signals.panel is "none"; set it to "gpio" (or "console") in the settings.'
        )
    return _test(args, settings)


def _list(*, as_json: bool) -> None:
    from device.signal_table import SIGNALS

    for signal in SIGNALS:
        if as_json:
            names = {"signal": signal.name, "colour": signal.colour_name, "rhythm": signal.rhythm}
            print_json({**names, "text_de": signal.says[0], "text_en": signal.says[1]})
        else:
            print(f"{signal.name:<12} {signal.colour_name:<6} {signal.rhythm:<24} {signal.says[1]}")


def _test(args: argparse.Namespace, settings: Any) -> int:
    from device.signal_panel import Presses, open_panel
    from device.signal_settings import GPIO
    from device.signal_table import SIGNALS

    pressed: list[str] = []
    came = threading.Event()

    def told(how: str) -> None:
        pressed.append(how)
        came.set()

    def say(what: str, text: str) -> None:
        print_json({"part": what, "text": text}) if args.json else print(f"{what}: {text}")

    presses = Presses(short=lambda: told("short"), long=lambda: told("long"))
    panel = open_panel(settings, presses)
    try:
        say("pins", str(settings))
        for signal in SIGNALS:
            say("lamp", f"{signal.colour_name}, {signal.rhythm}: {signal.says[1]}")
            panel.show(signal)
            time.sleep(args.seconds)
        say("buzzer", "two short beeps")
        panel.buzz()
        time.sleep(min(1.0, args.seconds))
        if settings.panel != GPIO or settings.button_pin is None:
            return 0
        say("button", f"press it now, within {PRESS_S:g} s")
        if not came.wait(PRESS_S):
            say("button", f"nothing came from GPIO{settings.button_pin}; check its two wires")
            return 1
        say("button", f"a {pressed[0]} press")
        return 0
    finally:
        panel.close()
