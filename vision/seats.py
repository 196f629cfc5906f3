"""Who sits where around a mat: every player's part of it, and where dice are put aside there.

A place on the mat belongs to the seat in whose direction it lies farthest from the middle: the
mat is cut by the bisectors between neighbours. What lies near the middle has been put aside
("rausgelegt"); farther out, before the player, the cup stands and dice are thrown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, isfinite, radians, sin

from vision.errors import SeatsError

FEWEST_SEATS, MOST_SEATS = 2, 8
ASIDE_MM = 80.0
CUP_MM = 88.0
"""Diameter of a dice cup at its rim: so much room it needs."""
SAME_ANGLE_DEG = 1e-3

Point = tuple[float, float]
Polygon = tuple[Point, ...]
"""Corners (x, y), clockwise as seen from above; convex here; none: nothing of the mat."""


@dataclass(frozen=True)
class Seat:
    """One player's part of the mat; millimetres of the mat, x right, y down from its top left.

    Attributes:
        name: the player's.
        towards: unit vector from the mat's middle to the player.
        area: all of the seat.
        throwing: where the cup stands and dice are thrown.
        aside: where dice are put aside: the part of it around the mat's middle.
        middle: the mat's.
        aside_mm: how far from it, in the seat's direction, dice are put aside.
    """

    name: str
    towards: Point
    area: Polygon
    throwing: Polygon
    aside: Polygon
    middle: Point
    aside_mm: float

    def outwards_mm(self, point: Point) -> float:
        """How far a place lies from the mat's middle in the direction of this seat."""
        return _dot(self.towards, (point[0] - self.middle[0], point[1] - self.middle[1]))

    def is_aside(self, point: Point) -> bool:
        """Whether what a player has at this place is put aside."""
        return self.outwards_mm(point) < self.aside_mm

    def takes_cup(self, point: Point) -> bool:
        """Whether a cup of this player covers dice here: it does wherever it stands."""
        return True


def seats_around(
    names: Sequence[str],
    mat_size_mm: tuple[float, float],
    *,
    angles_deg: Sequence[float] | None = None,
    aside_mm: float = ASIDE_MM,
) -> tuple[Seat, ...]:
    """Divide a mat among the players who sit around it.

    Args:
        names: 2 to 8 different ones.
        mat_size_mm: width and height.
        angles_deg: where each of them sits: 0 at the picture's lower edge, 90 at its left one,
            clockwise as seen from above; None: evenly around, in the order of the names.
        aside_mm: how far from the middle dice are put aside.

    Returns:
        The seats in the order of the names.

    Raises:
        SeatsError: too few or too many names, angles that do not fit them, or a seat without room
            for a cup.
    """
    angles = _angles(names, angles_deg)
    width, height = mat_size_mm
    if not (isfinite(aside_mm) and aside_mm > 0 and min(width, height) > 0):
        raise SeatsError(
            f"The mat and the put-aside area need sizes in millimetres above 0, but got "
            f"{width:g} x {height:g} and {aside_mm:g}."
        )
    mat: Polygon = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    middle = (width / 2, height / 2)
    directions = [_towards(angle) for angle in angles]
    seats = []
    for name, towards in zip(names, directions, strict=True):
        area = mat
        for other in directions:
            if other != towards:  # what lies farther in this direction than in the other's
                area = _cut(area, (towards[0] - other[0], towards[1] - other[1]), middle)
        here = (middle[0] + aside_mm * towards[0], middle[1] + aside_mm * towards[1])
        throwing = _cut(area, towards, here)
        if not _holds_circle(throwing, CUP_MM / 2):
            raise SeatsError(
                f"The seat of {name} has no room for a cup of {CUP_MM:g} mm on a mat of {width:g} "
                f"x {height:g} mm with {aside_mm:g} mm to put dice aside; take a larger mat, "
                "fewer seats, other angles or a smaller put-aside area."
            )
        aside = _cut(area, (-towards[0], -towards[1]), here)
        seats.append(Seat(name, towards, area, throwing, aside, middle, aside_mm))
    return tuple(seats)


def seat_index(seats: Sequence[Seat], point: Point) -> int:
    """Whose part of the mat a place lies in; one beside the mat belongs to the nearest seat."""
    return max(range(len(seats)), key=lambda index: seats[index].outwards_mm(point))


def seats_at(seats: Sequence[Seat], points: Iterable[Sequence[float]]) -> list[int]:
    """As `seat_index` for many places; 0 for all of them where one mat serves everybody."""
    return [seat_index(seats, (x, y)) if seats else 0 for x, y in points]


def _angles(names: Sequence[str], angles_deg: Sequence[float] | None) -> list[float]:
    """One angle a name, 0 to 360 degrees."""
    if not FEWEST_SEATS <= len(names) <= MOST_SEATS:
        raise SeatsError(
            f"A mat has {FEWEST_SEATS} to {MOST_SEATS} seats, but got {len(names)}: "
            f"{', '.join(names) or 'none'}."
        )
    if len(set(names)) < len(names) or not all(names):
        raise SeatsError(f"Every seat needs a name of its own, but got {', '.join(names)}.")
    if angles_deg is None:
        return [360 * index / len(names) for index in range(len(names))]
    if len(angles_deg) != len(names) or not all(isfinite(angle) for angle in angles_deg):
        raise SeatsError(
            f"Each of {len(names)} seats needs one angle in degrees, but got {list(angles_deg)}."
        )
    angles = [angle % 360 for angle in angles_deg]
    for index, angle in enumerate(angles):
        for other in angles[:index]:
            if min(abs(angle - other), 360 - abs(angle - other)) < SAME_ANGLE_DEG:
                raise SeatsError(f"Two seats are at the same angle: {list(angles_deg)} degrees.")
    return angles


def _towards(angle_deg: float) -> Point:
    """Unit vector; without the hair by which the sine of a half circle misses zero."""
    angle = radians(angle_deg)
    return (round(-sin(angle), 12) + 0.0, round(cos(angle), 12) + 0.0)


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]


def _cut(polygon: Polygon, inwards: Point, through: Point) -> Polygon:
    """The part of a convex polygon on one side of a line.

    Args:
        polygon: its corners.
        inwards: across the line, to the side that stays.
        through: a point of the line.

    Source: Sutherland & Hodgman, Reentrant polygon clipping (1974).
    """
    sides = [_dot(inwards, (x - through[0], y - through[1])) for x, y in polygon]
    kept: list[Point] = []
    for index, (corner, side) in enumerate(zip(polygon, sides, strict=True)):
        before, side_before = polygon[index - 1], sides[index - 1]
        if (side > 0) != (side_before > 0) and side_before != side:
            share = side_before / (side_before - side)
            crossing = tuple(b + share * (c - b) for b, c in zip(before, corner, strict=True))
            kept.append((crossing[0], crossing[1]))
        if side > 0:
            kept.append(corner)
    return tuple(kept) if len(kept) > 2 else ()


def _holds_circle(polygon: Polygon, radius_mm: float) -> bool:
    """Whether a circle fits in: something is left when every edge moves inwards by its radius."""
    left = polygon
    for index, (x, y) in enumerate(polygon):
        before_x, before_y = polygon[index - 1]
        along = (x - before_x, y - before_y)
        length = _dot(along, along) ** 0.5
        if length > 0:
            inwards = (-along[1] / length, along[0] / length)
            moved = (x + radius_mm * inwards[0], y + radius_mm * inwards[1])
            left = _cut(left, inwards, moved)
    return bool(left)
