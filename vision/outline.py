"""Whether a die ends where a flat one would: how it stands, told by geometry.

Where the pips of its top face lie tells where that face is and how it is turned; from there, and
from where the camera hangs, follows where the sides of a flat die must end. A die that leans or
stands on another ends elsewhere: at 14 degrees an eighth of its edge, which box and cut-out alone
hardly show. Each die is therefore cut out with its top face upright and in its place, its outline
as a flat one is drawn beside it, and a small network tells whether picture and drawing agree, and
how far the die leans. Carpet, print and cards have edges of their own: where it is known how the
mat looks without dice, the network sees that, too. Its training began with the weights of the
stance reader (`vision.stance`), which goes by looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import by_die, held_back, mean_by_die, square_of
from vision.errors import ModelError
from vision.images import Image, scaled, slices_around, to_uint8
from vision.last_stage import shares
from vision.pips import MOST, Marks, Points
from vision.runtime import Network
from vision.stance import STANCES, TOLD_OF

OUTLINE_PX = 64
OUTLINE_DICE = 2.0
"""Side of the cut-out in edges of a die."""
REACH_DICE = 0.75 * OUTLINE_DICE
"""So far from its middle one is seen, its corners and a little more."""
BOTH_PX = (2 * OUTLINE_PX, OUTLINE_PX)
"""Height and width: the die above, the mat without it below."""
QUARTERS = 4
"""A die looks as well after each quarter turn: it is seen in all of them."""
CLEAR = 0.6
"""Mean chance of a value over the views from which on its pips tell where the top face is: the
worst flat ones of 1,260 simulated dice had pips of which nobody knew what they showed."""
BLUR_PX = 0.7
"""A camera's grain has edges, too: they are smoothed away by so much before."""
UNKNOWN_TURN = np.pi / 16
"""Where the first look at a one begins that does not tell how its face is turned."""
RING_DICE = (0.38, 0.62)
"""How far from the middle of a top face its edges are looked for that tell how it is turned."""
_AXIS_DICE = (np.arange(OUTLINE_PX) + 0.5) * OUTLINE_DICE / OUTLINE_PX - OUTLINE_DICE / 2
_AWAY_DICE = np.hypot(*np.meshgrid(_AXIS_DICE, _AXIS_DICE))
_RING = np.digitize(_AWAY_DICE, RING_DICE) == 1
ALIGNED = 0.08
"""What is seen there tells it if it agrees by so much, 0..1. Grain alone agrees by less in 39 of 40
pictures; of 562 simulated ones 557 are told, 549 of them within 5 degrees of how they are turned
(`models/EXPERIMENTS.md`)."""
BURNING = STANCES.index("burning")
LEANS_FROM, ODDS_PER_SINE = 0.06, 20.0
"""Above which sine of its lean a die is more likely one that burns, and how the logarithm of these
odds grows with it (`models/EXPERIMENTS.md`). A small one says nothing: dice that burned unseen had
such."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Top:
    """The top face of a die in a picture.

    Attributes:
        middle_px: (2,) x right, y down.
        turn_rad: how its edges are turned by its pips, clockwise, up to quarter turns; None: one
            pip alone does not tell.
    """

    middle_px: NDArray[np.float64]
    turn_rad: float | None


def turn_of(pips: Points) -> float | None:
    """How a face is turned, up to quarter turns, from its K pips (K, 2), radians; None for one.

    The pips in the corners of a face lie along its diagonals, the two in the middle of a six's
    rows along an axis.
    """
    if len(pips) == 1:
        return None
    arms = pips - pips.mean(axis=0)
    reach = np.hypot(*arms.T)
    if len(pips) == MOST:
        arms = arms[np.argsort(reach)[:2]]
    around = _around(arms[:, 0] + 1j * arms[:, 1])
    return float(np.angle(around if len(pips) == MOST else -around) / QUARTERS)


def turn_by_edges(crop_bgr: Image) -> float | None:
    """How a face is turned whose pips do not tell, by the edges around it.

    Args:
        crop_bgr: (64, 64, 3) uint8, `OUTLINE_DICE` edges wide, the face's middle in its middle.

    Returns:
        Radians as `turn_of`; None where what is seen there does not agree.
    """
    smooth = cv2.GaussianBlur(crop_bgr, (0, 0), BLUR_PX).astype(np.float32)
    steep = cv2.Scharr(smooth, cv2.CV_32F, 1, 0) + 1j * cv2.Scharr(smooth, cv2.CV_32F, 0, 1)
    steep = steep[_RING]
    ways = steep[np.arange(len(steep)), np.abs(steep).argmax(axis=1)]
    around, length = _around(ways), float(np.abs(ways).sum())
    return float(np.angle(around) / QUARTERS) if abs(around) > ALIGNED * length else None


def _around(ways: NDArray[np.complex128]) -> complex:
    """Of directions, weighted by their lengths, four times their mean angle up to quarter turns."""
    return complex((ways**QUARTERS / np.maximum(np.abs(ways), 1e-6) ** (QUARTERS - 1)).sum())


def top_of(views: Sequence[Points], chances: Floats) -> Top | None:
    """Where the top face lies, from the marks of its pips in several views.

    Args:
        views: for each the places of marks, the clearest first, in pixels of the picture.
        chances: (V, 7) what these marks say of its value (`vision.pips.value_chances`).

    Returns:
        What the views that show the likeliest value say in the middle; None where no value is
        clear.
    """
    values = chances[:, :MOST]
    mean = values.mean(axis=0)
    value = int(mean.argmax()) + 1
    if mean[value - 1] < CLEAR:
        return None
    agree = values.argmax(axis=1) == value - 1
    faces = [places[:value] for places, agrees in zip(views, agree, strict=True) if agrees]
    middle = np.median([pips.mean(axis=0) for pips in faces], axis=0)
    turns = [turn for pips in faces if (turn := turn_of(pips)) is not None]
    around = np.exp(QUARTERS * 1j * np.array(turns)).sum()
    return Top(middle, float(np.angle(around) / QUARTERS) if turns else None)


def in_picture(
    marks: Sequence[Marks], box_px: NDArray[np.float64], lean: NDArray[np.float64]
) -> list[Points]:
    """Where in the picture lies what was marked in the `vision.crops.held_views` of a die.

    Args:
        marks: in each of its views.
        box_px: (4,) what was cut out.
        lean: (2,) of `vision.stance.lean_of`, as it was held.

    Returns:
        For each view (M, 2) pixels.
    """
    left, top, side = square_of(box_px)
    return [
        held_back(seen.places, lean, view) * side + [left, top] for view, seen in enumerate(marks)
    ]


def cut_outlines(
    view_bgr: Image,
    tops: Sequence[Top],
    leans: NDArray[np.float64],
    *,
    edge_px: float,
    bare_bgr: Image | None = None,
) -> tuple[Image, Floats]:
    """Cut dice out with their top faces upright and where a flat die's would be.

    Args:
        view_bgr: (H, W, 3) uint8, the mat from above (`vision.mat_view.rectify`).
        tops: N top faces.
        leans: (N, 2) of `vision.stance.lean_of`.
        edge_px: a die's edge in this picture.
        bare_bgr: the same without dice, and as it is where nobody knows that; None: nowhere.

    Returns:
        Die by die in every quarter turn: (N * 4, 128, 64, 3) uint8, `OUTLINE_DICE` edges wide, the
        middle of a flat die in that of the upper half, and in the lower one the same place without
        dice; and (N * 4, 3) float32, what the network is told: the lean in the cut-out, x right
        and y down, and whether the edges run along its sides.
    """
    factor = OUTLINE_PX / (OUTLINE_DICE * edge_px)
    crops, told = [], []
    for top, lean in zip(tops, leans, strict=True):
        middle = top.middle_px + 0.5 * edge_px * lean
        both_px = np.stack([top.middle_px, middle])
        part = slices_around(both_px, REACH_DICE * edge_px, view_bgr.shape)
        both = [_shrunk(seen[part], factor) for seen in (view_bgr, bare_bgr) if seen is not None]
        left_top, shrinks = (part[1].start, part[0].start), both[0][1]
        turn, axes = top.turn_rad, factor * np.diag(1 / shrinks)
        if turn is None:
            turn = turn_by_edges(_cut(both[0][0], (top.middle_px - left_top) * shrinks, axes))
        for way in _ways(UNKNOWN_TURN if turn is None else turn):
            cuts = [_cut(small, (middle - left_top) * shrinks, way @ axes) for small, _ in both]
            crops.append(np.vstack([cuts[0], cuts[-1]]))
            told.append([*(way @ lean), turn is not None])
    if not crops:
        return np.zeros((0, *BOTH_PX, 3), np.uint8), np.zeros((0, 3), np.float32)
    return np.stack(crops), np.array(told, np.float32)


def _shrunk(part_bgr: Image, factor: float) -> tuple[Image, NDArray[np.float64]]:
    """A part of a picture averaged to a scale below 1, as warping alone would alias.

    Returns:
        The part, and (2,) by what its width and height were multiplied: to whole pixels.
    """
    scale = min(1.0, factor)
    small = scaled(part_bgr, scale, scale)
    return small, np.array(small.shape[1::-1]) / part_bgr.shape[1::-1]


def _cut(image: Image, middle_px: NDArray[np.float64], axes: NDArray[np.float64]) -> Image:
    """A cut-out with a place in its middle; `axes` (2, 2) from the picture's to its own."""
    shift = OUTLINE_PX / 2 - 0.5 - axes @ (middle_px - 0.5)
    matrix = np.column_stack([axes, shift])
    size = (OUTLINE_PX, OUTLINE_PX)
    return to_uint8(cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE))


