"""Which cameras this machine has, by the names that a source has in the settings."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def cameras_here() -> list[str]:
    """All of them; the one at a Raspberry Pi's ribbon cable wherever its program is installed."""
    return [*(["picamera:0"] if find_spec("picamera2") else []), *usb_cameras()]


def usb_cameras(classes: Path = Path("/sys/class/video4linux")) -> list[str]:
    """The cameras that Linux knows, as `camera:N`; empty elsewhere.

    Args:
        classes: where Linux lists them. Besides cameras there are a Raspberry Pi's image
            processors, and a second device of every camera that tells of its pictures.
    """
    numbers = [path.name.removeprefix("video") for path in classes.glob("video*")]
    known = sorted(int(number) for number in numbers if number.isdecimal())
    return [f"camera:{number}" for number in known if _is_camera(classes / f"video{number}")]


def _is_camera(listed: Path) -> bool:
    try:
        first = (listed / "index").read_text().strip() == "0"
    except OSError:
        first = True
    place = f"{listed.resolve()}/"
    return first and ("/platform/" not in place or "/usb" in place)
