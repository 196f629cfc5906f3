"""Is the light over a mat fit for reading dice? What is wrong with it, and where in the picture.

`vision.quality` judges one picture. Two more numbers need more: how evenly the mat is lit, and
whether the light flickers, which only several pictures show. Every finding names its places, so
that a person sees in the picture what the sentence speaks of.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import MatCalibration
from vision.images import Image, as_bgr
from vision.markers import marker_centres_mm
from vision.mat_view import rectify
from vision.plane import rectangle_mm
from vision.quality import ANY, BURNT_LEVEL, NOTHING, RULES, VERDICTS, Rule, markers_on, measure
from vision.viewpoint import USUAL_FOV_DEG

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = tuple[Floats, ...]
"""Polygons (N, 2) in pixels of the camera's picture."""

SAMPLES = 16
"""Pictures that are compared: two thirds of a second at 25 a second, several beats of a lamp."""
LEAST_SAMPLES = 8
ROWS, COLUMNS = 180, 48
"""Of the small copies: a rolling shutter shows one to three bands of a lamp at 50 Hz."""
CELL_MM = 30.0
"""Light is compared between places of this size: a lamp's shadow is larger, a printed line not."""
GLARE_MM2 = 64.0
"""Burnt spots from this size on are shown: a quarter of a die's face hides its pips."""
VIEW_PX_PER_MM = 1.0
QUIET_MM = 20.0
"""So near to a marker's centre the mat is printed, and tells nothing of the light."""
MOST_ROWS = 75
"""Percentile of the rows: bands that wander reach every row sooner or later, not in a second."""
DARKEST, LIGHTEST = 5, 95
"""Percentiles of what is compared: neither a single speck nor a single picture decides."""

UNEVEN = Rule(
    # Good print differs by about 200 levels in good light; a place with this share of the light
    # keeps 90 of them, which is good, and 50, which is usable (`contrast` in vision.quality).
    "evenness", "%", 0, (45.0, ANY), (25.0, ANY),
    {"de": "Gleichmäßigkeit", "en": "evenness"},
    {"de": "Lampe verschieben oder eine zweite dazu; nichts soll einen Schatten werfen",
     "en": "move the lamp or add a second one; nothing should cast a shadow"},
    NOTHING,
)  # fmt: skip
FLICKER = Rule(
    # The motion gate sees a change of 12 levels, 5 % of white; it makes allowance for up to 15 %
    # between two pictures (MOVED_LEVELS and MOST_GAIN in vision.motion), not for more.
    "flicker", "%", 1, (0.0, 4.0), (0.0, 15.0),
    {"de": "Flackern des Lichts", "en": "flicker of the light"},
    NOTHING,
    {"de": "Flimmerschutz der Kamera auf 50 Hz stellen; gedimmte und billige LED-Lampen tauschen",
     "en": "set the camera's anti-flicker to 50 Hz; replace dimmed and cheap LED lamps"},
)  # fmt: skip
_BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in (*RULES, UNEVEN, FLICKER)}

KINDS: Mapping[str, str] = {
    "dark": "brightness",
    "contrast": "contrast",
    "glare": "overexposed",
    "uneven": "evenness",
    "flicker": "flicker",
    "blur": "sharpness_mm",
}
"""What can be wrong, and the number that tells: name of its `Rule`."""


@dataclass(frozen=True)
class LightFinding:
    """One thing that may be wrong with the light.

    Attributes:
        kind: one of `KINDS`.
        rule: the bounds.
        value: what was measured; None: it cannot be told (no markers, too few pictures).
        verdict: one of `vision.quality.VERDICTS`, or "" where value is None.
        places: where in the picture; none where all is well.
    """

    kind: str
    rule: Rule
    value: float | None
    verdict: str
    places: Places

    def advice(self, language: str) -> str:
        """What to do, de or en; "" where it is good or not known."""
        return "" if self.value is None else self.rule.advice(self.value, language)


