"""The settings file that a table begins with: a few settings with their help, all by default."""

from __future__ import annotations

import json

from device.settings import BY_NAME

FIRST = ("game.players", "game.book", "table.source", "table.layout", "web.host", "web.table_name")
"""What a pub sets first."""

HEAD = """\
# Settings of this table. What stands nowhere here, or behind a #, has its default.
# Every setting with default, unit and help:  schockauge settings
# Is the file sound?                          schockauge settings --check FILE
"""


def template() -> str:
    """The text of that file."""
    text, last = HEAD, ""
    for name in FIRST:
        section, key = name.split(".", 1)
        setting = BY_NAME[name]
        text += f"\n[{section}]\n" if section != last else ""
        text += f"# {setting.help}\n# {key} = {json.dumps(setting.default, ensure_ascii=False)}\n"
        last = section
    return text
