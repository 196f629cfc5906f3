"""Whether a die lies flat, leans or stands on another, told by whoever knows where it is seen from.

A flat die seen aslant shows its sides as a tilted one does from straight above, so a cut-out alone
cannot tell them apart. The stance reader therefore sees the die at the mat's scale, as the mat is
seen from above, and is told where the camera is. It also sees the other dice that lie there: they
are of one make in one light, and one that shows its sides otherwise stands otherwise.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import StanceWitness
from vision.errors import ModelError
from vision.images import Image, to_uint8
from vision.last_stage import shares
from vision.runtime import Network

STANCES = ("die", "tower", "burning")
"""What the network tells apart, in its order; the names are those of `Said.kind`."""
OUTLINE_SAYS = 0.5
"""How much a die's outline says about how it stands, beside its looks, which say the rest."""
ERRS = 0.02
"""How often either of the two is taken to speak at random: who errs, errs loudly, and a fault is
told only where the other does not contradict (`models/EXPERIMENTS.md`)."""
STANCE_PX = 96
STANCE_DICE = 2.5
"""Side of the cut-out in edges of a die: the die, its shadow, what it leans on."""
STEEPEST = 1.0
"""Longest lean that the network knows: 45 degrees aside. Beyond, finder and namer have the say."""
PLACES = ((0.0, 0.0), (0.12, 0.0), (-0.12, 0.0), (0.0, 0.12), (0.0, -0.12))
"""Where a die is cut out, in edges from its box's middle: no box is exact, and the answers' mean
depends less on it than any one of them."""
TOLD_OF = "told"

Floats = NDArray[np.float32]


def lean_of(places_mm: NDArray[np.float64], camera_mm: Sequence[float]) -> NDArray[np.float64]:
    """How far the camera lies aside of places on the mat, per millimetre of its height.

    Args:
        places_mm: (N, 2) on the mat, x right, y down.
        camera_mm: (x, y, height) of the camera above the mat.

    Returns:
        (N, 2): zero right below the camera; its length is the tangent of the angle of view.
    """
    x, y, height = camera_mm
    return np.asarray((np.array([x, y]) - places_mm) / height)


def cut_stances(
    view_bgr: Image,
    centres_px: NDArray[np.float64],
    leans: NDArray[np.float64],
    *,
    edge_px: float,
) -> Image:
    """Cut dice out of the rectified mat at its own scale, turned so that the camera lies right.

    Args:
        view_bgr: (H, W, 3) uint8, the mat from above (`vision.mat_view.rectify`).
        centres_px: (N, 2) middles of the findings' boxes.
        leans: (N, 2) of `lean_of`.
        edge_px: a die's edge in this picture.

    Returns:
        (N, 96, 96, 3) uint8, `STANCE_DICE` edges wide; beyond the picture its border is repeated.
    """
    factor = STANCE_PX / (STANCE_DICE * edge_px)
    small = view_bgr
    if factor < 1:  # averaged first: warping alone would alias
        small = to_uint8(
            cv2.resize(view_bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        )
        centres_px, factor = centres_px * factor, 1.0
    out = [
        _around(small, centre, factor, float(np.arctan2(lean[1], lean[0])))
        for centre, lean in zip(centres_px, leans, strict=True)
    ]
    return np.stack(out) if out else np.zeros((0, STANCE_PX, STANCE_PX, 3), np.uint8)


def mean_stances(
    reader: StanceWitness,
    view_bgr: Image,
    centres_px: NDArray[np.float64],
    leans: NDArray[np.float64],
    throws: NDArray[np.int64],
    *,
    edge_px: float,
) -> Floats:
    """Ask about dice cut out at several places around their middles.

    Args:
        reader: the stance reader.
        view_bgr: (H, W, 3) uint8, the mat from above.
        centres_px: (N, 2) middles of the findings' boxes.
        leans: (N, 2) of `lean_of`.
        throws: (N,) from 0 on: dice of one throw are seen side by side, others may be of another
            make.
        edge_px: a die's edge in this picture.

    Returns:
        (N, 3) float32, the mean over `PLACES`.
    """
    shifted = np.concatenate([centres_px + np.array(place) * edge_px for place in PLACES])
    every = np.concatenate([leans] * len(PLACES))
    looks = np.add.outer(np.arange(len(PLACES)) * (throws.max(initial=0) + 1), throws).ravel()
    words = reader.stances(cut_stances(view_bgr, shifted, every, edge_px=edge_px), every, looks)
    return np.asarray(words.reshape(len(PLACES), -1, len(STANCES)).mean(axis=0), np.float32)


def _around(picture: Image, centre: NDArray[np.float64], factor: float, turn: float) -> Image:
    cos, sin = factor * np.cos(turn), factor * np.sin(turn)
    turned = np.array([[cos, sin], [-sin, cos]])
    matrix = np.column_stack([turned, STANCE_PX / 2 - 0.5 - turned @ (centre - 0.5)])
    return to_uint8(
        cv2.warpAffine(
            picture, matrix, (STANCE_PX, STANCE_PX), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )  # fmt: skip


def by_both(looks: NDArray[np.float64], outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely a die stands in each way (3,), up to a factor, by its looks and its outline.

    Args:
        looks: (3,) what they say of `STANCES`; sums to 1.
        outline: (3,) likewise.
    """
    looks, outline = ((1 - ERRS) * said + ERRS / len(STANCES) for said in (looks, outline))
    return looks ** (1 - OUTLINE_SAYS) * outline**OUTLINE_SAYS


class StanceReader:
    """The third witness: how a die stands, whatever it shows.

    Args:
        weights: an ONNX file with the inputs "crops" (N, 3, 96, 96), float32 RGB 0..1, and "told"
            (N, 2), the length of its lean and the number of the look that it is of, and one output
            (N, 3): logits of `STANCES`.
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._network = Network(weights, threads=threads, sha256=sha256, also=TOLD_OF, halves=True)

    def stances(
        self, crops_bgr: Image, leans: NDArray[np.float64], looks: NDArray[np.int64]
    ) -> Floats:
        """How dice stand.

        Args:
            crops_bgr: (N, 96, 96, 3) uint8 of `cut_stances`; N may be 0.
            leans: (N, 2) of `lean_of`.
            looks: (N,) from 0 on: dice of one look, each cut out once, are seen side by side.

        Returns:
            (N, 3) float32, every row sums to 1: flat, tower, burning; flat for sure where a lean
            is longer than `STEEPEST`, which leaves the question to the others.

        Raises:
            ModelError: the network answers in another form.
        """
        if not len(crops_bgr):
            return np.zeros((0, len(STANCES)), np.float32)
        steep = np.linalg.norm(leans, axis=1, keepdims=True).astype(np.float32)
        mirrored = crops_bgr[:, ::-1]  # about the line of sight: just as likely, and told anew
        both = np.concatenate([crops_bgr, mirrored])
        of = looks.astype(np.float32)[:, None]
        told = np.concatenate([np.hstack([steep, of]), np.hstack([steep, of + of.max() + 1])])
        (logits,) = self._network.run(both, told)
        if logits.shape != (len(both), len(STANCES)):
            raise ModelError(
                f"{self._network.weights}: the network answered {logits.shape}, but a stance "
                f"reader answers ({len(both)}, {len(STANCES)}); this is another model."
            )
        words = np.asarray(shares(logits).reshape(2, -1, len(STANCES)).mean(axis=0), np.float32)
        words[steep[:, 0] > STEEPEST] = np.eye(len(STANCES), dtype=np.float32)[0]
        return words