def _ways(turn_rad: float) -> NDArray[np.float64]:
    """(4, 2, 2) from the picture's axes to those of a face turned so, in every quarter turn."""
    way = np.array([[np.cos(turn_rad), np.sin(turn_rad)], [-np.sin(turn_rad), np.cos(turn_rad)]])
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    return np.stack([np.linalg.matrix_power(quarter, number) @ way for number in range(QUARTERS)])


def judged(logits: Floats, leans: Floats) -> Floats:
    """How dice stand, by what the network says of each in every quarter turn.

    Args:
        logits: (N, 4, 3) of `vision.stance.STANCES`.
        leans: (N, 4, 2) where its top looks to in the cut-out, as long as the lean's sine.

    Returns:
        (N, 3) float32, every row sums to 1: the mean of the turns, in which the odds that a die
        burns grow with how far it leans beyond `LEANS_FROM` by the mean of what they say, turned
        back.
    """
    sines = np.linalg.norm(np.einsum("qji,nqj->ni", _ways(0.0), leans) / QUARTERS, axis=1)
    said = np.array(logits, np.float32)
    said[..., BURNING] += ODDS_PER_SINE * np.maximum(sines - LEANS_FROM, 0)[:, None]
    words = shares(said.reshape(-1, len(STANCES)))
    return mean_by_die(words, len(logits))


