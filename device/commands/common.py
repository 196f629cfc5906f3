"""What several commands share: options, lines of JSON, a progress bar."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from device.settings import BY_NAME, Settings, load_settings

Item = TypeVar("Item")


def new_parser(
    subparsers: Any, name: str, help_line: str, *, example: str, epilog: str = ""
) -> argparse.ArgumentParser:
    """Add a command whose help ends with an example."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=help_line,
        description=help_line,
        epilog="\n".join(filter(None, [epilog, f"example:\n  {example}"])),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`: one JSON object a line on stdout and nothing else."""
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """`--settings FILE`."""
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="settings file (TOML); default: none"
    )


def add_models(parser: argparse.ArgumentParser) -> None:
    """`--settings` and `--models DIR`."""
    add_settings(parser)
    parser.add_argument(
        "--models", metavar="DIR", help="folder with manifest.json and weights; default: ours"
    )


def help_of(name: str) -> str:
    """The help of an option that stands for a setting: the setting's own, with its default."""
    setting = BY_NAME[name]
    default = json.dumps(setting.default, ensure_ascii=False)
    return f"{setting.help} Setting {name}, default {default}".replace("%", "%%")


def settings_from(args: argparse.Namespace, **changed: Any) -> Settings:
    """The settings file's values, changed by the options that were given."""
    options = {
        "model.folder": getattr(args, "models", None),
        **{name.replace("__", "."): value for name, value in changed.items()},
    }
    return load_settings(args.settings).with_values(options)


def tell_first_pin(pin: str | None) -> None:
    """Show the landlord's generated PIN on the console until somebody has signed in with it."""
    if pin is not None:
        print(
            f"Erste PIN des Wirts: {pin} (damit anmelden, unter /pins die anderen setzen)",
            file=sys.stderr,
        )


def print_json(record: Mapping[str, Any]) -> None:
    """Print one line of JSON, at once, so that a reader at the other end sees it now."""
    print(json.dumps(record, ensure_ascii=False), flush=True)


def progress(items: Iterable[Item], *, total: int | None, unit: str) -> Iterator[Item]:
    """Hand the items on under a bar on stderr; without a terminal there is no bar."""
    from tqdm import tqdm

    yield from tqdm(items, total=total, unit=unit, file=sys.stderr, disable=None, leave=False)


def need_hub() -> None:
    """Check that what the hub needs is installed.

    Raises:
        HubError: it is not.
    """
    from importlib.util import find_spec

    from device.errors import HubError

    missing = [name for name in ("sqlalchemy", "alembic", "tenacity") if find_spec(name) is None]
    if missing:
        raise HubError(
            f"The hub needs {', '.join(missing)}: pip install 'schockauge[hub]' (in a checkout: "
            "make hub)"
        )
