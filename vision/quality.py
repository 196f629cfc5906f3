"""How well a camera sees its mat: numbers, and what to do about those that are not good.

The bounds are data (`RULES`), each with its reason; words for people are in German and English.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.images import Image, as_bgr
from vision.markers import find_markers, marker_centres_mm
from vision.mat_view import rectify
from vision.plane import rectangle_mm
from vision.viewpoint import USUAL_FOV_DEG, viewpoint

Floats = NDArray[np.float64]
Range = tuple[float, float]
Words = Mapping[str, str]

VERDICTS = ("good", "usable", "bad")
BURNT_LEVEL = 250
"""Grey from which on a camera shows no difference between paper and a brighter light."""
ANY = float("inf")


@dataclass(frozen=True)
class Quality:
    """What was measured; None where no markers are to be seen.

    Attributes:
        die_px: edge of a die of `die_mm` in the camera's picture, where it is seen smallest.
        px_per_mm: in the mat's middle and at its four corners, clockwise from the top left;
            across, where the mat is seen aslant.
        reprojection_mm: how far the markers' corners lie from where they should (root mean square).
        tilt_deg: of the camera against the plumb line.
        sharpness_mm: width of the markers' edges.
        contrast: from the markers' black to their white, 0..255; without markers, of the mat.
        brightness: mean grey of the mat, 0..255.
        overexposed: share of the mat that is burnt out, 0..1.
        die_mm: edge of the dice.
    """

    die_px: float
    px_per_mm: tuple[float, ...]
    reprojection_mm: float | None
    tilt_deg: float
    sharpness_mm: float | None
    contrast: float
    brightness: float
    overexposed: float
    die_mm: float


@dataclass(frozen=True)
class Rule:
    """Bounds of one number.

    Attributes:
        name: field of `Quality`.
        unit: shown behind it.
        digits: behind the point.
        good: lowest and highest that is good.
        usable: lowest and highest with which one can play.
        title: what it is called, by language.
        low: what to do when it is too low, by language.
        high: the same when it is too high.
    """

    name: str
    unit: str
    digits: int
    good: Range
    usable: Range
    title: Words
    low: Words
    high: Words

    def verdict(self, value: float) -> str:
        """One of `VERDICTS`."""
        inside = (low <= value <= high for low, high in (self.good, self.usable))
        return next((v for v, fits in zip(VERDICTS, inside, strict=False) if fits), VERDICTS[-1])

    def advice(self, value: float, language: str) -> str:
        """What to do; "" when it is good."""
        if self.verdict(value) == VERDICTS[0]:
            return ""
        return (self.low if value < self.good[0] else self.high)[language]


NOTHING: Words = {"de": "", "en": ""}
RULES: tuple[Rule, ...] = (
    # Photographs with dice of 24 px and more are read right in 93 of 100 cases, smaller ones far
    # less often (models/CARD.md); the table's view shows a 16 mm die with 35 px and no more.
    Rule(
        "die_px", "px", 0, (32.0, ANY), (24.0, ANY),
        {"de": "Würfelkante im Bild", "en": "die's edge in the picture"},
        {"de": "Kamera näher heran oder höhere Auflösung",
         "en": "move the camera nearer or raise its resolution"},
        NOTHING,
    ),
    # Dice count as still within 2 mm; places wrong by more than 1.5 mm eat that up.
    Rule(
        "reprojection_mm", "mm", 2, (0.0, 0.5), (0.0, 1.5),
        {"de": "Passfehler der Marken", "en": "misfit of the markers"},
        NOTHING,
        {"de": "Matte glatt hinlegen, Objektiv messen (--lens), Ecken genauer angeben",
         "en": "flatten the mat, measure the lens (--lens), point at the corners more exactly"},
    ),
    # The readers learned from cameras tilted by up to 20 degrees; the sides of dice hide their
    # neighbours beyond 30.
    Rule(
        "tilt_deg", "°", 0, (0.0, 20.0), (0.0, 30.0),
        {"de": "Neigung der Kamera", "en": "tilt of the camera"},
        NOTHING,
        {"de": "Kamera mehr von oben", "en": "look down more steeply"},
    ),
    # Pips of a 16 mm die are 3 mm wide and 1.5 mm apart.
    Rule(
        "sharpness_mm", "mm", 1, (0.0, 1.5), (0.0, 2.5),
        {"de": "Breite der Kanten (Schärfe)", "en": "width of edges (sharpness)"},
        NOTHING,
        {"de": "Scharf stellen, Linse putzen, Kamera näher",
         "en": "focus, clean the lens, move the camera nearer"},
    ),
    # Faded pips differ from their die by a third of what black ink does from paper.
    Rule(
        "contrast", "", 0, (90.0, ANY), (50.0, ANY),
        {"de": "Kontrast Schwarz zu Weiß", "en": "contrast of black and white"},
        {"de": "Mehr Licht; Spiegelung auf der Matte vermeiden",
         "en": "more light; avoid reflections on the mat"},
        NOTHING,
    ),
    # A dark cloth has 30 in good light, white paper 220.
    Rule(
        "brightness", "", 0, (28.0, 225.0), (15.0, 240.0),
        {"de": "Helligkeit der Matte", "en": "brightness of the mat"},
        {"de": "Mehr Licht", "en": "more light"},
        {"de": "Weniger Licht oder kürzer belichten", "en": "less light or a shorter exposure"},
    ),
    # A highlight as large as a die's face (256 mm²) is 0.2 % of the mat.
    Rule(
        "overexposed", "%", 1, (0.0, 0.5), (0.0, 5.0),
        {"de": "Überbelichteter Anteil", "en": "burnt-out share"},
        NOTHING,
        {"de": "Licht von der Seite, schwächer oder gestreut; kürzer belichten",
         "en": "light from the side, weaker or diffuse; a shorter exposure"},
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One number with its verdict; value None: it could not be measured."""

    rule: Rule
    value: float | None
    verdict: str
    advice: str


