"""The quality report of a calibration: the camera's picture with the mat drawn in, and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFont

from device.image_pixels import Picture
from vision.calibration import MatCalibration
from vision.lying import Zones
from vision.quality import Finding, Quality, markers_on, worst

WIDTH_PX, PANEL_PX = 1200, 460
"""A report fits on a laptop's screen; the picture is scaled to the first."""
GRID_MM = 50.0
STEPS = 24
"""Points of a straight line, which a lens shows bent."""

GROUND, INK, GREY = (30, 30, 34), (235, 235, 235), (150, 150, 155)
COLOURS: Mapping[str, tuple[int, int, int]] = {
    "good": (90, 200, 110), "usable": (240, 190, 60), "bad": (235, 85, 75), "": GREY,
}  # fmt: skip
"""By verdict, RGB."""
MAT_BGR, GRID_BGR, ZONE_BGR, MARKER_BGR = (
    (80, 220, 255),
    (200, 160, 60),
    (90, 210, 90),
    (90, 90, 255),
)
WORDS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "title": "Kalibrierung der Matte", "good": "gut", "usable": "brauchbar", "bad": "schlecht",
        "": "nicht messbar", "all": "Urteil", "lens": "Objektiv", "no_lens": "nicht vermessen",
        "scale": "Pixel je mm: Mitte {}, Ecken {}", "die": "Würfel {} mm ({})",
        "measured": "gemessen", "assumed": "angenommen", "grid": "Raster 50 mm",
        "throwing": "Würfelfläche", "aside": "Rausgelegt",
    },
    "en": {
        "title": "Calibration of the mat", "good": "good", "usable": "usable", "bad": "bad",
        "": "not measurable", "all": "verdict", "lens": "lens", "no_lens": "not measured",
        "scale": "pixels per mm: middle {}, corners {}", "die": "dice {} mm ({})",
        "measured": "measured", "assumed": "assumed", "grid": "grid 50 mm",
        "throwing": "throwing zone", "aside": "put aside",
    },
}  # fmt: skip


def report_json(quality: Quality, found: list[Finding]) -> dict[str, Any]:
    """The report as numbers."""
    return {
        "verdict": worst(found),
        "px_per_mm": [round(scale, 3) for scale in quality.px_per_mm],
        "die_mm": quality.die_mm,
        **{
            f.rule.name: {
                "value": None if f.value is None else round(f.value, 3),
                "unit": f.rule.unit,
                "verdict": f.verdict or None,
                "advice": f.advice,
            }
            for f in found
        },
    }


def report_lines(found: list[Finding], language: str = "de") -> Iterator[str]:
    """The report as lines for a terminal."""
    words = WORDS[language]
    for f in found:
        value = "–" if f.value is None else f"{f.value:.{f.rule.digits}f} {f.rule.unit}".strip()
        advice = f": {f.advice}" if f.advice else ""
        yield f"{f.rule.title[language]:<30} {value:>9}  {words[f.verdict]}{advice}"
    yield f"{words['all']}: {words[worst(found)]}"


def report_picture(
    image_bgr: Picture, mat: MatCalibration, quality: Quality, found: list[Finding],
    language: str = "de",
) -> Picture:  # fmt: skip
    """The camera's picture with markers, outline, grid and zones, and the verdicts beside it.

    Args:
        image_bgr: (H, W, 3) uint8, as calibrated.
        mat: where it shows the mat.
        quality: what was measured.
        found: the verdicts.
        language: de or en.

    Returns:
        (h, w, 3) uint8, BGR.
    """
    scale = WIDTH_PX / image_bgr.shape[1]
    height = max(640, round(image_bgr.shape[0] * scale))
    shown = cv2.resize(image_bgr, (WIDTH_PX, round(image_bgr.shape[0] * scale)))
    picture = np.asarray(shown, np.uint8)
    _draw_mat(picture, image_bgr, mat, scale)
    page = Image.new("RGB", (WIDTH_PX + PANEL_PX, height), GROUND)
    page.paste(Image.fromarray(picture[:, :, ::-1]), (0, 0))
    draw = ImageDraw.Draw(page)
    _write_zones(draw, mat, scale, language)
    _write_panel(draw, mat, quality, found, language)
    return np.ascontiguousarray(np.asarray(page, np.uint8)[:, :, ::-1])


