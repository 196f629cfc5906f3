"""Addresses are shown without what lets others in."""

import pytest

from device.address import HIDDEN, shown
from device.errors import SettingsError
from device.settings import Settings


@pytest.mark.parametrize(
    ("spec", "text", "marked"),
    [
        ("rtsp://a:b@10.0.0.7:554/mat", "rtsp://10.0.0.7:554/mat", "rtsp://*@10.0.0.7:554/mat"),
        ("rtsp://a:b@h/mat?password=b#c", "rtsp://h/mat", "rtsp://*@h/mat?*"),
        ("rtsp://10.0.0.7/mat", "rtsp://10.0.0.7/mat", "rtsp://10.0.0.7/mat"),
        ("rtsps://a:b@[fe80::1]:322/mat", "rtsps://[fe80::1]:322/mat",
         "rtsps://*@[fe80::1]:322/mat"),
        ("RTSP://a:p@ss:word@host/mat", "RTSP://host/mat", "RTSP://*@host/mat"),
        ("rtsp://a:my word@host/mat", "rtsp://host/mat", "rtsp://*@host/mat"),
        ("rtsp://a:b@host:port/mat", "rtsp://...", "rtsp://*"),
        ("rtsp://a:12/34@host/mat", "rtsp://...", "rtsp://*"),
        ("rtsp://a:12#34@host/mat", "rtsp://...", "rtsp://*"),
        ("rtsp://a:12?34@host/mat", "rtsp://...", "rtsp://*"),
        ("rtsp://h/user=a&password=b&channel=1", "rtsp://h/...", "rtsp://h/*"),
        ("rtsp://h/live/user=a_password=b.sdp?x", "rtsp://h/live/...", "rtsp://h/live/*?*"),
        ("hostile:freeze@3:rtsp://a:b@host/mat", "hostile:freeze@3:rtsp://host/mat",
         "hostile:freeze@3:rtsp://*@host/mat"),
        ("camera:0", "camera:0", "camera:0"),
        ("/media/clip.mp4", "/media/clip.mp4", "/media/clip.mp4"),
    ],
)  # fmt: skip
def test_no_text_lets_others_in(spec: str, text: str, marked: str) -> None:
    assert shown(spec) == text
    assert shown(spec, "*") == marked


def test_nor_does_a_complaint_about_it() -> None:
    with pytest.raises(SettingsError) as error:
        Settings().with_values({"table.source": "rtsp://a:geheim@host/mat?key=geheim\n"})
    assert f"rtsp://{HIDDEN}@host/mat?{HIDDEN}'" in str(error.value)
    assert "geheim" not in str(error.value)