class LightSamples:
    """The last pictures of a camera, made small, and the newest as it came.

    Attributes:
        newest: (H, W, 3) uint8; None before the first.
    """

    def __init__(self) -> None:
        self._small: deque[Image] = deque(maxlen=SAMPLES)
        self.newest: Image | None = None

    def add(self, image_bgr: Image) -> None:
        """Take in a picture; one of another size than those before begins anew.

        Raises:
            PictureError: not a picture.
        """
        picture = as_bgr(image_bgr)
        if self.newest is not None and self.newest.shape != picture.shape:
            self._small.clear()
        self.newest = picture
        small = cv2.resize(picture, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
        self._small.append(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))

    @property
    def count(self) -> int:
        """How many pictures are compared now."""
        return len(self._small)

    def rows(self, mat: MatCalibration) -> Floats | None:
        """How light the mat's rows are in each picture, against the middle of all pictures.

        Returns:
            (pictures, `ROWS`) shares, nan above and below the mat; None: too few pictures.
        """
        if len(self._small) < LEAST_SAMPLES or self.newest is None:
            return None
        height, width = self.newest.shape[:2]
        corners = mat.corners_px() * [COLUMNS / width, ROWS / height]
        left, top = np.maximum(np.ceil(corners.min(axis=0)), 0).astype(int)
        right, bottom = np.floor(corners.max(axis=0)).astype(int)
        light = np.array(self._small, np.float64) + 1.0
        usual = np.median(light, axis=0)
        shares = np.full((len(light), ROWS), np.nan)
        part = (light / usual)[:, top:bottom, left:right]
        # The middle of a row: a hand over less than half of it is no light.
        shares[:, top:bottom] = np.median(part, axis=2)
        return shares


def check_light(
    samples: LightSamples, mat: MatCalibration, *, fov_deg: float = USUAL_FOV_DEG
) -> tuple[LightFinding, ...]:
    """Judge the light over an empty mat.

    Args:
        samples: of the camera, the newest picture last.
        mat: where they show the mat.
        fov_deg: as of `vision.quality.measure`.

    Returns:
        One finding for each of `KINDS`, in their order; none before the first picture.

    Raises:
        CalibrationError: the mat does not lie in the picture, or a marker is twice in it.
    """
    if samples.newest is None:
        return ()
    look = _Look(samples.newest, mat, samples.rows(mat))
    quality = measure(look.picture, mat, fov_deg=fov_deg)
    values: dict[str, float | None] = {
        rule.name: getattr(quality, rule.name) for rule in RULES if rule.name in KINDS.values()
    }
    values |= {"evenness": look.evenness(), "flicker": look.flicker()}
    return tuple(_finding(kind, values[name], look) for kind, name in KINDS.items())


def _finding(kind: str, value: float | None, look: "_Look") -> LightFinding:
    rule = _BY_NAME[KINDS[kind]]
    if value is None:
        return LightFinding(kind, rule, None, "", ())
    shown = 100.0 * value if rule.unit == "%" else float(value)
    found = LightFinding(kind, rule, shown, rule.verdict(shown), ())
    if found.verdict == VERDICTS[0]:
        return found
    return replace(found, places=_PLACES[kind](look))


