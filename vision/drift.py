"""Is the mat still where it was? Four small places of the picture are compared with how they were.

Theory of operation
-------------------

At the mat's four markers (or, where none are printed, at its four corners) a patch of the picture
is kept as it was when the mat was found, seen straight from above. In every frame each patch is
looked for near its place. It is *in place*, it has *moved* (found elsewhere, to a tenth of a
millimetre), or it is *hidden* (not found: a hand, a glass, a die).

* One patch in place and not two that have moved: the mat lies where it was.
* Two that have moved: it was bumped, or the camera was.
* None in place: nobody can tell. A hand does not hide four corners of a mat; a newspaper does, a
  camera that was turned away, and a picture that is broken.

What is not in place is not to be read: `Sighting.in_place` says so for every single frame, and the
state follows when it has lasted. A bump that swings back only makes a pause.

Meanwhile the whole picture is searched for the markers. When all four are seen and stand still,
`Sighting.mat` is the new calibration: the same mat coordinates, seen from elsewhere. Three are
enough where they have moved together, without the view being bent: then a hand may be over the
fourth. Of a mat without markers the four patches themselves must all be found, which works within
`REACH_MM`.

A picture of another size than before is searched for the markers in the same way; without any it is
taken for the same picture scaled, if its sides have the same ratio.
"""

from dataclasses import dataclass, field

import numpy as np

from vision.calibration import MatCalibration
from vision.drift_places import (
    Points,
    anchored,
    completed,
    lengths,
    markers_px,
    moved_by,
    placed,
    reanchored,
    rescaled,
    shift_mm,
    size_of,
)
from vision.images import Image, as_bgr
from vision.markers import marker_centres_mm
from vision.plane import lie_inside

NEAR_MM, REACH_MM = 3.0, 16.0
"""How far around its place a patch is looked for, first and if it is not there: a marker's own
width, farther off the search of the whole picture finds it."""
ALL, OPPOSITE = (0, 1, 2, 3), ((0, 2), (1, 3))
"""The four places, clockwise from the top left, and the pairs of which one is looked at first."""

OK, HIDDEN, MOVED, RESIZED = "ok", "hidden", "moved", "resized"
GRAVITY = (OK, HIDDEN, MOVED, RESIZED)
"""States from no to the worst trouble: a trouble keeps the worst that was seen of it."""


@dataclass(frozen=True)
class DriftSettings:
    """Times and distances of noticing that the mat has moved.

    Attributes:
        tolerance_mm: a patch within this of its place is in place. From 2 mm on a die that lies
            still counts as moved, and a place that a cup has passed as another; a mat that has
            moved by 1.5 leaves room for the trembling of boxes (0.2).
        confirm_s: what is not in place for so long is a state; half of the two seconds within which
            a table is to learn of it.
        search_s: the whole picture is searched so often meanwhile: a search takes as long as a
            dozen frames.
        steady_s: the markers stand still when all searches of so long
        steady_mm: found them within this.
    """

    tolerance_mm: float = 1.5
    confirm_s: float = 1.0
    search_s: float = 0.2
    steady_s: float = 0.4
    steady_mm: float = 0.7


@dataclass(frozen=True)
class Sighting:
    """What one frame shows of the mat.

    Attributes:
        in_place: the mat lies in this frame where it was found; otherwise nothing is to be read.
        state: `ok`, `moved`, `hidden` or `resized`; what has lasted.
        since_s: since when.
        shift_mm: how far the mat has moved, mean of the places; 0 where it has not.
        mat: where it lies from now on, when it has been found anew.
    """

    in_place: bool
    state: str
    since_s: float
    shift_mm: float = 0.0
    mat: MatCalibration | None = None


@dataclass
class _Trouble:
    """The mat is not in place.

    Attributes:
        since_s: since when.
        state: the worst that was seen of it.
        told: it has lasted.
        searched_s: when the whole picture was searched last.
        found: where all four places were seen: when, (4, 2) pixels, (4, 2) mm on the mat.
    """

    since_s: float
    state: str = HIDDEN
    told: bool = False
    searched_s: float = float("-inf")
    found: list[tuple[float, Points, Points]] = field(default_factory=list)


