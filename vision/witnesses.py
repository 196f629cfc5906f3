"""What dice at rest show and how they stand, said by networks of their own."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.calibration import MatCalibration
from vision.crops import cut_evened, four_views, held_views, mean_by_die
from vision.detections import StanceWitness, ValueWitness
from vision.images import Image, Where, slices_around
from vision.mat_view import MatView
from vision.outline_judge import OutlineJudge
from vision.scene import TableScene
from vision.seats import seats_at
from vision.stance import lean_of, mean_stances
from vision.table import Box, SceneState

REACH_DICE = 2.5
"""So far around a die, in edges, witnesses look: at most two from its middle, whatever its turn."""

View = Image | MatView


@dataclass(frozen=True)
class Witnesses:
    """Asks the second and the third witness about dice that they have not seen often enough.

    Attributes:
        value_reader: counts pips; an `OutlineJudge` tells by outlines how dice stand, too, where
            the camera is known; None: there is none.
        stance_reader: tells how dice stand; None: there is none.
        margin_mm: what pictures show around the mat.
        beneath: tells of the mat from above how it looks without what lies on it
            (`vision.prints`).
    """

    value_reader: ValueWitness | None
    stance_reader: StanceWitness | None
    margin_mm: float
    beneath: Callable[[View, Where], Image] = lambda view, where: view[where]

    def speak(
        self,
        scene: TableScene,
        view: Callable[[], View],
        mat: MatCalibration,
        camera_mm: tuple[float, float, float] | None,
    ) -> SceneState:
        """Ask whoever has not been asked often enough.

        Args:
            scene: what lies on the mat.
            view: gives the mat from above, (H, W, 3) uint8; asked only if somebody is. What lies
                around the dice in question is looked at, and no more.
            mat: where the camera sees it.
            camera_mm: where the camera hangs; None: nobody knows, the third witness is not asked,
                and the second one is shown every die in all turns.

        Returns:
            The table now.
        """
        if self.value_reader is not None and (boxes := scene.wants_second()):
            self._count(self.value_reader, scene, view(), boxes, mat, camera_mm)
        at = scene.wants_stance()
        if self.stance_reader is not None and camera_mm is not None and at:
            places_mm = np.array(list(at.values()))
            scale = mat.scale_px_per_mm
            leans = lean_of(places_mm, camera_mm)
            throws = np.array(seats_at(scene.settings.seats, places_mm.tolist()))
            edge_px = mat.die_mm * scale
            seen = view()
            where, places_px = _around((places_mm + self.margin_mm) * scale, edge_px, seen)
            words = mean_stances(
                self.stance_reader, seen[where], places_px, leans, throws, edge_px=edge_px
            )
            scene.hear_stance(dict(zip(at, words, strict=True)))
        return scene.state()

    def _count(
        self,
        reader: ValueWitness,
        scene: TableScene,
        view: View,
        boxes: dict[int, Box],
        mat: MatCalibration,
        camera_mm: tuple[float, float, float] | None,
    ) -> None:
        """Have pips counted; dice are held as the reader knows them, if anybody knows how."""
        corners_px, edge_px = np.array(list(boxes.values())), mat.die_mm * mat.scale_px_per_mm
        middles_px = (corners_px[:, :2] + corners_px[:, 2:]) / 2
        where, corners_px = _around(corners_px.reshape(-1, 2), edge_px, view)
        part, boxes_px = view[where], corners_px.reshape(-1, 4)
        crops = cut_evened(part, boxes_px)
        if camera_mm is None:
            told = mean_by_die(reader.probabilities(four_views(crops)), len(boxes))
        else:
            leans = lean_of(middles_px / mat.scale_px_per_mm - self.margin_mm, camera_mm)
            held = held_views(crops, leans)
            if isinstance(reader, OutlineJudge):
                bare = self.beneath(view, where)
                told, stances = reader.judge(
                    part, held, boxes_px, leans, edge_px=edge_px, bare_bgr=bare
                )
                tracks = list(boxes)
                scene.hear_outline({tracks[row]: word for row, word in stances.items()})
            else:
                told = mean_by_die(reader.probabilities(held), len(boxes))
        scene.hear_second(dict(zip(boxes, told, strict=True)))


def _around(
    points_px: NDArray[np.float64], edge_px: float, view: View
) -> tuple[Where, NDArray[np.float64]]:
    """The part of a picture that shows dice at N points (N, 2) whole, and the points in it."""
    where = rows, columns = slices_around(points_px, REACH_DICE * edge_px, view.shape)
    return where, points_px - [columns.start, rows.start]
