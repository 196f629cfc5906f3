"""The command line: `schockauge COMMAND ...`.

Exit status 0: done; 1: a failure, told as `schockauge: error: ...` on stderr; 2: bad usage.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import NoReturn

COMMANDS = (
    "demo",
    "run",
    "read",
    "judge",
    "rules",
    "watch",
    "simulate",
    "replay",
    "statistics",
    "calibrate",
    "bench",
    "settings",
    "pin",
    "doctor",
    "export",
    "verify",
    "backup",
    "restore",
    "update",
    "learn",
    "hub",
    "pair",
    "uplink",
    "signals",
)
"""Modules of `device.commands`, in the order of the help."""

INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C ended."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors all begin the same way, whatever the command."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, exit with status 2."""
        self.print_usage(sys.stderr)
        print(f"schockauge: error: {message}", file=sys.stderr)
        raise SystemExit(2)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; every command has a help with an example."""
    parser = Parser(prog="schockauge", description="Camera referee for the pub dice game Schocken.")
    subparsers = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=Parser
    )
    for name in COMMANDS:
        import_module(f"device.commands.{name}").add_parser(subparsers)
    return parser


@contextmanager
def _stopped_like_ctrl_c() -> Iterator[None]:
    """Let SIGTERM, by which a service is stopped, end a command as tidily as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words after `schockauge`; None: those of this process.

    Returns:
        The exit status.
    """
    # Libraries inside OpenCV write their own remarks to stderr; ours say it in a sentence.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as done:  # help (0) or bad usage (2)
        return int(done.code or 0)
    return run(args)


def run(args: argparse.Namespace) -> int:
    """Run a parsed command and turn expected failures into a sentence and a status."""
    from device.errors import SchockaugeError, UsageError
    from models import ModelFileError
    from rules.errors import RulesError
    from vision.errors import VisionError

    try:
        with _stopped_like_ctrl_c():
            return int(import_module(f"device.commands.{args.command}").run(args))
    except UsageError as error:
        print(f"schockauge: error: {error}", file=sys.stderr)
        return 2
    except (SchockaugeError, VisionError, RulesError, ModelFileError) as error:
        print(f"schockauge: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