class DriftWatch:
    """Watches whether a mat stays where it was found.

    Args:
        mat: where the mat is.
        image_bgr: (H, W, 3) uint8, a picture of it there.
        settings: times and distances.

    Raises:
        PictureError: not a picture.
    """

    def __init__(
        self,
        mat: MatCalibration,
        image_bgr: Image,
        settings: DriftSettings | None = None,
    ) -> None:
        self.settings = settings or DriftSettings()
        self._anchors = anchored(mat, as_bgr(image_bgr))
        self._trouble: _Trouble | None = None
        self._looks = 0

    @property
    def can_tell(self) -> bool:
        """Whether there is enough to go by: a dark mat on a dark table has not."""
        return sum(patch is not None for patch in self._anchors.patches) >= 2

    def look(self, image_bgr: Image, taken_at_s: float) -> Sighting:
        """Take in one frame.

        Args:
            image_bgr: (H, W, 3) uint8, BGR.
            taken_at_s: when it was taken, seconds.

        Returns:
            Whether the mat is where it was; with `mat`, where it is from this frame on.

        Raises:
            PictureError: not a picture.
        """
        picture = as_bgr(image_bgr)
        if not self.can_tell and size_of(picture) == self._anchors.size_px:
            return Sighting(in_place=True, state=OK, since_s=taken_at_s)
        wrong, moves_mm = self._wrong_with(picture)
        if wrong is None:
            self._trouble = None
            return Sighting(in_place=True, state=OK, since_s=taken_at_s)
        trouble = self._trouble = self._trouble or _Trouble(taken_at_s)
        was_told = trouble.told
        if taken_at_s - trouble.searched_s >= self.settings.search_s - 1e-6:
            trouble.searched_s = taken_at_s
            moves_mm = self._search(picture, taken_at_s, moves_mm, trouble)
        far = lengths(moves_mm) > self.settings.tolerance_mm
        seen = MOVED if wrong == HIDDEN and far.sum() >= 2 else wrong
        trouble.state = max(trouble.state, seen, key=GRAVITY.index)
        trouble.told = was_told or taken_at_s - trouble.since_s >= self.settings.confirm_s - 1e-6
        if was_told and (mat := self._found_anew(picture, trouble)) is not None:
            moved_mm = shift_mm(self._anchors, mat) if trouble.state != RESIZED else 0.0
            self._anchors, self._trouble = reanchored(self._anchors, mat, picture), None
            return Sighting(in_place=True, state=OK, since_s=taken_at_s, shift_mm=moved_mm, mat=mat)
        moved_mm = float(np.nanmean(lengths(moves_mm))) if far.any() else 0.0
        state = trouble.state if trouble.told else OK
        return Sighting(in_place=False, state=state, since_s=trouble.since_s, shift_mm=moved_mm)

    def _wrong_with(self, picture: Image) -> tuple[str | None, Points]:
        """What is wrong with the mat's place in a picture, and how far its places have moved.

        Returns:
            A state or None, and (4, 2) millimetres, nan where a place is hidden.
        """
        anchors, settings = self._anchors, self.settings
        moves_mm = np.full((4, 2), np.nan)
        if size_of(picture) != anchors.size_px:
            return RESIZED, moves_mm
        # Two opposite places, the other two in the next frame: in place, both say enough.
        self._looks += 1
        for places, reach_mm, enough in (
            (OPPOSITE[self._looks % 2], NEAR_MM, 2),
            (ALL, NEAR_MM, 3),
            (ALL, REACH_MM, 3),
        ):
            for place in places:
                if np.isnan(moves_mm[place, 0]):
                    moves_mm[place] = moved_by(picture, anchors, place, reach_mm)
            in_place = lengths(moves_mm) <= settings.tolerance_mm
            if in_place.sum() >= enough:
                return None, moves_mm
        if (lengths(moves_mm) > settings.tolerance_mm).sum() >= 2:
            return MOVED, moves_mm
        if not in_place.any():
            return HIDDEN, moves_mm
        return (MOVED if self._turned(picture) else None), moves_mm

    def _turned(self, picture: Image) -> bool:
        """Whether the mat was turned about a place that stayed, too far for the others' patches."""
        anchors = self._anchors
        if not anchors.printed:
            return False
        away_mm = lengths(anchors.mat.to_mm(markers_px(picture)) - anchors.places_mm)
        return bool((away_mm > self.settings.tolerance_mm).sum() >= 2)

    def _search(self, picture: Image, now_s: float, moves_mm: Points, trouble: _Trouble) -> Points:
        """Search the whole picture for the markers; note where all four places are.

        Returns:
            How far the places have moved, (4, 2) mm, nan where that is not known.
        """
        anchors, size_px = self._anchors, size_of(picture)
        places_px = markers_px(picture)
        places_mm = anchors.places_mm
        if anchors.printed and size_px == anchors.size_px:
            moves_mm = anchors.mat.to_mm(places_px) - places_mm
            places_px = completed(anchors, places_px, self.settings.steady_mm)
        elif not anchors.printed and not np.isnan(places_px).any():
            places_mm = marker_centres_mm(anchors.mat.mat_size_mm)
        elif not anchors.printed:
            places_px = anchors.mat.to_px(places_mm + moves_mm)
        if np.isnan(places_px).any():
            trouble.found.clear()
        else:
            trouble.found.append((now_s, places_px, places_mm))
        return moves_mm

    def _found_anew(self, picture: Image, trouble: _Trouble) -> MatCalibration | None:
        """Where the mat is now, once all four places have stood still."""
        anchors, settings, size_px = self._anchors, self.settings, size_of(picture)
        if not trouble.found:
            by_hand = trouble.state == RESIZED and not anchors.printed
            return rescaled(anchors, size_px) if by_hand else None
        last_s, _, places_mm = trouble.found[-1]
        first_s = last_s - settings.steady_s
        steady = [found for found in trouble.found if found[0] >= first_s - 1e-6]
        if trouble.found[0][0] > first_s + 1e-6 or any(mm is not places_mm for *_, mm in steady):
            return None
        all_px = np.array([places_px for _, places_px, _ in steady])
        mat = placed(anchors.mat, np.asarray(all_px.mean(axis=0)), places_mm, size_px)
        if mat is None or not lie_inside(mat.corners_px(), size_px):
            return None
        strayed_mm = mat.to_mm(all_px).reshape(all_px.shape) - places_mm
        return mat if float(lengths(strayed_mm).max()) <= settings.steady_mm else None