class _Look:
    """A picture of the mat, seen straight from above, and the places in it."""

    def __init__(self, picture: Image, mat: MatCalibration, rows: Floats | None) -> None:
        self.picture = picture
        self._mat = mat
        self._rows = rows
        view = rectify(picture, mat, scale_px_per_mm=VIEW_PX_PER_MM)
        self._grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
        self._cells = self._lit_cells()

    def evenness(self) -> float:
        """Light of the darkest places against the lightest, 0..1; 1 where all is burnt out."""
        if not self._cells:
            return 1.0
        levels = [level for _, level in self._cells]
        dark, light = np.percentile(levels, [DARKEST, LIGHTEST])
        return float((dark + 1.0) / (light + 1.0))

    def flicker(self) -> float | None:
        """By how much a row's light changes from picture to picture, as a share; None: unknown."""
        if self._rows is None:
            return None
        seen = self._rows[:, ~np.isnan(self._rows[0])]
        low, high = np.percentile(seen, [DARKEST, LIGHTEST], axis=0)
        return float(np.percentile(high - low, MOST_ROWS))

    def all_of_it(self) -> Places:
        """The whole mat."""
        return (self._mat.corners_px(),)

    def burnt(self) -> Places:
        """Spots without any difference between paper and light."""
        mask = (self._grey >= BURNT_LEVEL).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)))
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        large = [np.asarray(o, float).reshape(-1, 2) for o in outlines if _is_spot(o)]
        return tuple(self._mat.to_px(outline / VIEW_PX_PER_MM) for outline in large)

    def dark_cells(self) -> Places:
        """The places with the least light."""
        light = np.percentile([level for _, level in self._cells], LIGHTEST)
        bound = UNEVEN.good[0] / 100.0 * light
        return tuple(self._mat.to_px(corners) for corners, level in self._cells if level < bound)

    def bands(self) -> Places:
        """Stripes of the newest picture that are lighter or darker than usual."""
        assert self._rows is not None, "nothing flickers before enough pictures have come"
        newest = np.abs(np.nan_to_num(self._rows[-1], nan=1.0) - 1.0)
        marked = np.flatnonzero(newest > max(0.5 * FLICKER.good[1] / 100.0, 0.5 * newest.max()))
        runs = np.split(marked, np.flatnonzero(np.diff(marked) > 1) + 1)
        height = self.picture.shape[0] / ROWS
        left, right = self._mat.corners_px()[:, 0].min(), self._mat.corners_px()[:, 0].max()
        return tuple(
            np.array([left, run[0] * height])
            + rectangle_mm((right - left, (run[-1] + 1 - run[0]) * height))
            for run in runs
            if run.size
        )

    def markers(self) -> Places:
        """The markers, whose edges tell how sharp the picture is."""
        return tuple(markers_on(self._mat, self.picture).values()) or self.all_of_it()

    def _lit_cells(self) -> list[tuple[Floats, float]]:
        """Corners (4, 2) in mm and median grey of every place without a marker or glare."""
        width, height = self._mat.mat_size_mm
        printed = marker_centres_mm(self._mat.mat_size_mm)
        cells = []
        for x in np.arange(0.0, width - CELL_MM / 2, CELL_MM).tolist():
            for y in np.arange(0.0, height - CELL_MM / 2, CELL_MM).tolist():
                near = np.abs(printed - [x + CELL_MM / 2, y + CELL_MM / 2]).max(axis=1)
                if (near < QUIET_MM + CELL_MM / 2).any():
                    continue
                left, top = round(x * VIEW_PX_PER_MM), round(y * VIEW_PX_PER_MM)
                side = round(CELL_MM * VIEW_PX_PER_MM)
                cell = self._grey[top : top + side, left : left + side]
                if (cell >= BURNT_LEVEL).any():
                    continue  # glare is told by itself, and is no measure for the rest
                level = float(np.median(cell))
                cells.append((np.array([x, y]) + rectangle_mm((CELL_MM, CELL_MM)), level))
        return cells


def _is_spot(outline: object) -> bool:
    return float(cv2.contourArea(np.asarray(outline))) >= GLARE_MM2 * VIEW_PX_PER_MM**2


_PLACES: Mapping[str, Callable[[_Look], Places]] = {
    "dark": _Look.all_of_it,
    "contrast": _Look.all_of_it,
    "glare": _Look.burnt,
    "uneven": _Look.dark_cells,
    "flicker": _Look.bands,
    "blur": _Look.markers,
}
"""Where each kind is to be seen."""
