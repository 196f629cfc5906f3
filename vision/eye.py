"""Finding and naming together: one look that says where things are and what they show.

The finder sees the whole picture and says "a die", "a tower", "a burning die", "a cup"; the namer
sees one cut-out at a time and says what it shows. A finding's class is what both together make
most likely (Bayes with equal priors, the two taken as independent), its score how likely that is
and that there is anything at all.
"""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.confidence import OTHER_KIND
from vision.crops import cut_crops, one_view
from vision.detections import BURNING, CUP, TOWER, VALUE_CLASSES, Detections, suppress
from vision.evening import evened_picture
from vision.images import Image, as_bgr, sized

FINDS = ("die", "tower", "burning", "cup")
KIND_CLASSES = (TOWER, BURNING, CUP)
"""Class ids in `vision.detections.CLASS_NAMES` of the finder's kinds after "die"."""
NOTHING = 8
"""The namer's last answer; before it come the values 1..6, tower and burning."""
MOST_NAMED = 160
"""Findings taken in one look, the best; a picture with more is no table, and time stays bounded."""


@dataclass(frozen=True, eq=False)
class Finds:
    """What the finder found: xyxy (N, 4) float32 pixels, score (N,) 0..1, kind (N,) in `FINDS`."""

    xyxy: NDArray[np.float32]
    score: NDArray[np.float32]
    kind: NDArray[np.int64]

    def best(self, most: int) -> "Finds":
        """The first `most`; a finder tells the best first."""
        return Finds(self.xyxy[:most], self.score[:most], self.kind[:most])


class Finder(Protocol):
    """Finds things; `vision.detector.Detector` is the real one."""

    def find(self, image_bgr: Image, *, size_px: int, min_score: float) -> Finds:
        """Look once at (H, W, 3) uint8 with its long side scaled to `size_px`, best first."""
        ...


class Namer(Protocol):
    """Names what a cut-out shows; `vision.readers.Namer` is the real one."""

    def shows(self, crops_bgr: Image) -> NDArray[np.float32]:
        """(N, 64, 64, 3) uint8 -> (N, 9): values 1..6, tower, burning, nothing."""
        ...


class Eye:
    """A `vision.detections.DieDetector` of two networks.

    Args:
        finder: says where.
        namer: says what.
    """

    def __init__(self, finder: Finder, namer: Namer) -> None:
        self._finder = finder
        self._namer = namer

    def detect(
        self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        """Look once.

        Args:
            image_bgr: (H, W), (H, W, 3) or (H, W, 4) uint8, any size.
            size_px: the picture's long side is scaled to this, 32..2048 pixels.
            min_score: findings below are dropped, 0..1.
            view: looks at the same things take another each: the finder is shown every second
                with its colours evened out (`vision.evening`), which brings faint dice forth; for
                the namer every one turns and colours dice in another way (`vision.crops.one_view`).

        Returns:
            The findings in pixels of the picture given, at most one per place, best first.

        Raises:
            PictureError: not a picture.
            ValueError: `size_px` out of range.
            ModelError: a network answers in another form.
        """
        picture = as_bgr(image_bgr)
        seen, factors = picture, np.ones(2)
        if view % 2:  # no larger than it is looked at: that is sooner done
            small, factors = sized(picture, min(size_px, max(picture.shape[:2])), quickly=True)
            seen = evened_picture(small)
        finds = self._finder.find(seen, size_px=size_px, min_score=min_score).best(MOST_NAMED)
        finds = replace(finds, xyxy=(finds.xyxy / np.tile(factors, 2)).astype(np.float32))
        shows = np.zeros((len(finds.score), NOTHING + 1), np.float32)
        wanted = np.flatnonzero(finds.kind != FINDS.index("cup"))
        crops = one_view(cut_crops(picture, finds.xyxy[wanted]), view)
        shows[wanted] = self._namer.shows(crops)
        found = named(finds, shows)
        return suppress(found.select(found.score >= min_score))


class Glance:
    """A `vision.detections.DieDetector` that only finds: every die is told as class 0.

    For whoever asks for names later, once per thing and not once per look.
    """

    def __init__(self, finder: Finder) -> None:
        self._finder = finder

    def detect(
        self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        """As `Eye.detect`, without names."""
        finds = self._finder.find(as_bgr(image_bgr), size_px=size_px, min_score=min_score)
        classes = np.array([0, *KIND_CLASSES], np.int64)[finds.kind]
        return suppress(Detections(finds.xyxy, finds.score, classes))


def named(finds: Finds, shows: NDArray[np.float32]) -> Detections:
    """Bring both networks' words together.

    Args:
        finds: N findings.
        shows: (N, 9) the namer's probabilities; rows of cups are not looked at.

    Returns:
        N findings with the most likely class, in the same order, and the namer's word on their
        values should they lie flat.
    """
    values = shows[:, :VALUE_CLASSES] + np.float32(1e-6)
    if_flat = values / values.sum(axis=1, keepdims=True)
    classes = np.zeros(len(finds.score), np.int64)
    scores = np.zeros(len(finds.score), np.float32)
    for row, (score, kind, seen) in enumerate(zip(finds.score, finds.kind, shows, strict=True)):
        if kind == FINDS.index("cup"):
            classes[row], scores[row] = CUP, score
            continue
        kinds = np.full(3, score * OTHER_KIND)
        kinds[kind] = score
        belief = seen[:NOTHING] * np.repeat(kinds, (VALUE_CLASSES, 1, 1))
        nothing = float(seen[NOTHING]) * (1.0 - float(score))
        share = belief / max(float(belief.sum()) + nothing, 1e-9)
        classes[row] = int(share.argmax())
        # A clear name alone makes no die: what the finder hardly saw stays doubtful.
        scores[row] = float(share.max()) * float(score) ** 0.5
    return Detections(finds.xyxy, scores, classes, if_flat)
