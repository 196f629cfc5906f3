"""The settings of cameras: what a Raspberry Pi's own is asked for, patience with a network's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from device.restarting import is_service
from device.setting import Setting

CAMERA_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "camera.width_px",
        1536,
        "px",
        "Width of the pictures of a Raspberry Pi camera (picamera:0); multiples of 128 are "
        "cheapest. Other cameras send what they are set to.",
        320,
        help_de="Breite der Bilder einer Raspberry-Pi-Kamera (picamera:0); Vielfache von 128 "
        "kosten am wenigsten. Andere Kameras senden, was an ihnen eingestellt ist.",
        most=8192,
    ),
    Setting(
        "camera.height_px",
        864,
        "px",
        "Height of these pictures.",
        240,
        help_de="Höhe dieser Bilder.",
        most=8192,
    ),
    Setting(
        "camera.fps",
        25.0,
        "1/s",
        "Pictures a second of a Raspberry Pi camera; half the mains frequency, or a whole part of "
        "it, looks steadiest under lamps.",
        1,
        help_de="Bilder in der Sekunde einer Raspberry-Pi-Kamera; die halbe Netzfrequenz, oder "
        "ein ganzer Teil davon, sieht unter Lampen am ruhigsten aus.",
        most=120,
    ),
    Setting(
        "camera.mains_hz",
        50.0,
        "Hz",
        "Frequency of the mains, against flicker: exposure lasts whole half-periods (10 ms at "
        "50 Hz). 60 in North America; 0: no lamps on the mains.",
        0,
        help_de="Frequenz des Stromnetzes, gegen Flimmern: Belichtet wird ganze Halbwellen lang "
        "(10 ms bei 50 Hz). In Nordamerika 60; 0: keine Lampen am Netz.",
        most=100,
    ),
    Setting(
        "camera.focus_dioptres",
        0.0,
        "1/m",
        "Where the lens of a Raspberry Pi camera is focused: 1 divided by its distance from the "
        "mat in metres, such as 1.4 at 70 cm; 0: it focuses itself once, and keeps that. Cameras "
        "without autofocus pass it over.",
        0,
        help_de="Worauf eine Raspberry-Pi-Kamera scharf stellt: 1 geteilt durch den Abstand zur "
        "Matte in Metern, etwa 1.4 bei 70 cm; 0: Sie stellt sich einmal selbst scharf "
        "und bleibt dabei. Kameras ohne Autofokus übergehen es.",
        most=40,
    ),
    Setting(
        "camera.look_again",
        default=True,
        unit="",
        help="Whether exposure and white balance are found anew when the light has changed much, "
        "such as by a lamp switched on; else only at the start.",
        help_de="Ob Belichtung und Weißabgleich neu gesucht werden, wenn sich das Licht stark "
        "geändert hat, etwa durch eine Lampe; sonst nur am Anfang.",
    ),
    Setting(
        "camera.restart_s",
        30.0,
        "s",
        "When a Raspberry Pi camera that did work has hung in its driver for so long, the program "
        "ends with status 75 for systemd to start it again, as only a new process can open the "
        "camera; the game goes on where it was. Only as a service. 0: never.",
        0,
        help_de="Hängt eine Raspberry-Pi-Kamera, die schon lief, so lange in ihrem Treiber, "
        "endet das Programm mit Status 75, damit systemd es neu startet, denn nur ein "
        "neuer Prozess kann die Kamera öffnen; das Spiel geht weiter, wo es war. Nur "
        "als Dienst. 0: nie.",
        most=3600,
    ),
    Setting(
        "camera.network_s",
        5.0,
        "s",
        "A network camera (rtsp://) that does not connect, or sends nothing, for so long is lost "
        "and connected anew.",
        0.5,
        help_de="Eine Kamera im Netz (rtsp://), die sich so lange nicht verbindet oder nichts "
        "sendet, gilt als verloren und wird neu verbunden.",
        most=9,
    ),
)


@dataclass(frozen=True)
class CameraSettings:
    """What cameras are asked for; `CAMERA_SETTINGS` says what each means.

    Attributes:
        size_px: width and height.
        fps: pictures a second.
        mains_hz: 0: no lamps on the mains.
        focus_dioptres: 0: it focuses itself.
        look_again: when the light has changed much.
        restart_s: 0: never.
        network_s: patience with a network.
        as_service: somebody starts the program again when it ends.
    """

    size_px: tuple[int, int] = (1536, 864)
    fps: float = 25.0
    mains_hz: float = 50.0
    focus_dioptres: float = 0.0
    look_again: bool = True
    restart_s: float = 30.0
    network_s: float = 5.0
    as_service: bool = field(default_factory=is_service)

    @property
    def flicker_us(self) -> int:
        """How long a lamp's light takes to come and go, microseconds; 0: it does not."""
        return round(1e6 / (2 * self.mains_hz)) if self.mains_hz else 0


def camera_settings(settings: Mapping[str, Any]) -> CameraSettings:
    """What the settings ask of cameras; odd sizes are cut to even ones, as cameras have them."""
    width, height = settings["camera.width_px"], settings["camera.height_px"]
    return CameraSettings(
        size_px=(width // 2 * 2, height // 2 * 2),
        fps=settings["camera.fps"],
        mains_hz=settings["camera.mains_hz"],
        focus_dioptres=settings["camera.focus_dioptres"],
        look_again=settings["camera.look_again"],
        restart_s=settings["camera.restart_s"],
        network_s=settings["camera.network_s"],
    )
