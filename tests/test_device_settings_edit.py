"""The text of a settings file with a value changed, however somebody has written it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_device_settings_file import TEXT, path

from device.settings_edit import edited
from device.settings_file import SettingsFile

__all__ = ["path"]


def test_line_ends_and_a_byte_order_mark_of_another_editor(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf[web]\r\nport = 8081 # so\r\n")
    SettingsFile(path).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    assert path.read_bytes() == b"[web]\r\nport = 9000 # so\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "web.port = 8081\nweb.language = 'de'\n",
        'web = { port = 8081, language = "de" }\n',
        '["web"]\n"port" = 8081\n',
        "[web]\nport = 8081\n[game]\nbook = 'turnier'\n\n[web.x]\n",
        "[game]\nplayers = [\n  'A', # erste\n  'B',\n]\n",
    ],
)
def test_other_ways_to_write_it_are_changed_as_well(text: str) -> None:
    web = tomllib.loads(edited(text, {"web.port": 9000, "web.table_name": "X"}))["web"]
    assert (web["port"], web["table_name"]) == (9000, "X")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.text(min_size=1)))
def test_no_text_becomes_code_of_the_file(said: str, names: list[str]) -> None:
    names = [name.encode("utf-8", "ignore").decode() or "x" for name in names]
    changed = edited(TEXT, {"web.table_name": said, "game.players": names})
    told = tomllib.loads(changed)
    assert told["web"] == {"port": 8081, "table_name": said}
    assert told["game"] == {"players": names}
    assert set(told) == {"web", "game"}