def findings(quality: Quality, language: str = "de") -> list[Finding]:
    """Every number with its verdict, in the order of `RULES`; language: de or en."""
    out = []
    for rule in RULES:
        value = getattr(quality, rule.name)
        if value is None:
            out.append(Finding(rule, None, "", ""))
            continue
        shown = 100.0 * value if rule.unit == "%" else float(value)
        out.append(Finding(rule, shown, rule.verdict(shown), rule.advice(shown, language)))
    return out


def worst(found: list[Finding]) -> str:
    """The verdict of all together: that of the worst."""
    return max((f.verdict for f in found if f.verdict), key=VERDICTS.index)


def measure(image_bgr: Image, mat: MatCalibration, *, fov_deg: float = USUAL_FOV_DEG) -> Quality:
    """Measure how well a picture shows the mat.

    Args:
        image_bgr: (H, W, 3) uint8 camera picture.
        mat: where it shows the mat.
        fov_deg: usual horizontal field of view of such a camera; a measured lens knows better.

    Raises:
        CalibrationError: the mat does not lie in the picture, or a marker is twice in it.
        PictureError: not a picture.
    """
    picture = as_bgr(image_bgr)
    view = cv2.cvtColor(rectify(picture, mat), cv2.COLOR_BGR2GRAY)
    markers = markers_on(mat, picture)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    edges = [_edge(np.asarray(grey), quad) for quad in markers.values()]
    widths = [
        width / _finest(mat, mat.to_mm(markers[index].mean(axis=0))[0])
        for index, (width, _) in zip(markers, edges, strict=True)
    ]
    width, height = mat.mat_size_mm
    places = np.array([[width / 2, height / 2], *rectangle_mm(mat.mat_size_mm)])
    scales = tuple(_finest(mat, place) for place in places)
    matrix = None if mat.lens is None else mat.lens.camera_matrix
    size = (picture.shape[1], picture.shape[0])
    seen = viewpoint(mat.homography_px_to_mm, size, fov_deg=fov_deg, camera_matrix=matrix)
    low, high = np.percentile(view, [1, 99])
    return Quality(
        die_px=min(scales) * mat.die_mm,
        px_per_mm=scales,
        reprojection_mm=_misfit_mm(mat, markers) if markers else None,
        tilt_deg=seen.tilt_deg,
        sharpness_mm=float(np.median(widths)) if widths else None,
        contrast=float(np.median([c for _, c in edges])) if edges else float(high - low),
        brightness=float(view.mean()),
        overexposed=float((view >= BURNT_LEVEL).mean()),
        die_mm=mat.die_mm,
    )


def markers_on(mat: MatCalibration, picture: Image) -> dict[int, Floats]:
    """The markers that stand about where this mat has them; others belong to something else.

    Args:
        mat: where the picture shows the mat.
        picture: (H, W, 3) uint8, BGR.

    Returns:
        Their corners (4, 2) in pixels by their numbers.

    Raises:
        CalibrationError: one is twice in the picture, and nobody has said which mat is meant.
    """
    try:
        markers = find_markers(picture)
    except CalibrationError:  # two mats lie there; somebody has said which
        if not mat.by_hand:
            raise
        return {}
    places = marker_centres_mm(mat.mat_size_mm)
    near_mm = min(mat.mat_size_mm) / 4
    return {
        index: quad
        for index, quad in markers.items()
        if np.linalg.norm(mat.to_mm(quad).mean(axis=0) - places[index]) < near_mm
    }


def _finest(mat: MatCalibration, place_mm: Floats) -> float:
    """Pixels per millimetre at a place, in the direction in which it is seen smallest."""
    steps = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    right, left, down, up = mat.to_px(place_mm + steps)
    jacobian = np.column_stack([right - left, down - up]) / 2
    return float(np.linalg.svd(jacobian, compute_uv=False)[-1])


def _misfit_mm(mat: MatCalibration, markers: Mapping[int, Floats]) -> float:
    """How far the markers' corners are from squares in their places, whatever their side is."""
    places = marker_centres_mm(mat.mat_size_mm)
    offsets = np.array([mat.to_mm(quad) - places[index] for index, quad in markers.items()])
    signs = rectangle_mm((2.0, 2.0)) - 1.0
    half_mm = float((offsets * signs).mean())
    return float(np.sqrt(((offsets - half_mm * signs) ** 2).sum(axis=2).mean()))


def _edge(grey: NDArray[np.generic], quad: Floats) -> tuple[float, float]:
    """Width in pixels of a marker's edges, and its contrast."""
    low = np.maximum(np.floor(quad.min(axis=0)) - 4, 0).astype(int)
    high = (np.ceil(quad.max(axis=0)) + 4).astype(int)
    patch = np.asarray(grey[low[1] : high[1], low[0] : high[0]], np.float32)
    if min(patch.shape) < 8:
        raise CalibrationError("A marker is too small to be judged; move the camera nearer.")
    dark, light = np.percentile(patch, [5, 95])
    along = cv2.Sobel(patch, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(patch, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    steepest = float(np.percentile(np.hypot(along, down), 98))
    contrast = float(light - dark)
    return contrast / max(steepest, 1e-3), contrast