class OutlineReader:
    """Tells by a die's outline how it stands.

    Args:
        weights: an ONNX file with the inputs "crops" (N, 3, 128, 64), float32 RGB 0..1, and "told"
            (N, 3) of `cut_outlines`, and the outputs of which `judged` speaks, (N, 3) and (N, 2).
            One that sees no mat takes the upper half alone, (N, 3, 64, 64).
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._network = Network(weights, threads=threads, sha256=sha256, also=TOLD_OF)
        if (answers := len(self._network.output_names)) != 2:
            raise ModelError(
                f"{weights}: an outline reader answers how dice stand and how far they lean, but "
                f"this network has {answers} answer(s); it is another model, or of weights before "
                "0.21.0: take a whole folder of one version."
            )
        self._sees_px = self._network.input_shape[2] or BOTH_PX[0]

    def stances(self, crops_bgr: Image, told: Floats) -> Floats:
        """How dice stand, by cut-outs and what is told of each (`cut_outlines`).

        Args:
            crops_bgr: (N * 4, 128, 64, 3) uint8; N may be 0.
            told: (N * 4, 3).

        Returns:
            (N, 3) float32, every row sums to 1: flat, tower, burning.

        Raises:
            ModelError: the network answers in another form.
        """
        if not len(crops_bgr):
            return np.zeros((0, len(STANCES)), np.float32)
        answers = self._network.run(crops_bgr[:, : self._sees_px], told)
        forms, expected = [answer.shape[1:] for answer in answers], [(len(STANCES),), (2,)]
        if forms != expected:
            raise ModelError(
                f"{self._network.weights}: of each cut-out the network answers {forms}, but an "
                f"outline reader answers {expected}; this is another model."
            )
        logits, leans = (by_die(answer, len(crops_bgr) // QUARTERS) for answer in answers)
        return judged(logits, leans)
