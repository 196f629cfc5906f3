"""`schockauge settings`: every setting with default, unit and help."""

from __future__ import annotations

import argparse
import json
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)
from device.settings import SETTINGS, Setting

MARKDOWN_HEAD = """# Settings

Made by `schockauge settings --markdown`; a test keeps it so. Values are set in one TOML file
(`--settings FILE`), the part before the point being the section:

```toml
[game]
book = "turnier"
players = ["Anna", "Bert", "Cem"]
```

| setting | default | unit | what it does |
|---|---|---|---|"""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "settings",
        "List every setting with its value, unit and help.",
        example="schockauge settings --settings table.toml",
    )
    add_settings(parser)
    add_json(parser)
    parser.add_argument("--markdown", action="store_true", help="print docs/settings.md")


def run(args: argparse.Namespace) -> int:
    """List the settings."""
    settings = settings_from(args)
    if args.markdown:
        print(MARKDOWN_HEAD)
    for setting in SETTINGS:
        value = settings[setting.name]
        if args.json:
            print_json(
                {
                    "name": setting.name,
                    "value": value,
                    "default": setting.default,
                    "unit": setting.unit,
                    "help": setting.help,
                }
            )
        elif args.markdown:
            print(markdown_row(setting))
        else:
            unit = f" {setting.unit}" if setting.unit else ""
            print(f"{setting.name} = {_toml(value)}{unit}\n    {setting.help}")
    return 0


def markdown_row(setting: Setting) -> str:
    """One line of the table in docs/settings.md."""
    return f"| `{setting.name}` | `{_toml(setting.default)}` | {setting.unit} | {setting.help} |"


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