def _draw_mat(picture: Picture, image_bgr: Picture, mat: MatCalibration, scale: float) -> None:
    width, height = mat.mat_size_mm
    zones = Zones.of_mat(mat.mat_size_mm)

    def line(a: tuple[float, float], b: tuple[float, float], colour: Any, thick: int) -> None:
        points_mm = np.linspace(a, b, STEPS)
        points = np.round(mat.to_px(points_mm) * scale * 16).astype(np.int32)
        cv2.polylines(picture, [points[:, None]], False, colour, thick, cv2.LINE_AA, 4)  # noqa: FBT003

    for x in np.arange(GRID_MM, width, GRID_MM).tolist():
        line((x, 0.0), (x, height), GRID_BGR, 1)
    for y in np.arange(GRID_MM, height, GRID_MM).tolist():
        line((0.0, y), (width, y), GRID_BGR, 1)
    for left, top, right, bottom in (zones.throwing, zones.aside):
        for a, b in _sides(left + 2, top + 2, right - 2, bottom - 2):
            line(a, b, ZONE_BGR, 2)
    for a, b in _sides(0.0, 0.0, width, height):
        line(a, b, MAT_BGR, 2)
    for quad in markers_on(mat, image_bgr).values():
        points = np.round(quad * scale * 16).astype(np.int32)
        cv2.polylines(picture, [points[:, None]], True, MARKER_BGR, 2, cv2.LINE_AA, 4)  # noqa: FBT003


def _sides(
    left: float, top: float, right: float, bottom: float
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    yield from zip(corners, [*corners[1:], corners[0]], strict=True)


def _write_zones(
    draw: ImageDraw.ImageDraw, mat: MatCalibration, scale: float, language: str
) -> None:
    zones, words = Zones.of_mat(mat.mat_size_mm), WORDS[language]
    for name, (left, _, right, bottom) in (("throwing", zones.throwing), ("aside", zones.aside)):
        x, y = (mat.to_px([[(left + right) / 2, 0.88 * bottom]])[0] * scale).tolist()
        colour = tuple(reversed(ZONE_BGR))
        draw.text((x, y), words[name], fill=colour, font=font(18), anchor="mm",
                  stroke_width=2, stroke_fill=(0, 0, 0))  # fmt: skip


def _write_panel(
    draw: ImageDraw.ImageDraw, mat: MatCalibration, quality: Quality, found: list[Finding],
    language: str,
) -> None:  # fmt: skip
    words, x, y = WORDS[language], WIDTH_PX + 20, 16
    draw.text((x, y), words["title"], fill=INK, font=font(24))
    verdict = worst(found)
    draw.text(
        (x, y + 34), f"{words['all']}: {words[verdict]}", fill=COLOURS[verdict], font=font(20)
    )
    y += 76
    for f in found:
        value = "–" if f.value is None else f"{f.value:.{f.rule.digits}f} {f.rule.unit}".strip()
        draw.text((x, y), f"{f.rule.title[language]}: {value}", fill=INK, font=font(16))
        draw.text((WIDTH_PX + PANEL_PX - 16, y), words[f.verdict], fill=COLOURS[f.verdict],
                  font=font(16), anchor="ra")  # fmt: skip
        y += 22
        for part in _wrapped(f.advice, 50):
            draw.text((x + 10, y), part, fill=COLOURS[f.verdict], font=font(14))
            y += 18
        y += 8
    middle, *corners = (f"{value:.2f}" for value in quality.px_per_mm)
    known = words["measured" if mat.die_measured else "assumed"]
    lens = words["no_lens"] if mat.lens is None else f"{mat.lens.rms_px:.2f} px"
    for words_below in (
        words["scale"].format(middle, " ".join(corners)),
        words["die"].format(f"{quality.die_mm:g}", known),
        f"{words['lens']}: {lens}",
        words["grid"],
    ):
        y += 20
        draw.text((x, y), words_below, fill=GREY, font=font(14))


def _wrapped(words: str, letters: int) -> list[str]:
    """Lines of at most so many letters."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= letters:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def font(size: int) -> Any:
    """A font for Pillow, of the PDF library: Pillow's own has no umlauts, a bare Debian none."""
    return ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf", 0.88 * size)
