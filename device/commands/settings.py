"""`schockauge settings`: every setting with default, unit and help; a file checked and changed."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from device.commands.common import (
    add_json,
    add_settings,
    new_parser,
    print_json,
    settings_from,
)
from device.errors import SettingsError, UsageError
from device.setting import Value
from device.settings import BY_NAME, SETTINGS, Setting, inspect, known, read_settings
from device.settings_problem import BadSettingsError, Problem

MARKDOWN_HEAD = """# Settings

Made by `schockauge settings --markdown`; a test keeps it so. Values are set in one TOML file
(`--settings FILE`), the part before the point being the section:

```toml
[game]
book = "turnier"
players = ["Anna", "Bert", "Cem"]
```

`schockauge settings --template` prints one to begin with, `--check FILE` tells every mistake with
its line, `--schema` prints what an editor needs to check it while typing
([settings.schema.json](settings.schema.json)). How settings are changed at the page, and what
happens to a table whose file is broken: [changing settings](changing_settings.md).

*At once*: a change from the page takes effect at once, all others with the next start. *Page*: may
be changed from the page.

| setting | default | unit | at once | page | what it does |
|---|---|---|---|---|---|"""

BY = "console"
"""Who has changed the file, in the list of its versions."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "settings",
        "List every setting with its value, unit and help; check and change a settings file.",
        example="schockauge settings --template > table.toml\n"
        "  schockauge settings --check table.toml\n"
        "  schockauge settings --settings table.toml --set web.table_name=Ecke "
        "--set game.players=Anna,Bert\n"
        "  schockauge settings --settings table.toml --history\n"
        "  schockauge settings --settings table.toml --restore 3",
        epilog="--set keeps comments and order of the file. Every earlier content is kept in\n"
        "FILE.versions.\n",
    )
    add_settings(parser)
    add_json(parser)
    parser.add_argument("--markdown", action="store_true", help="print docs/settings.md")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of the file")
    parser.add_argument("--template", action="store_true", help="print a file to begin with")
    parser.add_argument("--check", type=Path, metavar="FILE", help="tell every mistake of a file")
    parser.add_argument(
        "--set", action="append", metavar="NAME=VALUE", help="change a setting; lists with commas"
    )
    parser.add_argument(
        "--unset", action="append", metavar="NAME", help="put a setting back to its default"
    )
    parser.add_argument("--history", action="store_true", help="list the versions of the file")
    parser.add_argument("--restore", type=int, metavar="N", help="take an earlier version back")


def run(args: argparse.Namespace) -> int:
    """List, print, check or change."""
    if args.check is not None:
        return _check(args.check, as_json=args.json)
    if args.set or args.unset or args.history or args.restore is not None:
        return _change(args)
    if args.schema:
        from device.settings_schema import schema

        print(json.dumps(schema(), ensure_ascii=False, indent=1))
    elif args.template:
        from device.settings_template import template

        print(template(), end="")
    else:
        _list(args)
    return 0


def _list(args: argparse.Namespace) -> None:
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


def _check(path: Path, *, as_json: bool) -> int:
    """Tell everything that is wrong with a file and with what it names."""
    from device.settings_sense import problems_of

    seen = inspect(read_settings(path))
    found = list(seen.problems)
    found += [problem.at(seen.lines.get(problem.name)) for problem in problems_of(seen.settings())]
    if as_json:
        for problem in found:
            print_json(
                {
                    "file": str(path),
                    "line": problem.line,
                    "name": problem.name,
                    "text": problem.text_en,
                }
            )
        return 1 if found else 0
    if found:
        raise BadSettingsError(found, path)
    print(f"{path} is sound.")
    return 0


def _change(args: argparse.Namespace) -> int:
    from device.settings_file import SettingsFile
    from device.settings_sense import no_worse

    if args.settings is None:
        raise UsageError("name the file with --settings FILE.")
    file = SettingsFile(args.settings, check=no_worse)
    if args.restore is not None:
        file.restore(args.restore, by=BY, at_s=time.time())
        print(f"{args.settings} is as in version {args.restore} again.")
    elif args.set or args.unset:
        values = _assigned(args.set or []) | dict.fromkeys(args.unset or [])
        is_new = not file.path.exists()
        file.change(values, by=BY, at_s=time.time())
        made = " It was not there before and is a new file." if is_new else ""
        print(f"{args.settings}: {', '.join(values)} changed.{made}")
    else:
        _tell_history(file.versions(), as_json=args.json)
    return 0


def _assigned(words: list[str]) -> dict[str, Value | None]:
    """The values of some words NAME=VALUE."""
    from device.settings_typed import IN_SHELL, typed

    values: dict[str, Value | None] = {}
    problems = []
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"--set {word}: expected NAME=VALUE.")
        known([name])
        value = typed(BY_NAME[name], text, separator=IN_SHELL)
        if isinstance(value, Problem):
            problems.append(value)
        else:
            values[name] = value
    if problems:
        raise BadSettingsError(problems)
    return values


def _tell_history(versions: Any, *, as_json: bool) -> None:
    if not versions and not as_json:
        raise SettingsError("This file has no earlier versions: nothing has changed it yet.")
    for version in versions:
        if as_json:
            told = {"version": version.number, "at_s": version.at_s, "by": version.by}
            print_json({**told, "changed": list(version.changed)})
        else:
            when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(version.at_s))
            by = version.by or "in the file itself"
            print(f"{version.number:>4}  {when}  {by}: {', '.join(version.changed) or '-'}")


def markdown_row(setting: Setting) -> str:
    """One line of the table in docs/settings.md."""
    at_once = "yes" if setting.at_once else ""
    page = "" if setting.locked else "yes"
    return (
        f"| `{setting.name}` | `{_toml(setting.default)}` | {setting.unit} | {at_once} | {page} "
        f"| {setting.help} |"
    )


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
