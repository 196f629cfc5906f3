"""The cameras of a machine, and nothing else that Linux calls a video device."""

from pathlib import Path

import pytest

from device import camera_devices
from device.camera_devices import cameras_here, usb_cameras


def listed(classes: Path, number: int, place: str, index: int = 0) -> None:
    """A video device as Linux lists it."""
    there = classes.parent / "devices" / place / f"video{number}"
    there.mkdir(parents=True)
    (there / "index").write_text(f"{index}\n")
    classes.mkdir(exist_ok=True)
    (classes / f"video{number}").symlink_to(there)


def test_a_pis_image_processors_are_no_cameras(tmp_path: Path) -> None:
    classes = tmp_path / "video4linux"
    usb = "platform/scb/pcie/usb1/1-1/1-1.2"
    listed(classes, 0, usb)
    listed(classes, 1, usb, index=1)
    listed(classes, 10, "platform/bcm2835-codec")
    listed(classes, 12, f"{usb}-b")
    listed(classes, 3, "virtual")
    assert usb_cameras(classes) == ["camera:0", "camera:3", "camera:12"]
    assert usb_cameras(tmp_path / "none") == []


def test_a_camera_at_the_ribbon_cable_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_devices, "usb_cameras", lambda: ["camera:0"])
    assert cameras_here() == ["camera:0"]
    monkeypatch.setattr(camera_devices, "find_spec", lambda name: name == "picamera2")
    assert cameras_here() == ["picamera:0", "camera:0"]
