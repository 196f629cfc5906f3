"""Passwords in settings: shown on no page, written into no log, and not lost by a change."""

from pathlib import Path
from typing import Any

import pytest
from test_device_settings_desk import change, desk, noted, path, texts

from device.address import HIDDEN, masked
from device.settings import BY_NAME, load_settings
from device.settings_check import fitting
from device.settings_desk import SettingsDesk
from device.settings_problem import Problem
from web_ui.settings_port import BadValues

__all__ = ["desk", "noted", "path"]


def test_passwords_are_neither_shown_nor_logged(
    desk: SettingsDesk, path: Path, noted: list[tuple[str, dict[str, Any]]]
) -> None:
    assert "geheim" not in repr(desk.sheet())
    shown = {field.name: field.value for field in desk.sheet().fields}
    assert shown["table.source"] == f"rtsp://{HIDDEN}@10.0.0.7/live"
    assert shown["hub.database"] == HIDDEN
    with pytest.raises(BadValues) as error:
        change(desk, table__source=f"rtsp://{HIDDEN}@10.0.0.8/live")
    assert "Passwort" in texts(error)[0][1]
    change(desk, table__source="rtsp://cam:neu@10.0.0.8/live")
    assert load_settings(path)["table.source"] == "rtsp://cam:neu@10.0.0.8/live"
    told = noted[0][1]["changes"][0]
    assert told == {
        "name": "table.source",
        "from": f"rtsp://{HIDDEN}@10.0.0.7/live",
        "to": f"rtsp://{HIDDEN}@10.0.0.8/live",
    }


@pytest.mark.parametrize(
    ("address", "shows"),
    [
        ("rtsp://10.0.0.7/live?user=cam&pwd=geheim", f"rtsp://10.0.0.7/live?{HIDDEN}"),
        ("rtsp://cam:ge@heim@10.0.0.7:554/x", f"rtsp://{HIDDEN}@10.0.0.7:554/x"),
        ("rtsp://cam:ge/heim@10.0.0.7/x", f"rtsp://{HIDDEN}"),
        ("rtsp://10.0.0.7/user=a&password=geheim&channel=1", f"rtsp://10.0.0.7/{HIDDEN}"),
        ("hostile:freeze@3:rtsp://c:geheim@h/x", f"hostile:freeze@3:rtsp://{HIDDEN}@h/x"),
        ("RTSP://Kamera.Local/Live", "RTSP://Kamera.Local/Live"),
        ("picamera:0", "picamera:0"),
    ],
)
def test_wherever_in_an_address_it_stands(
    desk: SettingsDesk, noted: list[tuple[str, dict[str, Any]]], address: str, shows: str
) -> None:
    assert masked(address) == shows
    change(desk, table__source=address)
    shown = {field.name: field.value for field in desk.sheet().fields}
    assert shown["table.source"] == shows
    assert noted[0][1]["changes"][0]["to"] == shows


def test_a_message_that_everybody_reads_in_safe_mode_has_none() -> None:
    found = fitting(BY_NAME["table.source"], "rtsp://cam:geheim@h/x\t")
    assert isinstance(found, Problem)
    assert "geheim" not in repr(found)
